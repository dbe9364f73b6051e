//! The last line of a stream.

use onward_event::SessionId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Stop, Terminal, Usage};

/// The last line (`type: "result"`): how the work that was asked for stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Outcome {
    /// The session.
    pub session: SessionId,
    /// How the last turn ended; absent while it is open (it waits, and a `waiting` line says for what).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub terminal: Option<Terminal>,
    /// Why it stopped; absent while it is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop: Option<Stop>,
    /// The exit code of the process.
    pub exit_code: u8,
    /// The model's last accepted words in this run; empty when there are none.
    pub answer: String,
    /// What the run's requests used together.
    pub usage: Usage,
    /// The run's steps.
    pub steps: u32,
    /// Where it stopped and what to do next, for people; empty when nothing is left to do.
    pub next: String,
    /// The exact command that goes on in this session.
    pub resume: String,
}

/// The last line when there is no result (`type: "error"`): the command itself failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Failure {
    /// The session, when one had been opened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionId>,
    /// The kind of error: `usage`, `config`, `store`, …; more may be added.
    pub kind: String,
    /// What failed, and what was kept.
    pub message: String,
    /// What to do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The exit code of the process.
    pub exit_code: u8,
}
