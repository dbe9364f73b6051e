//! Turns: one continuous execution of a claimed piece of work (seed, section 4), and how it goes on after a crash.

use crate::prelude::*;
use crate::{CallId, MessageId, RunId, Seq, TraceId, TurnId, Usage};

/// What a turn was claimed for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TurnSource {
    /// These inbox messages.
    Messages(Vec<MessageId>),
    /// The `recovery/continuation` at this position.
    Continuation(Seq),
}

/// `turn/start`: work is claimed; one append with the claim.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TurnStart {
    /// The turn.
    pub turn: TurnId,
    /// The piece of work; the same over recoveries.
    pub run: RunId,
    /// For tracing tools; the same over recoveries.
    pub trace: TraceId,
    /// What was claimed.
    pub source: TurnSource,
}

/// How a turn ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TurnTerminal {
    /// With an accepted answer.
    Completed,
    /// By a fault or a limit.
    Failed,
    /// Something outside must happen first.
    Blocked,
    /// By an interrupt.
    Cancelled,
    /// By the end of its process; a continuation carries the run on.
    Interrupted,
}

/// Why a turn stopped (seed `lifecycle`, ninth step).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// The model answered, and the answer was accepted.
    Final,
    /// The run used up its steps.
    MaxSteps,
    /// The run used up its tokens, seconds or money.
    BudgetExhausted,
    /// Too many calls in a row failed.
    RepeatedError,
    /// Call after call was refused: by a rule, by the mode or by the person.
    PermissionDenied,
    /// The same call failed again and again.
    RepeatedToolCall,
    /// A person interrupted.
    UserCancelled,
    /// The process ended in the middle; the run goes on by itself.
    PausedForResume,
    /// An action may or may not have happened; somebody must find out.
    OutcomeUnknown,
    /// The request does not fit the model's window.
    ContextCannotFit,
    /// The provider could not be used.
    ModelUnavailable,
    /// The model's output was not acceptable: cut off, refused, filtered or malformed.
    ModelOutputRejected,
    /// A fault of the runtime itself.
    RuntimeError,
}

/// `turn/end`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TurnEnd {
    /// The turn.
    pub turn: TurnId,
    /// How.
    pub terminal: TurnTerminal,
    /// Why.
    pub stop: StopReason,
    /// Where it stopped, why, and what to do next, for people.
    pub next: String,
    /// The sum over the turn's attempts.
    pub usage: Usage,
}

/// `recovery/continuation`: the run goes on in a new turn; same append as the ends of the orphaned step and turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RecoveryContinuation {
    /// The run that goes on.
    pub run: RunId,
    /// The turn that was interrupted.
    pub turn: TurnId,
    /// Calls whose outcome must be settled first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blocked_on: Vec<CallId>,
    /// Messages of the interrupted turn that no request has contained yet.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reclaims: Vec<MessageId>,
}
