//! What a session's log tells, read from the lines of `onward log --json`.

use std::collections::{BTreeMap, BTreeSet};

use onward_wire::{ResultStatus, WireEvent};

/// The log of one session, as far as it is counted.
#[derive(Clone, Debug, Default)]
pub(super) struct Told {
    /// The messages: their id, their words, and whether they start work by themselves.
    messages: Vec<(String, String, bool)>,
    /// Messages that a step was given.
    taken: BTreeSet<String>,
    cancelled: BTreeSet<String>,
    commands: BTreeMap<String, String>,
    /// Calls that ended as they should.
    done: BTreeSet<String>,
}

impl Told {
    /// From the lines of a stream. A line that is cut off is the last of a process that was killed: it tells nothing.
    pub(super) fn from_lines(text: &str) -> Self {
        let mut told = Self::default();
        for line in text.lines() {
            if let Ok(event) = serde_json::from_str(line) {
                told.take(event);
            }
        }
        told
    }

    fn take(&mut self, event: WireEvent) {
        match event {
            WireEvent::Message(message) => {
                self.messages.push((message.message.to_string(), message.text, message.wakeup));
            }
            WireEvent::MessageCancelled(cancelled) => {
                self.cancelled.insert(cancelled.message.to_string());
            }
            WireEvent::TurnStarted(turn) => self.taken.extend(turn.messages.iter().map(ToString::to_string)),
            WireEvent::StepStarted(step) => self.taken.extend(step.messages.iter().map(ToString::to_string)),
            WireEvent::ToolCall(call) => {
                let command = call.input.get("command").and_then(|command| command.as_str());
                self.commands.insert(call.call.to_string(), command.unwrap_or_default().to_owned());
            }
            // A call that became a job is answered before its command has had its effect.
            WireEvent::ToolResult(result)
                if result.status == ResultStatus::Ok && result.text.contains("left s") =>
            {
                self.done.insert(result.call.to_string());
            }
            _ => {}
        }
    }

    /// Whether a message with these words is in it.
    pub(super) fn has(&self, words: &str) -> bool {
        self.messages.iter().any(|(_, text, _)| text == words)
    }

    /// What is wrong with the message of these words; `None` when it is there once and was handed over.
    pub(super) fn fault(&self, words: &str) -> Option<&'static str> {
        let mut found = self.messages.iter().filter(|(_, text, _)| text == words);
        match (found.next(), found.next()) {
            (None, _) => Some("is not in the log"),
            (Some(_), Some(_)) => Some("is in the log twice"),
            (Some((id, ..)), None) if self.cancelled.contains(id) => Some("was cancelled"),
            (Some((id, _, true)), None) if !self.taken.contains(id) => Some("was never handed over"),
            (Some(_), None) => None,
        }
    }

    /// The commands that ended as they should.
    pub(super) fn done(&self) -> impl Iterator<Item = &str> {
        self.done.iter().filter_map(|call| self.commands.get(call)).map(String::as_str)
    }
}
