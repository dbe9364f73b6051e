//! `job_output`: what a job has said so far, or said until its end, by range.

use std::sync::Arc;

use onward_event::{Access, JobId, ToolStart};
use onward_port::{Executor, JobView, Output, ToolFault, ToolIo, ToolOutcome, ToolPlan, ToolReport};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::find;
use crate::builtin::Context;
use crate::text;
use crate::tools::plans::looks_at;
use crate::typed::BuiltIn;

/// The tool.
pub(crate) struct JobOutput {
    context: Arc<Context>,
    executor: Arc<dyn Executor>,
}

/// What the model sends.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct JobOutputInput {
    job: JobId,
    /// First byte, from 0; default: what was said last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    offset: Option<u64>,
    /// Bytes to show.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    limit: Option<u64>,
}

impl JobOutput {
    /// Binds the tool.
    pub(crate) fn new(context: &Arc<Context>, executor: Arc<dyn Executor>) -> Self {
        Self { context: Arc::clone(context), executor }
    }

    fn most(&self) -> usize {
        self.context.limits.max_output_bytes
    }

    async fn show(&self, input: &JobOutputInput, io: &ToolIo) -> Result<ToolReport, ToolFault> {
        let limit = input.limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(self.most());
        let limit = limit.min(self.most());
        let job = find(io.jobs.as_ref(), input.job)?;
        let (start, output) = match input.offset {
            Some(offset) => (offset, self.read(&job, offset, limit, io).await?),
            None => {
                let kept = self.read(&job, 0, 0, io).await?.kept;
                let start = kept.saturating_sub(limit as u64);
                (start, self.read(&job, start, limit, io).await?)
            }
        };
        if start > output.kept {
            let message = format!("there are {} so far", text::count(output.kept, "byte"));
            return Err(ToolFault::new("out_of_range", message));
        }
        Ok(page(&job, start, &output))
    }

    /// From the stored result of a job that has ended, from its supervisor's folder before.
    async fn read(&self, job: &JobView, offset: u64, limit: usize, io: &ToolIo) -> Result<Output, ToolFault> {
        if let Some(artifact) = job.artifact {
            let bytes = io.artifacts.read(artifact).await?;
            let from = usize::try_from(offset).unwrap_or(usize::MAX).min(bytes.len());
            let to = from.saturating_add(limit).min(bytes.len());
            return Ok(Output { bytes: bytes[from..to].to_vec(), kept: bytes.len() as u64 });
        }
        if job.phase.is_end() {
            return Ok(Output { bytes: Vec::new(), kept: 0 });
        }
        let read = self.executor.output(&job.execution, &job.place, offset, limit).await;
        read.map_err(|why| ToolFault::new("unreadable", why))
    }
}

impl BuiltIn for JobOutput {
    type Input = JobOutputInput;
    const NAME: &'static str = "job_output";
    const VERSION: &'static str = "1";

    fn description(&self) -> String {
        format!(
            "Shows what a job (job_...) has said, up to {} at once, and the offset to go on with.",
            text::size(self.most() as u64)
        )
    }

    fn check(&self, input: &mut JobOutputInput) -> Result<Vec<Access>, Vec<String>> {
        let most = self.most() as u64;
        input.limit = input.limit.map(|limit| limit.min(most)).filter(|limit| *limit != most);
        Ok(Vec::new())
    }

    async fn plan(&self, input: JobOutputInput) -> Result<ToolPlan, ToolFault> {
        Ok(looks_at(vec![input.job.to_string()], format!("show the output of {}", input.job)))
    }

    async fn run(&self, input: JobOutputInput, _: &ToolStart, io: &ToolIo) -> ToolOutcome {
        ToolOutcome::Finished(self.show(&input, io).await.unwrap_or_else(ToolReport::fault))
    }
}

fn page(job: &JobView, start: u64, output: &Output) -> ToolReport {
    let end = whole_characters(&output.bytes);
    let mut text = String::from_utf8_lossy(&output.bytes[..end]).into_owned();
    let next = start + end as u64;
    let rest = match (next < output.kept, job.phase.is_end()) {
        (true, _) => format!("go on with offset {next}"),
        (false, true) => format!("the end; the job is {}", job.phase.name()),
        (false, false) => format!("no more yet; the job is {}, go on with offset {next}", job.phase.name()),
    };
    let line_end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    text.push_str(&format!("{line_end}[bytes {start} to {next} of {}; {rest}]\n", output.kept));
    let mut report = ToolReport::ok(text);
    report.metadata.bytes = output.kept;
    report.metadata.truncated = start > 0 || next < output.kept;
    report
}

/// A character that is cut in two waits for the rest of it, unless nothing else came.
fn whole_characters(bytes: &[u8]) -> usize {
    let begins = bytes.iter().rev().take(4).position(|byte| byte & 0xc0 != 0x80);
    let Some(back) = begins.map(|at| at + 1) else { return bytes.len() };
    let length = match bytes[bytes.len() - back] {
        0xf0.. => 4,
        0xe0.. => 3,
        0xc0.. => 2,
        _ => 1,
    };
    if length > back && back < bytes.len() { bytes.len() - back } else { bytes.len() }
}
