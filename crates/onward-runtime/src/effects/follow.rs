//! Waiting for the end of a job, whoever began it (seed, section 8).

use std::sync::Arc;

use onward_core::{Begun, Input, JobReport};
use onward_event::JobId;
use onward_port::{Blob, Followed, Redactor, Tool, ToolIo};

use super::{Outcome, report_of};

/// One job to wait for.
pub(crate) struct Follow {
    pub(crate) job: JobId,
    pub(crate) tool: Option<Arc<dyn Tool>>,
    pub(crate) begun: Begun,
    pub(crate) io: ToolIo,
    pub(crate) redactor: Redactor,
}

impl Follow {
    pub(crate) async fn perform(self) -> Outcome {
        let followed = match &self.tool {
            Some(tool) => tool.follow(&self.begun.input, &self.begun.start, &self.io).await,
            None => Followed::Unknown { evidence: "the tool is not available any more".into() },
        };
        let (report, blobs) = self.report(followed);
        Outcome { blobs, ..Outcome::input(Input::JobEnded { job: self.job, report }) }
    }

    fn report(&self, followed: Followed) -> (JobReport, Vec<Blob>) {
        match followed {
            Followed::Ended { how, summary, report } => {
                let (report, blobs) = report_of(&self.redactor, self.begun.start.call, report);
                (JobReport::Ended { how, summary, report }, blobs)
            }
            Followed::Unknown { evidence } => (JobReport::Unknown { evidence }, Vec::new()),
        }
    }
}
