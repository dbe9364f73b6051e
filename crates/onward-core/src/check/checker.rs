//! Drives the rules over a log.

use alloc::boxed::Box;
use alloc::format;
use alloc::vec::Vec;

use onward_event::{AppendId, Event};

use super::env::{CheckEnv, Checked};
use super::quiet::Quiet;
use super::report::{Findings, Report};
use super::rule::Rule;
use super::{
    approvals, artifacts, attempts, calls, chain, completion, continuations, handover, history, inbox,
    interrupts, jobs, nesting, output, owner, requests, runs, secrets, single, sources, usage,
};

/// Checks a log that arrives record by record, from its first.
///
/// Never fails and never stops early: damage is reported, and the rules go on as well as they can, so that one
/// report names all there is to see.
pub struct Checker {
    rules: Vec<Box<dyn Rule + Send>>,
    quiet: Quiet,
    append: Option<AppendId>,
    records: u64,
    findings: Findings,
}

/// Checks a whole log, in its order.
pub fn check<'a>(records: impl IntoIterator<Item = Checked<'a>>, env: &mut dyn CheckEnv) -> Report {
    let mut checker = Checker::new();
    for record in records {
        checker.push(record, env);
    }
    checker.finish()
}

impl Checker {
    /// A checker before the first record.
    pub fn new() -> Self {
        Self {
            rules: all_rules(),
            quiet: Quiet::default(),
            append: None,
            records: 0,
            findings: Findings::default(),
        }
    }

    /// The next record, in the order in which the store returns them.
    pub fn push(&mut self, seen: Checked<'_>, env: &mut dyn CheckEnv) {
        if self.append.as_ref() != Some(&seen.record.append) {
            self.end_append();
            self.append = Some(seen.record.append.clone());
        }
        self.records = self.records.saturating_add(1);
        if let Event::Unknown(unknown) = &seen.record.event {
            let what = format!(
                "this binary does not know the event `{}` (version {}); what it means was not checked",
                unknown.kind, unknown.version
            );
            self.findings.unverifiable(seen.record.seq, what);
        }
        self.quiet.record(seen.record);
        for rule in &mut self.rules {
            rule.record(&seen, env, &mut self.findings);
        }
    }

    /// The log ends here. The rules that say how everything ends are judged only when the session is quiet.
    pub fn finish(mut self) -> Report {
        self.end_append();
        if self.quiet.is_quiet() {
            for rule in &mut self.rules {
                rule.quiet(&mut self.findings);
            }
        }
        self.findings.into_report(self.records)
    }

    fn end_append(&mut self) {
        for rule in &mut self.rules {
            rule.append_ends(&mut self.findings);
        }
    }
}

impl Default for Checker {
    fn default() -> Self {
        Self::new()
    }
}

/// In the order of their numbers.
fn all_rules() -> Vec<Box<dyn Rule + Send>> {
    alloc::vec![
        Box::new(chain::Chain::default()),
        Box::new(artifacts::Artifacts::default()),
        Box::new(owner::Owner::default()),
        Box::new(nesting::Nesting::default()),
        Box::new(single::Single::default()),
        Box::new(sources::Sources::default()),
        Box::new(continuations::Continuations::default()),
        Box::new(inbox::Inbox::default()),
        Box::new(output::Output::default()),
        Box::new(attempts::Attempts::default()),
        Box::new(calls::Calls::default()),
        Box::new(approvals::Approvals::default()),
        Box::new(runs::Runs::default()),
        Box::new(handover::Handover::default()),
        Box::new(interrupts::Interrupts::default()),
        Box::new(history::History::default()),
        Box::new(requests::Requests),
        Box::new(completion::Completion::default()),
        Box::new(jobs::Jobs::default()),
        Box::new(usage::UsageSums::default()),
        Box::new(secrets::Secrets::default()),
    ]
}
