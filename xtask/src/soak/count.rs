//! What must never happen, counted from the ledger and the logs.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::log::Told;

/// The end of a soak.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Verdict {
    /// Processes that were killed.
    pub(super) kills: u64,
    /// Acknowledged inputs that are not where they must be.
    pub(super) lost: usize,
    /// Effects beyond the first of each.
    pub(super) doubled: usize,
    /// Sessions that did not come to rest.
    pub(super) hung: usize,
    /// Effects that a log tells of and that did not happen.
    pub(super) untrue: usize,
    /// Logs that are not as they should be.
    pub(super) broken: usize,
}

impl Verdict {
    /// Whether nothing happened that must not.
    pub(super) fn is_good(&self) -> bool {
        let Self { kills: _, lost, doubled, hung, untrue, broken } = self;
        [lost, doubled, hung, untrue, broken].iter().all(|count| **count == 0)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kills, lost, doubled, hung, .. } = self;
        write!(
            f,
            "kills {kills}, acknowledged inputs lost {lost}, effects doubled {doubled}, sessions hung {hung}"
        )
    }
}

/// The lines of the ledger that are there more often than once, and how often too many.
pub(super) fn doubled(ledger: &str) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for line in ledger.lines() {
        *counts.entry(line).or_insert(0_usize) += 1;
    }
    counts.into_iter().map(|(line, count)| (line, count - 1)).filter(|(_, more)| *more > 0).collect()
}

/// The acknowledged inputs of a session that its log does not have once, or did not hand over.
pub(super) fn lost<'a>(acknowledged: &'a BTreeSet<String>, told: &Told) -> Vec<(&'a str, &'static str)> {
    acknowledged.iter().filter_map(|words| Some((words.as_str(), told.fault(words)?))).collect()
}

/// The effects that a log tells of and the ledger does not have.
pub(super) fn untrue<'a>(told: &'a Told, ledger: &str) -> Vec<&'a str> {
    let happened: BTreeSet<&str> = ledger.lines().collect();
    told.done().filter_map(line_of).filter(|line| !happened.contains(line)).collect()
}

/// The line that a command leaves.
fn line_of(command: &str) -> Option<&str> {
    let (_, rest) = command.split_once("echo ")?;
    rest.split_once(" >>").map(|(line, _)| line)
}
