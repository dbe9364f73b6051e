//! Traits and plain data for everything outside the core: the log, the model, the tools, the policy, time.
//!
//! Adapters implement these traits and never see one another; the runtime uses them and never sees an adapter; only
//! the binary puts both together. Nothing here does I/O.

mod blobs;
mod definition;
mod digest;
mod documents;
mod executor;
mod forward;
mod jobs;
mod log;
mod model;
mod policy;
mod redact;
mod snapshot;
mod time;
mod tool;

use std::future::Future;
use std::pin::Pin;

pub use blobs::{Blob, Blobs};
pub use definition::definition_digest;
pub use digest::{DigestChain, chain, digest};
pub use documents::{Document, Documents, FoundDocuments};
pub use executor::{
    Begun, Containment, Execution, ExecutionEnd, ExecutionResult, ExecutionSpec, Executor, Output,
};
pub use forward::{ForwardLog, ForwardTool};
pub use jobs::{JobView, Jobs};
pub use log::{
    Append, Appended, Create, Expect, Head, Log, LogError, OwnerState, Release, Released, SessionSummary,
    SideChunk, StoredRecord,
};
pub use model::{
    Capabilities, Encoder, Model, ModelDelta, ModelFailure, ModelReply, ModelRequest, RawCall, Secret,
    estimate_tokens,
};
pub use policy::{Policy, PolicyDecision, PolicyRequest, Reach};
pub use redact::{NamedSecret, RedactedStream, Redactor, SHORTEST_SECRET, TELLTALE};
pub use snapshot::{KeptPieces, PutSnapshot, Snapshot};
pub use time::{Clock, Ids};
pub use tool::{
    ArtifactReader, Attached, Cancel, CheckedInput, Detached, Followed, NewArtifact, PlannedCommand,
    PlannedEffects, Reconciliation, Supervision, Tool, ToolFault, ToolIo, ToolOutcome, ToolPlan, ToolReport,
    ToolSet,
};

/// What an asynchronous method of a port returns: boxed, so that ports can be used as trait objects.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;
