//! Finding out what became of a call whose process died: by looking, or by attaching to its supervisor (seed, section
//! 16).

use std::sync::Arc;

use onward_core::{Input, Reconciled};
use onward_event::{CallId, ReconcileVerdict, ToolStart};
use onward_port::{Attached, Detached, Reconciliation, Redactor, Tool, ToolIo};
use serde_json::Value;

use super::{Outcome, report_of};

/// One call to find out about.
pub(crate) struct Reconcile {
    pub(crate) call: CallId,
    pub(crate) tool: Option<Arc<dyn Tool>>,
    pub(crate) input: Value,
    pub(crate) start: ToolStart,
    pub(crate) redactor: Redactor,
}

impl Reconcile {
    pub(crate) async fn perform(self) -> Outcome {
        let unknown = |evidence: &str| Reconciliation {
            verdict: ReconcileVerdict::Unknown,
            evidence: evidence.into(),
            report: None,
        };
        let found = match &self.tool {
            Some(tool) => tool.reconcile(&self.input, &self.start).await,
            None => unknown("the tool is not available any more"),
        };
        let mut blobs = Vec::new();
        let reconciled = match (found.verdict, found.report) {
            (ReconcileVerdict::Applied, Some(report)) => {
                let (report, content) = report_of(&self.redactor, self.call, report);
                blobs = content;
                Reconciled::Applied { evidence: found.evidence, report }
            }
            (ReconcileVerdict::NotApplied, _) => Reconciled::NotApplied { evidence: found.evidence },
            (ReconcileVerdict::Applied, None) | (ReconcileVerdict::Unknown, _) => {
                Reconciled::Unknown { evidence: found.evidence }
            }
        };
        Outcome { blobs, ..Outcome::input(Input::Reconciled { call: self.call, reconciled }) }
    }
}

/// One call to attach to.
pub(crate) struct Attach {
    pub(crate) call: CallId,
    pub(crate) tool: Option<Arc<dyn Tool>>,
    pub(crate) input: Value,
    pub(crate) start: ToolStart,
    pub(crate) io: ToolIo,
    pub(crate) redactor: Redactor,
}

impl Attach {
    pub(crate) async fn perform(self) -> Outcome {
        let attached = match &self.tool {
            Some(tool) => tool.attach(&self.input, &self.start, &self.io).await,
            None => Attached::Unknown { evidence: "the tool is not available any more".into() },
        };
        let mut blobs = Vec::new();
        let evidence = || "it went on under its supervisor, and this is its end".to_owned();
        let reconciled = match attached {
            Attached::Finished(report) => {
                let (report, content) = report_of(&self.redactor, self.call, report);
                blobs = content;
                Reconciled::Applied { evidence: evidence(), report }
            }
            Attached::Cancelled { content } => Reconciled::Cancelled { evidence: evidence(), content },
            Attached::NotBegun { evidence } => Reconciled::NotApplied { evidence },
            Attached::Unknown { evidence } => Reconciled::Unknown { evidence },
        };
        Outcome { blobs, ..Outcome::input(Input::Reconciled { call: self.call, reconciled }) }
    }
}

/// One call to find again, and to go on without.
pub(crate) struct Detach {
    pub(crate) call: CallId,
    pub(crate) tool: Option<Arc<dyn Tool>>,
    pub(crate) input: Value,
    pub(crate) start: ToolStart,
}

impl Detach {
    pub(crate) async fn perform(self) -> Outcome {
        let detached = match &self.tool {
            Some(tool) => tool.detach(&self.input, &self.start).await,
            None => Detached::Unknown { evidence: "the tool is not available any more".into() },
        };
        let reconciled = match detached {
            Detached::Begun { command } => {
                let evidence = "its supervisor has begun, and it goes on as a job".into();
                Reconciled::InBackground { evidence, command }
            }
            Detached::NotBegun { evidence } => Reconciled::NotApplied { evidence },
            Detached::Unknown { evidence } => Reconciled::Unknown { evidence },
        };
        Outcome::input(Input::Reconciled { call: self.call, reconciled })
    }
}
