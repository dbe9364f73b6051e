//! The client protocol: the versioned stream behind `--json`.
//!
//! One JSON object per line, `type` first. The first line is a [`Session`], the last an [`Outcome`] (`type: "result"`)
//! or a [`Failure`] (`type: "error"`); between them lie durable events, each with the [`Cursor`] of the record it was
//! made from, and live ones (deltas) without. A client that was cut off asks for what follows its last cursor.
//!
//! The protocol has a version of its own, [`PROTOCOL`]. Within a version, types and fields are only added: a client
//! ignores a `type` and a field that it does not know. The types are converted by hand from the log's, so that neither
//! form constrains the other.

mod approval;
mod attempt;
mod convert;
mod cursor;
mod event;
mod job;
mod message;
mod outcome;
mod sandbox;
mod schema;
mod session;
pub mod terminal;
mod tool;
mod turn;
mod unanswered;
mod usage;
mod waiting;
mod words;

pub use approval::{ApprovalRequested, ApprovalResolved, PolicyDecided};
pub use attempt::{
    Assistant, AttemptAccepted, AttemptFailed, AttemptRejected, AttemptStarted, AttemptStopped, Delta,
};
pub use convert::from_record;
pub use cursor::{BadCursor, Cursor};
pub use event::WireEvent;
pub use job::{BackgroundRequested, JobCancelRequested, JobChanged, JobStarted};
pub use message::{InputMessage, MessageCancelled, Notice};
pub use outcome::{Failure, Outcome};
pub use sandbox::Sandbox;
pub use schema::wire_schema;
pub use session::{Configured, DocumentLoaded, InterruptRequested, Model, PROTOCOL, RecordUnknown, Session};
pub use tool::{ArtifactStored, CallError, Invalid, ToolCall, ToolResult, ToolStarted};
pub use turn::{Recovered, StepEnded, StepStarted, TurnEnded, TurnStarted};
pub use unanswered::{ToolCancelled, ToolDenied, ToolOutcomeUnknown, ToolReconciled, ToolSettled};
pub use usage::Usage;
pub use waiting::{Wait, Waiting};
pub use words::{
    ApprovalScope, ApprovalVerdict, CancelReason, DeniedBy, FailureClass, FileAccess, Finish, JobPhase,
    JobReason, JobsAtEnd, Mode, NetworkAccess, NoticeReason, Origin, Reconciled, Rejection, ResultStatus,
    Risk, Settled, StepTerminal, Stop, StopCause, Target, Terminal, Tier, Verdict, WaitKind,
};
