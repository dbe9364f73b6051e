//! A small language for logs: each word is one append that a session really makes.
//!
//! Turns, steps and attempts are numbered as they come; messages, calls and approvals are named by the test.

mod calls;
mod clients;
mod jobs;
mod requests;
mod turns;

pub(crate) use jobs::job_phase;

use onward_event::*;

use crate::values::created;

#[derive(Clone, Default)]
pub(crate) struct Log {
    pub(crate) records: Vec<Record>,
    appends: u64,
    epoch: u64,
    config: u64,
    /// Whether decisions name files, rules and a containment.
    bound: bool,
    runs: u128,
    turns: u128,
    steps: u128,
    attempts: u128,
    /// Of the open run.
    index: u32,
    run: u128,
    /// Of the open step.
    claims: Vec<MessageId>,
    revision: u32,
    number: u32,
    request: Option<Digest>,
    /// Of the open turn.
    usage: Option<Usage>,
}

pub(crate) fn log() -> Log {
    Log::default().client(created().into())
}

impl Log {
    pub(crate) fn owner(self, events: Vec<Event>) -> Self {
        let epoch = Some(Epoch(self.epoch));
        self.append(events, epoch, None)
    }

    pub(crate) fn client(mut self, event: Event) -> Self {
        if matches!(event, Event::SessionCreated(_) | Event::SessionConfigured(_)) {
            self.config += 1;
        }
        let by = By { principal: "ada".into(), channel: "cli".into() };
        self.append(vec![event], None, Some(by))
    }

    fn append(mut self, events: Vec<Event>, epoch: Option<Epoch>, by: Option<By>) -> Self {
        self.appends += 1;
        for event in events {
            let seq = Seq(self.records.len() as u64 + 1);
            let at = Timestamp(self.appends * 1_000);
            let append = AppendId(format!("append {}", self.appends));
            self.records.push(Record { seq, at, epoch, by: by.clone(), append, event });
        }
        self
    }

    /// The position of the last record.
    pub(crate) fn last(&self) -> Seq {
        Seq(self.records.len() as u64)
    }
}
