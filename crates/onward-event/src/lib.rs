//! The vocabulary of the log: typed ids, events, messages, and their serialised form.
//!
//! A session is an append-only log of [`Record`]s, each holding one [`Event`]. Everything else that `onward`
//! knows about a session is derived from that log, so these types are the one format that is read for ever:
//! meaning grows by new variants and new optional fields, never by changing what an old record says.
//!
//! The crate does no I/O and knows no clock. It is `no_std`, so that the compiler forbids both.
#![no_std]

extern crate alloc;

mod artifact;
mod attempt;
mod content;
mod digest;
mod event;
mod head;
mod id;
mod inbox;
mod job;
mod message;
mod policy;
mod prelude;
mod record;
mod sandbox;
mod session;
mod spec;
mod step;
mod time;
mod tool;
mod turn;
mod usage;

pub use artifact::{ArtifactStored, DocumentLoaded};
pub use attempt::{
    AcceptedPart, AssistantAccepted, AttemptEnd, AttemptOutcome, AttemptStart, ContextDigest, ContextItem,
    DroppedItem, ErrorClass, FinishReason, Manifest, Projection, RejectReason, RequestPrepared, Trust,
};
pub use content::{Part, text_of};
pub use digest::{BadDigest, Digest};
pub use event::{Event, EventWriter, UnknownEvent};
pub use head::{RequestHead, Section, ToolDefinition};
pub use id::{
    ApprovalId, ArtifactId, AttemptId, BadId, CallId, JobId, MessageId, RunId, SessionId, StepId, TraceId,
    TurnId,
};
pub use inbox::{InboxCancelReason, InboxCancelled, InboxMessage, InboxReceived, Origin, Target};
pub use job::{BackgroundRequested, JobCancelRequested, JobEnd, JobPhase, JobReason, JobStarted, JobState};
pub use message::{AnswerStatus, AssistantCall, Message};
pub use policy::{
    ApprovalRequested, ApprovalResolved, ApprovalScope, ApprovalVerdict, Basis, PolicyDecided, Risk, Subject,
    Verdict,
};
pub use record::{AppendId, BadRecord, By, Epoch, Record, Seq};
pub use sandbox::{FileAccess, FileState, NetworkAccess, Rendered, Sandbox, Tier};
pub use session::{
    InterruptRequested, NoticeAdded, NoticeReason, OwnerAcquired, OwnerReleased, SessionConfigured,
    SessionCreated, SettingChange,
};
pub use spec::{AgentSpec, JobsAtEnd, Limits, Mode, ModelConfig, Price, ScheduleLimits, Workspace};
pub use step::{StepEnd, StepStart, StepTerminal};
pub use time::Timestamp;
pub use tool::{
    Access, AccessKind, DeniedBy, Handle, InvalidCall, Occupies, OnUnknown, Place, ReconcileVerdict,
    ReconciliationResolved, Recovery, ResolvedVerdict, ResultMetadata, ResultStatus, Retry, Semantics,
    ToolCall, ToolCancelled, ToolDenied, ToolOutcomeUnknown, ToolReconciled, ToolResult, ToolStart,
};
pub use turn::{RecoveryContinuation, StopReason, TurnEnd, TurnSource, TurnStart, TurnTerminal};
pub use usage::{Usage, UsageSource};
