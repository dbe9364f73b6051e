//! What the runtime tells a supervisor, and what the supervisor leaves behind: both as JSON.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;

use onward_event::Tier;
use onward_port::{ExecutionEnd, ExecutionSpec};
use serde::{Deserialize, Serialize};

use crate::folder::Folder;
use crate::launch::order::Jail;
use crate::setup::SandboxSetup;

/// What a process that was started to supervise is told first.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Role {
    /// It is the supervisor of one command, which is contained like this.
    Supervisor(Prepare),
    /// It makes copies of itself that become supervisors.
    ForkServer,
}

/// How the command will be contained. A supervisor may hear it long before there is a command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Prepare {
    /// How its command will be contained; absent when containment was waived.
    pub(crate) jail: Option<Jail>,
}

impl Prepare {
    /// For commands with this specification.
    pub(crate) fn new(spec: &ExecutionSpec, setup: &SandboxSetup) -> Self {
        let contained = spec.sandbox.tier != Tier::None;
        Self { jail: contained.then(|| Jail::new(&spec.sandbox, &spec.workspace, setup)) }
    }
}

/// What it is told then: to begin.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Run {
    /// The path of the execution's folder, which need not be text.
    folder: Vec<u8>,
    pub(crate) order: Order,
}

impl Run {
    /// Run this in that folder.
    pub(crate) fn new(folder: &Folder, spec: ExecutionSpec) -> Self {
        Self { folder: folder.path().as_os_str().as_bytes().to_owned(), order: spec.into() }
    }

    /// The execution's folder.
    pub(crate) fn folder(&self) -> Folder {
        Folder::at(OsStr::from_bytes(&self.folder))
    }
}

/// The command, as it travels through the supervisor's standard input: it may hold secrets, and is in no file.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Order {
    pub(crate) argv: Vec<String>,
    pub(crate) environment: Vec<(String, String)>,
    pub(crate) dir: String,
    pub(crate) timeout_millis: u64,
    pub(crate) grace_millis: u64,
    pub(crate) kept_bytes: u64,
    pub(crate) tail_bytes: u64,
}

impl From<ExecutionSpec> for Order {
    fn from(spec: ExecutionSpec) -> Self {
        let millis = |duration: std::time::Duration| u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
        Self {
            timeout_millis: millis(spec.timeout),
            grace_millis: millis(spec.grace),
            argv: spec.argv,
            environment: spec.environment,
            dir: spec.dir,
            kept_bytes: spec.kept_bytes,
            tail_bytes: spec.tail_bytes,
        }
    }
}

/// How an execution ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Verdict {
    pub(crate) how: How,
    pub(crate) millis: u64,
    pub(crate) total: u64,
    pub(crate) left_behind: bool,
    /// What was put back after the command, a line for each.
    #[serde(default)]
    pub(crate) restored: Vec<String>,
}

/// The end in the supervisor's own words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum How {
    Exited(i32),
    Signalled(i32),
    TimedOut,
    Stopped,
    /// The command could not be started: nothing was run.
    NotStarted(String),
    /// Some process of the tree could not be ended.
    Unending(String),
}

impl How {
    /// The end as the port knows it; `Err` with the words for what is no end.
    pub(crate) fn end(&self) -> Result<ExecutionEnd, &str> {
        match self {
            Self::Exited(code) => Ok(ExecutionEnd::Exited(*code)),
            Self::Signalled(signal) => Ok(ExecutionEnd::Signalled(*signal)),
            Self::TimedOut => Ok(ExecutionEnd::TimedOut),
            Self::Stopped => Ok(ExecutionEnd::Stopped),
            Self::NotStarted(why) | Self::Unending(why) => Err(why),
        }
    }
}
