//! What the checker found, in words for an operator.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use onward_event::Seq;

/// Violations, and unverifiable records, that one report lists each; more are only counted.
pub const MAX_FINDINGS: usize = 1000;

/// One breach of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The number of the rule in the project's list of invariants.
    pub rule: u8,
    /// The record that breaks it; for something that never ended, the record that began it.
    pub at: Seq,
    /// What is wrong and where.
    pub what: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "record {} breaks rule {}: {}", self.at, self.rule, self.what)
    }
}

/// The result of a check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// What is wrong, by position and rule.
    pub violations: Vec<Violation>,
    /// What could not be judged, and why: events or projections that this binary does not know.
    pub unverifiable: Vec<(Seq, String)>,
    /// Records that were read.
    pub records: u64,
    /// Violations and unverifiable records beyond [`MAX_FINDINGS`], which are not listed.
    pub omitted: u64,
}

impl Report {
    /// Whether nothing is wrong. What could not be judged counts as not wrong.
    pub fn is_clean(&self) -> bool {
        self.violations.is_empty()
    }
}

/// Where the rules put what they find.
#[derive(Debug, Default)]
pub(super) struct Findings {
    violations: Vec<Violation>,
    unverifiable: Vec<(Seq, String)>,
    omitted: u64,
}

impl Findings {
    pub(super) fn violation(&mut self, rule: u8, at: Seq, what: String) {
        if self.violations.len() < MAX_FINDINGS {
            self.violations.push(Violation { rule, at, what });
        } else {
            self.omitted = self.omitted.saturating_add(1);
        }
    }

    pub(super) fn unverifiable(&mut self, at: Seq, what: String) {
        if self.unverifiable.len() < MAX_FINDINGS {
            self.unverifiable.push((at, what));
        } else {
            self.omitted = self.omitted.saturating_add(1);
        }
    }

    pub(super) fn into_report(mut self, records: u64) -> Report {
        self.violations.sort_by_key(|violation| (violation.at, violation.rule));
        Report {
            violations: self.violations,
            unverifiable: self.unverifiable,
            records,
            omitted: self.omitted,
        }
    }
}
