//! The tools for jobs: commands that `shell` began in the background.
//!
//! - [`list`]: which there are.
//! - [`output`]: what one has said so far, or said until its end.
//! - [`wait`]: for the end of one, bounded.
//! - [`cancel`]: the end of one.

mod cancel;
mod list;
mod output;
mod wait;

pub(crate) use cancel::JobCancel;
pub(crate) use list::JobList;
pub(crate) use output::JobOutput;
pub(crate) use wait::JobWait;

use onward_event::JobId;
use onward_port::{JobView, Jobs, ToolFault};

use crate::text;

/// The job of this id.
fn find(jobs: &dyn Jobs, id: JobId) -> Result<JobView, ToolFault> {
    jobs.list().into_iter().find(|job| job.id == id).ok_or_else(|| unknown(id))
}

fn unknown(id: JobId) -> ToolFault {
    let message = format!("there is no job {id} in this session; `jobs` lists them");
    ToolFault::new("not_found", message)
}

/// A job in a line.
fn line(job: &JobView, jobs: &dyn Jobs) -> String {
    let now = jobs.now();
    let seconds = |millis: u64| text::count(millis / 1_000, "second");
    let age = match job.phase.is_end() {
        true => format!(
            "ran {}, ended {} ago",
            seconds(job.since.millis_since(job.started)),
            seconds(now.millis_since(job.since))
        ),
        false => format!("for {}", seconds(now.millis_since(job.started))),
    };
    let summary = if job.summary.is_empty() { String::new() } else { format!(": {}", job.summary) };
    format!("{}  {}, {age}{summary}  `{}`", job.id, job.phase.name(), job.command)
}
