//! `jobs`: the session's jobs.

use onward_event::{Access, ToolStart};
use onward_port::{ToolFault, ToolIo, ToolOutcome, ToolPlan, ToolReport};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::line;
use crate::tools::plans::looks_at;
use crate::typed::BuiltIn;

/// The tool.
pub(crate) struct JobList;

/// What the model sends: nothing.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct JobListInput {}

impl BuiltIn for JobList {
    type Input = JobListInput;
    const NAME: &'static str = "jobs";
    const VERSION: &'static str = "1";

    fn description(&self) -> String {
        "Lists the jobs that run, and the latest that have ended. You are told of each end without asking."
            .into()
    }

    fn check(&self, _: &mut JobListInput) -> Result<Vec<Access>, Vec<String>> {
        Ok(Vec::new())
    }

    async fn plan(&self, _: JobListInput) -> Result<ToolPlan, ToolFault> {
        Ok(looks_at(Vec::new(), "list the jobs of this session".into()))
    }

    async fn run(&self, _: JobListInput, _: &ToolStart, io: &ToolIo) -> ToolOutcome {
        let lines: Vec<String> = io.jobs.list().iter().map(|job| line(job, io.jobs.as_ref())).collect();
        let text = if lines.is_empty() { "no jobs".into() } else { lines.join("\n") };
        ToolOutcome::Finished(ToolReport::ok(text))
    }
}
