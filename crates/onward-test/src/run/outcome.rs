//! What is left after a scenario was run.

use std::path::PathBuf;

use onward_core::Session;
use onward_core::check::Report;
use onward_event::{Digest, MessageId, Record};

use crate::crash::Point;

/// How a scenario came to rest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// The last turn has ended; terminal and stop reason, in the words of the log.
    Ended(String),
    /// A person is asked, and the scenario has no answer.
    Waiting,
}

/// Everything that a run left.
pub struct Run {
    /// How it came to rest.
    pub end: End,
    /// The words of the last accepted output.
    pub answer: String,
    /// The points of each life, in their order.
    pub lives: Vec<Vec<Point>>,
    /// Whether a person had to say what became of a call.
    pub unknown: bool,
    /// The log.
    pub records: Vec<(Record, Digest)>,
    /// Its fold.
    pub session: Session,
    /// What the checker says, with the real bytes, blobs and requests.
    pub report: Report,
    /// The ledger.
    pub ledger: Vec<String>,
    /// Files of the workspace that the scenario names, and what they hold.
    pub files: Vec<(String, Option<String>)>,
    /// Messages that were acknowledged.
    pub acknowledged: Vec<MessageId>,
    /// Messages that were never sent, because what they wait for did not happen.
    pub unsent: usize,
    /// Where the workspace was.
    pub workspace: PathBuf,
}
