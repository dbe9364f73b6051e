//! A script as data: what may stand in one, and which step answers a request.

use onward_event::{ErrorClass, FinishReason};
use serde::Deserialize;
use serde_json::Value;

/// A script that was read and checked: [`Script::from_toml`], [`Script::from_json`], [`Script::load`].
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Script {
    #[serde(default)]
    pub(super) steps: Vec<Step>,
    pub(super) r#final: Option<String>,
}

/// What answers one request, or `repeat` of them.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Step {
    pub(super) text: Option<String>,
    pub(super) reasoning: Option<String>,
    #[serde(default)]
    pub(super) calls: Vec<ScriptedCall>,
    pub(super) finish: Option<FinishReason>,
    #[serde(default)]
    pub(super) hang: bool,
    #[serde(default)]
    pub(super) delay_ms: u64,
    #[serde(default)]
    pub(super) delta_ms: u64,
    pub(super) usage: Option<ScriptedUsage>,
    #[serde(default = "once")]
    pub(super) repeat: u32,
    #[serde(default)]
    pub(super) faults: Vec<Fault>,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ScriptedCall {
    pub(super) tool: String,
    /// The provider's id; made from step and place without it.
    pub(super) id: Option<String>,
    pub(super) input: Option<Value>,
    pub(super) raw_arguments: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ScriptedUsage {
    pub(super) input: u64,
    #[serde(default)]
    pub(super) cached: u64,
    pub(super) output: u64,
}

/// What goes wrong with one attempt.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Fault {
    /// Counted from 1.
    pub(super) attempt: u32,
    pub(super) error: Option<ErrorClass>,
    pub(super) finish: Option<FinishReason>,
    #[serde(default)]
    pub(super) hang: bool,
    pub(super) retry_after_ms: Option<u64>,
    #[serde(default)]
    pub(super) after_deltas: usize,
}

/// A step, and its number among all requests.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Numbered<'a> {
    pub(super) step: &'a Step,
    /// Counted from 1, with repetitions.
    pub(super) n: u64,
}

impl Script {
    /// The step that answers a request with this many messages of the model in it; `None` after the last one.
    pub(super) fn step(&self, answered: u64) -> Option<Numbered<'_>> {
        let mut first = 0;
        for step in &self.steps {
            first += u64::from(step.repeat);
            if answered < first {
                return Some(Numbered { step, n: answered + 1 });
            }
        }
        None
    }

    /// The answer to every request after the last step.
    pub(super) fn final_text(&self) -> &str {
        self.r#final.as_deref().unwrap_or("done")
    }
}

impl Step {
    /// What goes wrong with this attempt.
    pub(super) fn fault(&self, attempt: u32) -> Option<&Fault> {
        self.faults.iter().find(|fault| fault.attempt == attempt)
    }
}

fn once() -> u32 {
    1
}
