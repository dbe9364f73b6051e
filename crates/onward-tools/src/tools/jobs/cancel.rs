//! `job_cancel`: the end of a job.

use onward_event::{Access, JobId, ToolStart};
use onward_port::{ToolFault, ToolIo, ToolOutcome, ToolPlan, ToolReport};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{find, line};
use crate::tools::plans::looks_at;
use crate::typed::BuiltIn;

/// The tool.
pub(crate) struct JobCancel;

/// What the model sends.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct JobCancelInput {
    job: JobId,
}

impl BuiltIn for JobCancel {
    type Input = JobCancelInput;
    const NAME: &'static str = "job_cancel";
    const VERSION: &'static str = "1";

    fn description(&self) -> String {
        "Ends a job with all its processes.".into()
    }

    fn check(&self, _: &mut JobCancelInput) -> Result<Vec<Access>, Vec<String>> {
        Ok(Vec::new())
    }

    /// It ends only what the session began, and asking twice is asking once.
    async fn plan(&self, input: JobCancelInput) -> Result<ToolPlan, ToolFault> {
        Ok(looks_at(vec![input.job.to_string()], format!("end {}", input.job)))
    }

    async fn run(&self, input: JobCancelInput, _: &ToolStart, io: &ToolIo) -> ToolOutcome {
        let report = match cancel(input.job, io).await {
            Ok(text) => ToolReport::ok(text),
            Err(fault) => ToolReport::fault(fault),
        };
        ToolOutcome::Finished(report)
    }
}

async fn cancel(id: JobId, io: &ToolIo) -> Result<String, ToolFault> {
    let jobs = io.jobs.as_ref();
    let job = find(jobs, id)?;
    if job.phase.is_end() {
        return Ok(format!("it has ended already: {}", line(&job, jobs)));
    }
    jobs.cancel(id).await?;
    match jobs.ended(id, io.cancel.as_ref()).await {
        Some(job) if job.phase.is_end() => Ok(line(&job, jobs)),
        _ => Ok(format!("{id} was told to end; you will be told when it has")),
    }
}
