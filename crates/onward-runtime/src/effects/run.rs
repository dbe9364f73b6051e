//! Running a call whose start is on disk.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use onward_core::{Input, Ran};
use onward_event::{ArtifactId, CallId, Digest, ToolStart};
use onward_port::{ArtifactReader, Blob, Blobs, BoxFuture, Redactor, Tool, ToolFault, ToolIo, ToolOutcome};
use serde_json::Value;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::{Outcome, report_of};

/// One run of one call.
pub(crate) struct Run {
    pub(crate) call: CallId,
    pub(crate) tool: Option<Arc<dyn Tool>>,
    pub(crate) input: Value,
    pub(crate) start: ToolStart,
    pub(crate) io: ToolIo,
    pub(crate) redactor: Redactor,
    pub(crate) convergence: Duration,
    pub(crate) cancel: CancellationToken,
}

impl Run {
    pub(crate) async fn perform(self) -> Outcome {
        let Some(tool) = &self.tool else {
            let content = "It was started, and the tool is not available any more.".to_owned();
            return self.outcome(Ran::Unknown { content }, Vec::new());
        };
        let began = Instant::now();
        let outcome = tokio::select! {
            biased;
            outcome = tool.run(&self.input, &self.start, &self.io) => outcome,
            () = self.not_converging() => {
                let seconds = self.convergence.as_secs();
                return self.outcome(Ran::NotStopped { seconds }, Vec::new());
            }
        };
        match outcome {
            ToolOutcome::Finished(report) => {
                let (mut report, blobs) = report_of(&self.redactor, self.call, report);
                report.metadata.millis = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
                self.outcome(Ran::Finished(report), blobs)
            }
            ToolOutcome::Cancelled { content } => self.outcome(Ran::Cancelled { content }, Vec::new()),
            ToolOutcome::Unknown { content } => self.outcome(Ran::Unknown { content }, Vec::new()),
            ToolOutcome::InBackground { command } => self.outcome(Ran::InBackground { command }, Vec::new()),
        }
    }

    async fn not_converging(&self) {
        self.cancel.cancelled().await;
        tokio::time::sleep(self.convergence).await;
    }

    fn outcome(&self, ran: Ran, blobs: Vec<Blob>) -> Outcome {
        let input = Input::Ran { call: self.call, run: self.start.run, ran };
        Outcome { blobs, ..Outcome::input(input) }
    }
}

/// The results that earlier calls of the session stored.
pub(crate) struct Stored {
    pub(crate) known: Arc<BTreeMap<ArtifactId, Digest>>,
    pub(crate) blobs: Arc<dyn Blobs>,
}

impl ArtifactReader for Stored {
    fn read(&self, id: ArtifactId) -> BoxFuture<'_, Result<Bytes, ToolFault>> {
        Box::pin(async move {
            let fault = |message: String| ToolFault::new("not_found", message);
            let hash = self
                .known
                .get(&id)
                .ok_or_else(|| fault(format!("there is no artifact {id} in this session")))?;
            match self.blobs.get(*hash).await {
                Ok(Some(bytes)) => Ok(bytes),
                Ok(None) => Err(fault(format!("the content of artifact {id} is missing from the store"))),
                Err(error) => Err(fault(format!("the content of artifact {id} cannot be read: {error}"))),
            }
        })
    }
}
