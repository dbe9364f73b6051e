//! A call whose start is on disk: it is run, or, when an earlier process has begun it, what became of it is found out
//! by looking or through its supervisor (seed, section 16).

use std::sync::Arc;
use std::time::Duration;

use onward_core::{Input, JobReport, Ran, Reconciled};
use onward_event::{CallId, JobId, ToolStart};
use onward_port::{
    Attached, Blob, Detached, Followed, Reconciliation, Redactor, Tool, ToolIo, ToolOutcome, ToolReport,
};
use serde_json::Value;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::{Outcome, report_of};

/// The call, its tool, and what the log says about its start.
pub(crate) struct StartedCall {
    pub(crate) call: CallId,
    /// Absent when the session has lost it since.
    pub(crate) tool: Option<Arc<dyn Tool>>,
    pub(crate) input: Value,
    pub(crate) start: ToolStart,
    pub(crate) redactor: Redactor,
}

/// What is known of a call, or a job, whose tool the session has lost.
const NO_TOOL: &str = "the tool is not available any more";

impl StartedCall {
    /// Runs it. Told to stop, it has `convergence` to do so.
    pub(crate) async fn run(self, io: ToolIo, cancel: CancellationToken, convergence: Duration) -> Outcome {
        let Some(tool) = &self.tool else {
            return self.ran(Ran::Unknown { content: format!("It was started, and {NO_TOOL}.") }, Vec::new());
        };
        let began = Instant::now();
        let not_converging = async {
            cancel.cancelled().await;
            tokio::time::sleep(convergence).await;
        };
        let outcome = tokio::select! {
            biased;
            outcome = tool.run(&self.input, &self.start, &io) => outcome,
            () = not_converging => {
                return self.ran(Ran::NotStopped { seconds: convergence.as_secs() }, Vec::new());
            }
        };
        let ran = match outcome {
            ToolOutcome::Finished(report) => {
                let (mut report, blobs) = report_of(&self.redactor, self.call, report);
                report.metadata.millis = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
                return self.ran(Ran::Finished(report), blobs);
            }
            ToolOutcome::Cancelled { content } => Ran::Cancelled { content },
            ToolOutcome::Unknown { content } => Ran::Unknown { content },
            ToolOutcome::InBackground { command } => Ran::InBackground { command },
        };
        self.ran(ran, Vec::new())
    }

    /// Looks whether it had its effect.
    pub(crate) async fn reconcile(self) -> Outcome {
        let Some(tool) = &self.tool else { return self.lost() };
        match tool.reconcile(&self.input, &self.start).await {
            Reconciliation::Applied { evidence, report } => self.applied(evidence, report),
            Reconciliation::NotApplied { evidence } => self.found(Reconciled::NotApplied { evidence }),
            Reconciliation::Unknown { evidence } => self.found(Reconciled::Unknown { evidence }),
        }
    }

    /// Finds it again under its supervisor, and waits for its end.
    pub(crate) async fn attach(self, io: ToolIo) -> Outcome {
        let Some(tool) = &self.tool else { return self.lost() };
        let evidence = || "it went on under its supervisor, and this is its end".to_owned();
        match tool.attach(&self.input, &self.start, &io).await {
            Attached::Finished(report) => self.applied(evidence(), report),
            Attached::Cancelled { content } => {
                self.found(Reconciled::Cancelled { evidence: evidence(), content })
            }
            Attached::NotBegun { evidence } => self.found(Reconciled::NotApplied { evidence }),
            Attached::Unknown { evidence } => self.found(Reconciled::Unknown { evidence }),
        }
    }

    /// Finds it again under its supervisor, and goes on without it.
    pub(crate) async fn detach(self) -> Outcome {
        let Some(tool) = &self.tool else { return self.lost() };
        self.found(match tool.detach(&self.input, &self.start).await {
            Detached::Begun { command } => {
                let evidence = "its supervisor has begun, and it goes on as a job".into();
                Reconciled::InBackground { evidence, command }
            }
            Detached::NotBegun { evidence } => Reconciled::NotApplied { evidence },
            Detached::Unknown { evidence } => Reconciled::Unknown { evidence },
        })
    }

    /// Waits for the end of the job that it became (seed, section 8).
    pub(crate) async fn follow(self, job: JobId, io: ToolIo) -> Outcome {
        let followed = match &self.tool {
            Some(tool) => tool.follow(&self.input, &self.start, &io).await,
            None => Followed::Unknown { evidence: NO_TOOL.into() },
        };
        let (report, blobs) = match followed {
            Followed::Ended { how, summary, report } => {
                let (report, blobs) = report_of(&self.redactor, self.call, report);
                (JobReport::Ended { how, summary, report }, blobs)
            }
            Followed::Unknown { evidence } => (JobReport::Unknown { evidence }, Vec::new()),
        };
        Outcome { blobs, ..Outcome::input(Input::JobEnded { job, report }) }
    }

    fn ran(&self, ran: Ran, blobs: Vec<Blob>) -> Outcome {
        Outcome { blobs, ..Outcome::input(Input::Ran { call: self.call, run: self.start.run, ran }) }
    }

    fn applied(&self, evidence: String, report: ToolReport) -> Outcome {
        let (report, blobs) = report_of(&self.redactor, self.call, report);
        Outcome { blobs, ..self.found(Reconciled::Applied { evidence, report }) }
    }

    fn lost(&self) -> Outcome {
        self.found(Reconciled::Unknown { evidence: NO_TOOL.into() })
    }

    fn found(&self, reconciled: Reconciled) -> Outcome {
        Outcome::input(Input::Reconciled { call: self.call, reconciled })
    }
}
