//! One session: the processes that work on it or speak to it, what they were told, and what it waits for.

use std::collections::BTreeSet;

use onward_wire::{WaitKind, WireEvent};

use super::child::{Ended, Process};
use super::log::Told;

/// What a process is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// It makes the session; with these words.
    Begin(String),
    /// It works on the session.
    Resume,
    /// It says these words, and works on the session if nobody does.
    Say(String),
    /// It says what became of a call.
    Settle(String),
}

/// A session and its processes.
#[derive(Default)]
pub(super) struct Session {
    /// Known once it was made.
    pub(super) id: Option<String>,
    pub(super) running: Vec<(Purpose, Process)>,
    /// Words that are on disk, as somebody was told.
    pub(super) acknowledged: BTreeSet<String>,
    /// Calls and jobs of which nobody knows what became of them.
    pub(super) unknown: BTreeSet<String>,
    /// How the last process that worked on it ended; `None` when it was killed, or none has.
    pub(super) last_code: Option<i32>,
    /// What that process said on standard error.
    pub(super) last_words: String,
    /// Messages so far, for their names.
    said: u64,
}

impl Session {
    /// Words that nobody has said before.
    pub(super) fn next_words(&mut self, number: usize) -> String {
        self.said += 1;
        format!("input {number}-{} please", self.said)
    }

    /// Takes the news of its processes. True when one of them has ended.
    pub(super) fn look(&mut self) -> anyhow::Result<bool> {
        self.learn_id();
        let mut ended = Vec::new();
        for (at, (_, process)) in self.running.iter_mut().enumerate() {
            ended.extend(process.ended()?.map(|end| (at, end)));
        }
        let any = !ended.is_empty();
        // From the last one, so that the places of the others stay.
        for (at, end) in ended.into_iter().rev() {
            let (purpose, _process) = self.running.swap_remove(at);
            self.take(purpose, &end);
        }
        Ok(any)
    }

    /// Whether a process runs that works on it, or may.
    pub(super) fn is_worked_on(&self) -> bool {
        !self.running.is_empty()
    }

    /// A session that is being made may be killed only when it is known that it is there.
    fn learn_id(&mut self) {
        if self.id.is_some() {
            return;
        }
        for (purpose, process) in &self.running {
            if matches!(purpose, Purpose::Begin(_)) {
                self.id = events(&process.stdout()).find_map(|event| match event {
                    WireEvent::Session(session) => Some(session.session.to_string()),
                    _ => None,
                });
            }
        }
    }

    fn take(&mut self, purpose: Purpose, end: &Ended) {
        if let Purpose::Begin(words) | Purpose::Say(words) = &purpose {
            let told =
                Told::from_lines(&end.stdout).has(words) || end.stderr.contains(" is recorded in ses_");
            if told {
                self.acknowledged.insert(words.clone());
            }
        }
        if let Purpose::Settle(of) = &purpose
            && end.status.success()
        {
            self.unknown.remove(of);
        }
        self.unknown.extend(unknown(&end.stdout));
        self.last_code = end.status.code();
        self.last_words.clone_from(&end.stderr);
    }
}

/// What somebody must settle, as the stream says.
fn unknown(stdout: &str) -> Vec<String> {
    let waits = events(stdout).filter_map(|event| match event {
        WireEvent::Waiting(waiting) => Some(waiting.on),
        _ => None,
    });
    let open = waits.flatten().filter(|wait| wait.kind == WaitKind::Reconciliation);
    open.filter_map(|wait| wait.id).collect()
}

fn events(text: &str) -> impl Iterator<Item = WireEvent> {
    text.lines().filter_map(|line| serde_json::from_str(line).ok())
}
