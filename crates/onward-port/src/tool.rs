//! Tools: check the input, say what would happen, do it, and find out afterwards whether it happened (seed, sections
//! 2 and 3).

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use onward_event::{
    Access, ArtifactId, JobEnd, Occupies, Part, Place, ResultMetadata, ResultStatus, Risk, Semantics,
    ToolDefinition, ToolStart,
};
use serde_json::Value;

use crate::{BoxFuture, Containment, Jobs};

/// An input that fits the tool's schema.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckedInput {
    /// In canonical form: what is recorded, judged, shown and run.
    pub input: Value,
    /// What the call touches; decides which calls may run in parallel.
    pub accesses: Vec<Access>,
    /// What the call takes up while it runs.
    pub occupies: Occupies,
}

/// What a call would do, found out without doing it.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolPlan {
    /// How dangerous it is.
    pub risk: Risk,
    /// What it can do to the world, and how that is recovered.
    pub semantics: Semantics,
    /// What it would touch, resolved, for people and for approvals.
    pub resources: Vec<String>,
    /// What a person is shown before they agree: the exact command and folder, or the change as a diff.
    pub preview: String,
    /// What it would do, for rules.
    pub effects: PlannedEffects,
}

/// What a call would do, in the terms of rules; paths are absolute and resolved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlannedEffects {
    /// Files and folders that it reads.
    pub reads: Vec<String>,
    /// Files and folders that it changes.
    pub writes: Vec<String>,
    /// The command that it runs.
    pub command: Option<PlannedCommand>,
}

/// A command as the model wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedCommand {
    /// The text, as a shell would read it.
    pub script: String,
    /// Where it would run; absolute and resolved.
    pub dir: String,
    /// Where programs are looked for, in this order: the `PATH` that it would have.
    pub path: Vec<String>,
}

/// A fault that the model is told, in words that it can act on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ToolFault {
    /// For programs: `not_found`, `not_unique`, `outside_workspace`, …
    pub code: String,
    /// For the model: what failed, and what would work.
    pub message: String,
}

impl ToolFault {
    /// A fault with a code and a sentence.
    pub fn new(code: impl Into<String>, message: impl Into<String>) -> Self {
        Self { code: code.into(), message: message.into() }
    }
}

/// A whole output to store beside the answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewArtifact {
    /// The id that the answer names; from [`ToolIo::artifact`].
    pub id: ArtifactId,
    /// For example `text/plain`.
    pub media_type: String,
    /// What it is.
    pub summary: String,
    /// The content.
    pub bytes: Bytes,
}

/// The answer of a call that ran.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolReport {
    /// How it ended.
    pub status: ResultStatus,
    /// What the model sees.
    pub content: Vec<Part>,
    /// What the runtime sees.
    pub metadata: ResultMetadata,
    /// Whole outputs.
    pub artifacts: Vec<NewArtifact>,
}

impl ToolReport {
    /// A text that says the call did what was asked.
    pub fn ok(text: impl Into<String>) -> Self {
        Self::with_status(ResultStatus::Ok, text)
    }

    /// A fault: code and sentence are also what the model sees.
    pub fn fault(fault: ToolFault) -> Self {
        let text = format!("{}: {}", fault.code, fault.message);
        Self::with_status(ResultStatus::Error { code: fault.code, message: fault.message }, text)
    }

    fn with_status(status: ResultStatus, text: impl Into<String>) -> Self {
        let text = text.into();
        let metadata = ResultMetadata { bytes: text.len() as u64, ..ResultMetadata::default() };
        Self { status, content: vec![Part::Text(text)], metadata, artifacts: Vec::new() }
    }
}

