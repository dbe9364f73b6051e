//! Everything that the runtime is given by the binary that puts it together.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use onward_event::{Timestamp, Workspace};
use onward_port::{Blobs, Clock, Documents, Encoder, Executor, Ids, Log, Model, Policy, Redactor, ToolSet};

/// Makes the tools of a session, bound to its workspace.
pub type ToolFactory = Arc<dyn Fn(&Workspace) -> Result<ToolSet, String> + Send + Sync>;

/// Finds an encoder by the name that a request's record holds; `None` for one that this version does not have.
pub type EncoderByName = fn(&str) -> Option<&'static dyn Encoder>;

/// The outside world, as ports.
#[derive(Clone)]
pub struct Ports {
    /// The log of all sessions.
    pub log: Arc<dyn Log>,
    /// The content store.
    pub blobs: Arc<dyn Blobs>,
    /// Models, by the name of their provider.
    pub models: BTreeMap<String, Arc<dyn Model>>,
    /// Every encoder that a recorded request may have been made with, by its name.
    pub encoder: EncoderByName,
    /// Makes tools.
    pub tools: ToolFactory,
    /// The rules.
    pub policy: Arc<dyn Policy>,
    /// The project's instructions.
    pub documents: Arc<dyn Documents>,
    /// The product's own instructions to the model.
    pub instructions: Arc<str>,
    /// Runs commands that outlive this process; the owner forgets those whose results are on disk.
    pub executor: Option<Arc<dyn Executor>>,
    /// Knows the secrets that no record may hold. `log` and `executor` are behind it too ([`crate::RedactedLog`],
    /// [`crate::RedactedExecutor`]).
    pub redactor: Redactor,
    /// The wall clock.
    pub clock: Arc<dyn Clock>,
    /// The source of ids.
    pub ids: Arc<dyn Ids>,
}

/// The system's clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Timestamp(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
    }
}
