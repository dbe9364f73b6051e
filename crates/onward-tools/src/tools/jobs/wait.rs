//! `job_wait`: until the end of a job, and no longer than a limit.

use std::sync::Arc;
use std::time::Duration;

use onward_event::{Access, JobId, Occupies, ToolStart};
use onward_port::{JobView, ToolFault, ToolIo, ToolOutcome, ToolPlan, ToolReport};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{find, line, unknown};
use crate::builtin::Context;
use crate::tools::plans::looks_at;
use crate::typed::BuiltIn;

/// The tool.
pub(crate) struct JobWait {
    context: Arc<Context>,
}

/// What the model sends.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct JobWaitInput {
    job: JobId,
    #[schemars(range(min = 1))]
    seconds: u64,
}

impl JobWait {
    /// Binds the tool.
    pub(crate) fn new(context: &Arc<Context>) -> Self {
        Self { context: Arc::clone(context) }
    }
}

impl BuiltIn for JobWait {
    type Input = JobWaitInput;
    const NAME: &'static str = "job_wait";
    const VERSION: &'static str = "1";

    fn description(&self) -> String {
        format!(
            "Waits for a job to end, for up to {} seconds. Only when nothing else is left to do: you are told of its end \
             anyway.",
            self.context.limits.max_job_wait.as_secs()
        )
    }

    fn check(&self, input: &mut JobWaitInput) -> Result<Vec<Access>, Vec<String>> {
        input.seconds = input.seconds.min(self.context.limits.max_job_wait.as_secs());
        Ok(Vec::new())
    }

    /// It waits for what goes on anyway.
    fn occupies(&self, _: &JobWaitInput) -> Occupies {
        Occupies::Nothing
    }

    async fn plan(&self, input: JobWaitInput) -> Result<ToolPlan, ToolFault> {
        let preview = format!("wait for {}, for at most {} s", input.job, input.seconds);
        Ok(looks_at(vec![input.job.to_string()], preview))
    }

    async fn run(&self, input: JobWaitInput, _: &ToolStart, io: &ToolIo) -> ToolOutcome {
        let (id, jobs) = (input.job, io.jobs.as_ref());
        if let Err(fault) = find(jobs, id) {
            return ToolOutcome::Finished(ToolReport::fault(fault));
        }
        let wait = jobs.ended(id, io.cancel.as_ref());
        let report = match tokio::time::timeout(Duration::from_secs(input.seconds), wait).await {
            Ok(None) => ToolReport::fault(unknown(id)),
            Ok(Some(job)) if io.cancel.is_cancelled() && !is_over(&job) => {
                let content = format!("stopped on request; {id} goes on");
                return ToolOutcome::Cancelled { content };
            }
            Ok(Some(job)) => ToolReport::ok(line(&job, jobs)),
            Err(_) => ToolReport::ok(format!(
                "still running after {} s; you will be told when it ends\n{}",
                input.seconds,
                find(jobs, id).map(|job| line(&job, jobs)).unwrap_or_default()
            )),
        };
        ToolOutcome::Finished(report)
    }
}

/// Whether waiting for it helps no more.
fn is_over(job: &JobView) -> bool {
    job.phase != onward_event::JobState::Running
}