/// How a started call came to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToolOutcome {
    /// With an answer.
    Finished(ToolReport),
    /// It was told to stop, and is known to have stopped as a whole.
    Cancelled {
        /// What the model sees: what is known about partial effects.
        content: String,
    },
    /// It was told to stop or was lost, and nobody knows whether it goes on.
    Unknown {
        /// What the model sees: why, and what is known.
        content: String,
    },
    /// It runs under its supervisor and was begun for the background: it goes on as a job.
    InBackground {
        /// The command, shortened: for lists.
        command: String,
    },
}

/// Where a call would run under a supervisor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Supervision {
    /// The machine, and this run of it.
    pub place: Place,
    /// Whether the call is to be answered as soon as its command runs.
    pub background: bool,
    /// How its command would be contained.
    pub containment: Containment,
}

/// What a tool found out about a call that an earlier process had started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reconciliation {
    /// It had its effect.
    Applied {
        /// By what it was found, for people and the log.
        evidence: String,
        /// Its answer.
        report: ToolReport,
    },
    /// It had none.
    NotApplied {
        /// By what it was found, for people and the log.
        evidence: String,
    },
    /// Nobody can know.
    Unknown {
        /// Why, and what is known.
        evidence: String,
    },
}

/// What a tool learned about a call that runs, or ran, under a supervisor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Attached {
    /// It came to its end; this is its true answer.
    Finished(ToolReport),
    /// It was told to stop, and is known to have stopped as a whole.
    Cancelled {
        /// What the model sees: what is known about partial effects.
        content: String,
    },
    /// It never began, and never will.
    NotBegun {
        /// By what that is certain.
        evidence: String,
    },
    /// Nobody can know.
    Unknown {
        /// Why, and what is known.
        evidence: String,
    },
}

/// What a tool learned about a call that goes on in the background from here on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Detached {
    /// It runs as a job, or has ended as one.
    Begun {
        /// The command, shortened: for lists.
        command: String,
    },
    /// It never began, and never will.
    NotBegun {
        /// By what that is certain.
        evidence: String,
    },
    /// Nobody can know.
    Unknown {
        /// Why, and what is known.
        evidence: String,
    },
}

/// What a tool learned about a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Followed {
    /// It came to its end.
    Ended {
        /// How.
        how: JobEnd,
        /// That in a line.
        summary: String,
        /// Its result; the whole output is an artifact, if there is any.
        report: ToolReport,
    },
    /// Nobody can know.
    Unknown {
        /// Why, and what is known.
        evidence: String,
    },
}

/// Tells a running call to stop.
pub trait Cancel: Send + Sync {
    /// Whether it should stop.
    fn is_cancelled(&self) -> bool;
    /// Returns when it should stop.
    fn cancelled(&self) -> BoxFuture<'_, ()>;
}

/// Reads stored results of the same session.
pub trait ArtifactReader: Send + Sync {
    /// The content of an artifact.
    fn read(&self, id: ArtifactId) -> BoxFuture<'_, Result<Bytes, ToolFault>>;
}

/// What the runtime lends to a running call.
#[derive(Clone)]
pub struct ToolIo {
    /// Tells it to stop.
    pub cancel: Arc<dyn Cancel>,
    /// The id to use if it stores its whole output.
    pub artifact: ArtifactId,
    /// Reads what earlier calls stored.
    pub artifacts: Arc<dyn ArtifactReader>,
    /// The session's jobs.
    pub jobs: Arc<dyn Jobs>,
}

/// One tool, bound to one session's workspace.
///
/// The order is always `check`, `plan`, `run`; `reconcile` only after a crash. `plan` changes nothing in the world.
pub trait Tool: Send + Sync {
    /// What the model is told.
    fn definition(&self) -> &ToolDefinition;

    /// Checks the model's input and brings it into canonical form.
    ///
    /// # Errors
    /// What is wrong with it, one sentence each, in words that help the model to do it right.
    fn check(&self, input: &Value) -> Result<CheckedInput, Vec<String>>;

    /// Finds out what the call would do.
    ///
    /// # Errors
    /// A fault that is already clear; the call is answered with it and never starts.
    fn plan<'a>(&'a self, input: &'a Value) -> BoxFuture<'a, Result<ToolPlan, ToolFault>>;

