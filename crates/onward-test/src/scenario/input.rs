//! What a person sends, when, and what they answer.

use onward_event::{Mode, Target};
use serde::Deserialize;

/// Something that a person sends.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    say: Option<String>,
    #[serde(default)]
    interrupt: bool,
    mode: Option<Mode>,
    #[serde(default, rename = "as")]
    manner: Manner,
    /// At the start, when absent.
    pub(crate) after: Option<After>,
}

/// How a message is meant.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Manner {
    #[default]
    Work,
    Steer,
    Inject,
    FollowUp,
}

/// Once the owner has recorded this kind of event so often; `piece` stands for a piece of a model's reply, `release` for
/// the moment right before the session is given back.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct After {
    pub(crate) event: String,
    #[serde(default = "once")]
    pub(crate) times: usize,
}

/// An input, as the client is to send it.
pub(crate) enum What<'a> {
    Message { text: &'a str, target: Target, wakeup: bool },
    Interrupt,
    Mode(Mode),
}

/// A person's answer to a question.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// Once.
    Approve,
    /// For the rest of the session.
    Session,
    /// No, with these words.
    Reject(String),
}

impl Input {
    pub(crate) fn is_message(&self) -> bool {
        matches!(self.what(), What::Message { .. })
    }

    pub(crate) fn what(&self) -> What<'_> {
        match (&self.say, self.mode) {
            (None, Some(mode)) => What::Mode(mode),
            (Some(text), _) if !self.interrupt => {
                let (target, wakeup) = match self.manner {
                    Manner::Work | Manner::FollowUp => (Target::NextTurn, true),
                    Manner::Steer => (Target::NextStep, true),
                    Manner::Inject => (Target::NextStep, false),
                };
                What::Message { text, target, wakeup }
            }
            _ => What::Interrupt,
        }
    }
}

fn once() -> usize {
    1
}
