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

    /// Takes the news of its processes.
    pub(super) fn look(&mut self) -> anyhow::Result<()> {
        self.learn_id();
        let mut ended = Vec::new();
        for (at, (_, process)) in self.running.iter_mut().enumerate() {
            ended.extend(process.ended()?.map(|end| (at, end)));
        }
        // From the last one, so that the places of the others stay.
        for (at, end) in ended.into_iter().rev() {
            let (purpose, _process) = self.running.swap_remove(at);
            self.take(purpose, &end);
        }
        Ok(())
    }

    /// Whether a process runs that works on it, or may.
    pub(super) fn is_worked_on(&self) -> bool {
        !self.running.is_empty()
    }

    /// Whether somebody tried to make it, and it is not known that it is there.
    pub(super) fn is_missing(&self) -> bool {
        self.id.is_none() && self.said > 0
    }

    /// A session that is being made may be killed only when it is known that it is there.
    fn learn_id(&mut self) {
        let Self { id: None, running, .. } = self else { return };
        let begun = running.iter().find(|(purpose, _)| matches!(purpose, Purpose::Begin(_)));
        self.id = begun.and_then(|(_, process)| id_in(&process.stdout()));
    }

    fn take(&mut self, purpose: Purpose, end: &Ended) {
        if matches!(purpose, Purpose::Begin(_)) && self.id.is_none() {
            self.id = id_in(&end.stdout);
        }
        if let Purpose::Begin(words) | Purpose::Say(words) = &purpose {
            let told =
                Told::from_lines(&end.stdout).has(words) || end.stderr.contains(" is recorded in ses_");
            if told {
                self.acknowledged.insert(words.clone());
            }
        }
        // A process that began before it was settled may have said once more that it is open.
        if let Purpose::Settle(of) = &purpose
            && (end.status.success() || end.stderr.contains(" is not open"))
        {
            self.unknown.remove(of);
        }
        self.unknown.extend(unknown(&end.stdout));
        self.last_code = end.status.code();
        self.last_words.clone_from(&end.stderr);
    }
}

/// The session that a stream is about.
fn id_in(stdout: &str) -> Option<String> {
    events(stdout).find_map(|event| match event {
        WireEvent::Session(session) => Some(session.session.to_string()),
        _ => None,
    })
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