    /// Does it. `start` is on disk. Dropping the future leaves the outcome open; to stop it, use [`ToolIo::cancel`].
    fn run<'a>(
        &'a self,
        input: &'a Value,
        start: &'a ToolStart,
        io: &'a ToolIo,
    ) -> BoxFuture<'a, ToolOutcome>;

    /// Where this call would run under a supervisor, if it would: then it outlives the runtime, and a later process
    /// attaches to it.
    fn supervision(&self, input: &Value) -> Option<Supervision> {
        let _ = input;
        None
    }

    /// Attaches to a call that an earlier process started under a supervisor ([`onward_event::Handle::Supervised`]):
    /// waits for its end, or makes sure that it never begins.
    fn attach<'a>(
        &'a self,
        input: &'a Value,
        start: &'a ToolStart,
        io: &'a ToolIo,
    ) -> BoxFuture<'a, Attached> {
        let _ = (input, start, io);
        let evidence = "this tool has no supervisor any more".into();
        Box::pin(std::future::ready(Attached::Unknown { evidence }))
    }

    /// As [`Tool::attach`], and does not wait for the end: finds out whether the command of a call, which goes on in the
    /// background from here on, has begun.
    fn detach<'a>(&'a self, input: &'a Value, start: &'a ToolStart) -> BoxFuture<'a, Detached> {
        let _ = (input, start);
        let evidence = "this tool has no supervisor any more".into();
        Box::pin(std::future::ready(Detached::Unknown { evidence }))
    }

    /// Waits for the end of a command that goes on as a job; it is known to have begun.
    fn follow<'a>(
        &'a self,
        input: &'a Value,
        start: &'a ToolStart,
        io: &'a ToolIo,
    ) -> BoxFuture<'a, Followed> {
        let _ = (input, start, io);
        let evidence = "this tool has no supervisor any more".into();
        Box::pin(std::future::ready(Followed::Unknown { evidence }))
    }

    /// Finds out whether a call that an earlier process started had its effect. Called only when the semantics in
    /// `start` say [`onward_event::Recovery::Reconcile`].
    fn reconcile<'a>(&'a self, input: &'a Value, start: &'a ToolStart) -> BoxFuture<'a, Reconciliation> {
        let _ = (input, start);
        let evidence = "this tool has no way to find out".into();
        Box::pin(std::future::ready(Reconciliation::Unknown { evidence }))
    }
}

/// The tools of one session, by name. Copies share them.
#[derive(Clone, Default)]
pub struct ToolSet {
    by_name: Arc<BTreeMap<String, Arc<dyn Tool>>>,
    order: Arc<[String]>,
}

impl ToolSet {
    /// A set in this order; a later tool of the same name replaces an earlier one.
    pub fn new(tools: impl IntoIterator<Item = Arc<dyn Tool>>) -> Self {
        let (mut by_name, mut order) = (BTreeMap::new(), Vec::new());
        for tool in tools {
            let name = tool.definition().name.clone();
            if by_name.insert(name.clone(), tool).is_none() {
                order.push(name);
            }
        }
        Self { by_name: Arc::new(by_name), order: order.into() }
    }

    /// The tool of this name.
    pub fn get(&self, name: &str) -> Option<&Arc<dyn Tool>> {
        self.by_name.get(name)
    }

    /// All tools, in their order.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<dyn Tool>> {
        self.order.iter().filter_map(|name| self.by_name.get(name))
    }

    /// All names, in their order.
    pub fn names(&self) -> Vec<String> {
        self.order.to_vec()
    }

    /// Only the tools of these names, in the order of the names.
    #[must_use]
    pub fn only(&self, names: &[String]) -> Self {
        Self::new(names.iter().filter_map(|name| self.by_name.get(name)).cloned())
    }
}
