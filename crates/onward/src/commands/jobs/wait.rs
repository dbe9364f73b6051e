//! Waiting for the end of a job, whoever works on its session. It only looks: the session stays free for whoever wants to
//! work on it, and whoever does records the end.

use std::pin::pin;
use std::time::Duration;

use onward_core::Job;
use onward_event::{Handle, JobId, JobState};
use onward_port::{BoxFuture, Cancel, Execution, ExecutionEnd, SessionSummary};
use tokio::time::{Instant, sleep, sleep_until};

use super::list::{json_line, line};
use super::{find, fold, job_of};
use crate::commands::start::is_held;
use crate::compose::App;
use crate::error::CliError;
use crate::exit::ExitCode;
use crate::render::tell;

/// The longest wait: some thirty years.
const FOR_EVER: Duration = Duration::from_secs(1 << 30);
/// The pause between two looks at who works on the session, once the command has ended.
const PAUSE: Duration = Duration::from_millis(100);

pub(super) async fn until_end(
    app: &App,
    id: JobId,
    timeout: Option<Duration>,
    json: bool,
) -> Result<ExitCode, CliError> {
    let summary = find(app, id).await?;
    let session = summary.session;
    let until = Instant::now() + timeout.unwrap_or(FOR_EVER);
    let begun = job_of(&fold(app, session).await?, id)?;
    let mut execution = pin!(executed(app, &begun));
    let mut ended: Option<Execution> = None;
    loop {
        let folded = fold(app, session).await?;
        let job = job_of(&folded, id)?;
        if job.phase != JobState::Running {
            show(app, &summary, &job, json);
            return Ok(match job.phase {
                JobState::Reconciling => ExitCode::OutcomeUnknown,
                _ => ExitCode::Completed,
            });
        }
        if let Some(execution) = &ended
            && !is_held(&find(app, id).await?)
        {
            show(app, &summary, &job, json);
            tell!("{}; `{} resume {session}` records it", how(execution), app.program);
            return Ok(match execution {
                Execution::Unknown(_) => ExitCode::OutcomeUnknown,
                Execution::Ended(_) | Execution::NotBegun(_) => ExitCode::Completed,
            });
        }
        let over = ended.is_some();
        tokio::select! {
            () = app.ports.log.changed(session, folded.head()) => {}
            execution = &mut execution, if !over => ended = Some(execution),
            () = sleep(PAUSE), if over => {}
            () = sleep_until(until) => {
                show(app, &summary, &job, json);
                tell!("it still runs; nothing was changed");
                return Ok(ExitCode::StillRunning);
            }
        }
    }
}

/// The end of its command.
async fn executed(app: &App, job: &Job) -> Execution {
    match (&app.ports.executor, &job.begun.start.handle) {
        (Some(executor), Handle::Supervised { name, place, .. }) => {
            executor.follow(name, place, &Never).await
        }
        _ => std::future::pending().await,
    }
}

fn how(execution: &Execution) -> String {
    match execution {
        Execution::Ended(result) => match result.end {
            ExecutionEnd::Exited(code) => format!("its command has ended with exit code {code}"),
            _ => "its command has ended".into(),
        },
        Execution::NotBegun(why) => format!("its command never began: {why}"),
        Execution::Unknown(why) => format!("nobody can tell by machine what became of it: {why}"),
    }
}

fn show(app: &App, summary: &SessionSummary, job: &Job, json: bool) {
    let shown = if json { json_line(summary, job) } else { line(job, app.ports.clock.now()) };
    super::list::write([shown].into_iter());
}

/// Nothing is stopped by somebody who waits.
#[derive(Debug)]
struct Never;

impl Cancel for Never {
    fn is_cancelled(&self) -> bool {
        false
    }

    fn cancelled(&self) -> BoxFuture<'_, ()> {
        Box::pin(std::future::pending())
    }
}
