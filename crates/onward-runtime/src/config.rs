//! The runtime's own limits, each with a name and a default.

use std::time::Duration;

use crate::open::VERIFIED_TAIL;

/// How an owner behaves.
#[derive(Clone, Debug)]
pub struct RuntimeConfig {
    /// How the owner names itself to others: host and process id.
    pub owner: String,
    /// How long deltas may stay out of the side stream.
    pub side_interval: Duration,
    /// How long a call may take to stop after an interrupt; past it, the outcome of one that may have effects is unknown.
    pub convergence: Duration,
    /// How long to keep trying when the log cannot be written; past it the owner gives up, with everything kept.
    pub stall: Duration,
    /// The pause between two such tries.
    pub stall_pause: Duration,
    /// Records of the tail whose hashes are verified when a session is opened.
    pub verified_tail: usize,
    /// Records after which the fold is stored again, when the session comes to rest.
    pub snapshot_every: u64,
}

impl Default for RuntimeConfig {
    fn default() -> Self {
        Self {
            owner: "unnamed".into(),
            side_interval: Duration::from_millis(100),
            convergence: Duration::from_secs(10),
            stall: Duration::from_secs(10),
            stall_pause: Duration::from_millis(500),
            verified_tail: VERIFIED_TAIL,
            snapshot_every: 1_000,
        }
    }
}
