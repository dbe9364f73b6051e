//! Rule 2: an owner's records carry the latest epoch, a client's carry its name, and epochs only rise. An append has
//! one writer, and an owner leaves with nothing in flight; what runs under a supervisor waits for the next one.

use alloc::collections::BTreeSet;
use alloc::format;

use onward_event::{AppendId, AttemptId, CallId, Epoch, Event, EventWriter, OwnerReleased, Record, Seq};

use super::env::{CheckEnv, Checked};
use super::report::Findings;
use super::rule::{Rule, answered};

const RULE: u8 = 2;

#[derive(Default)]
pub(super) struct Owner {
    epoch: Epoch,
    /// Whether the latest epoch still has its owner.
    owned: bool,
    /// Who wrote the append that the last record belongs to.
    writer: Option<(AppendId, Option<Epoch>)>,
    /// Started under this owner, in its process, and not ended.
    attempts: BTreeSet<AttemptId>,
    calls: BTreeSet<CallId>,
}

impl Rule for Owner {
    fn record(&mut self, seen: &Checked<'_>, _: &mut dyn CheckEnv, out: &mut Findings) {
        let record = seen.record;
        check_writer(record, out);
        self.check_append(record, out);
        match &record.event {
            Event::OwnerAcquired(body) => self.acquire(record, body.epoch, out),
            _ => self.check_epoch(record, out),
        }
        if let Event::OwnerReleased(body) = &record.event {
            self.release(record.seq, body, out);
        }
        self.follow_effects(&record.event);
    }
}

impl Owner {
    fn check_append(&mut self, record: &Record, out: &mut Findings) {
        if let Some((append, epoch)) = &self.writer
            && *append == record.append
        {
            if *epoch != record.epoch {
                let what = format!("append `{}` has records of two writers", append.0);
                out.violation(RULE, record.seq, what);
            }
            return;
        }
        self.writer = Some((record.append.clone(), record.epoch));
    }

    fn acquire(&mut self, record: &Record, epoch: Epoch, out: &mut Findings) {
        let next = Epoch(self.epoch.0.saturating_add(1));
        if epoch != next {
            let what = format!(
                "epoch {} was acquired after epoch {}; the next is {}",
                epoch.0, self.epoch.0, next.0
            );
            out.violation(RULE, record.seq, what);
        } else if record.epoch.is_some_and(|written| written != epoch) {
            out.violation(RULE, record.seq, format!("epoch {} was acquired under another epoch", epoch.0));
        }
        self.epoch = self.epoch.max(epoch);
        self.owned = true;
        self.attempts.clear();
        self.calls.clear();
    }

    fn check_epoch(&mut self, record: &Record, out: &mut Findings) {
        let Some(epoch) = record.epoch else { return };
        let kind = record.event.kind();
        if epoch < self.epoch {
            let what = format!(
                "{kind} was written under epoch {}, but epoch {} has taken over",
                epoch.0, self.epoch.0
            );
            out.violation(RULE, record.seq, what);
        } else if epoch > self.epoch || !self.owned {
            let what = format!("{kind} was written under epoch {}, which nobody holds here", epoch.0);
            out.violation(RULE, record.seq, what);
            // Taken over as it is, so that one missing record is reported once.
            self.epoch = epoch;
            self.owned = true;
        }
    }

    fn release(&mut self, at: Seq, body: &OwnerReleased, out: &mut Findings) {
        if body.epoch != self.epoch {
            let what = format!("epoch {} was released, but the latest is {}", body.epoch.0, self.epoch.0);
            out.violation(RULE, at, what);
        }
        for attempt in &self.attempts {
            out.violation(RULE, at, format!("the owner released the session while {attempt} was running"));
        }
        for call in &self.calls {
            out.violation(RULE, at, format!("the owner released the session while {call} was running"));
        }
        self.owned = false;
    }

    fn follow_effects(&mut self, event: &Event) {
        match event {
            Event::AttemptStart(body) => {
                self.attempts.insert(body.attempt);
            }
            Event::AttemptEnd(body) => {
                self.attempts.remove(&body.attempt);
            }
            // One under a supervisor is found again by whoever comes next.
            Event::ToolStart(body) if !body.is_supervised() => {
                self.calls.insert(body.call);
            }
            Event::ToolReconciled(body) => {
                self.calls.remove(&body.call);
            }
            _ => {
                if let Some(call) = answered(event) {
                    self.calls.remove(&call);
                }
            }
        }
    }
}

fn check_writer(record: &Record, out: &mut Findings) {
    let kind = record.event.kind();
    let (by_owner, by_client) = (record.epoch.is_some(), record.by.is_some());
    let what = match record.event.writer() {
        _ if by_owner && by_client => {
            format!("{kind} names both an epoch and a client; a record has one writer")
        }
        EventWriter::Owner if !by_owner => {
            format!("{kind} is written by the owner only, but carries no epoch")
        }
        EventWriter::Client if !by_client => format!("{kind} is written by a client only, but names none"),
        EventWriter::Both if !by_owner && !by_client => format!("{kind} names neither an epoch nor a client"),
        EventWriter::Owner | EventWriter::Client | EventWriter::Both => return,
    };
    out.violation(RULE, record.seq, what);
}
