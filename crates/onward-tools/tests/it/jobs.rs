//! The tools for jobs, on jobs that the test makes up.

use std::sync::{Arc, Mutex};

use onward_event::{ArtifactId, JobId, JobState, Place, Timestamp};
use onward_port::{BoxFuture, Cancel, JobView, Jobs, NewArtifact, ToolFault, ToolIo, ToolOutcome};
use serde_json::{Value, json};

use crate::desk::{Desk, started};

const ID: JobId = JobId::from_bits(5);

/// One job, which ends only when it is told to.
struct OneJob(Mutex<JobView>);

impl OneJob {
    fn new(phase: JobState, artifact: Option<ArtifactId>) -> Arc<Self> {
        let place = Place { machine: "m".into(), boot: "b".into() };
        Arc::new(Self(Mutex::new(JobView {
            id: ID,
            command: "cargo test".into(),
            phase,
            started: Timestamp(10_000),
            since: Timestamp(22_000),
            summary: if phase.is_end() { "exit code 0".into() } else { String::new() },
            artifact,
            execution: "ses.call.1".into(),
            place,
        })))
    }
}

impl Jobs for OneJob {
    fn list(&self) -> Vec<JobView> {
        vec![self.0.lock().unwrap().clone()]
    }

    fn ended<'a>(&'a self, id: JobId, cancel: &'a dyn Cancel) -> BoxFuture<'a, Option<JobView>> {
        Box::pin(async move {
            let job = self.0.lock().unwrap().clone();
            if job.phase == JobState::Running {
                cancel.cancelled().await;
            }
            (job.id == id).then_some(job)
        })
    }

    fn cancel(&self, _: JobId) -> BoxFuture<'_, Result<(), ToolFault>> {
        let mut job = self.0.lock().unwrap();
        job.phase = JobState::Cancelled;
        job.summary = "stopped on request".into();
        Box::pin(std::future::ready(Ok(())))
    }

    fn now(&self) -> Timestamp {
        Timestamp(40_000)
    }
}

async fn outcome(desk: &Desk, jobs: &Arc<OneJob>, tool: &str, input: Value) -> ToolOutcome {
    let checked = desk.check(tool, input).unwrap();
    let plan = desk.tool(tool).plan(&checked.input).await.unwrap();
    let io = ToolIo { jobs: jobs.clone(), ..desk.io() };
    desk.tool(tool).run(&checked.input, &started(plan.semantics), &io).await
}

async fn call(desk: &Desk, jobs: &Arc<OneJob>, tool: &str, input: Value) -> String {
    desk.shown(&outcome(desk, jobs, tool, input).await)
}

fn stored(desk: &Desk, text: &str) -> ArtifactId {
    let (id, bytes) = (ArtifactId::from_bits(9), text.to_owned().into());
    let (media_type, summary) = ("text/plain".into(), "output".into());
    desk.store(&NewArtifact { id, media_type, summary, bytes });
    id
}

#[tokio::test]
async fn jobs_are_listed_with_their_age() {
    let desk = Desk::new();
    let running = OneJob::new(JobState::Running, None);
    insta::assert_snapshot!(call(&desk, &running, "jobs", json!({})).await, @"(ok) job_00000000000000000000000005  running, for 30 seconds  `cargo test`");
    let ended = OneJob::new(JobState::Completed, None);
    insta::assert_snapshot!(call(&desk, &ended, "jobs", json!({})).await, @"(ok) job_00000000000000000000000005  completed, ran 12 seconds, ended 18 seconds ago: exit code 0  `cargo test`");
    assert_eq!(desk.call("jobs", json!({})).await, "(ok) no jobs");
}

#[tokio::test]
async fn what_a_job_said_is_shown_by_range_and_no_character_is_cut() {
    let desk = Desk::new();
    let jobs = OneJob::new(JobState::Completed, Some(stored(&desk, "abcäöü")));
    let page = |input: Value| call(&desk, &jobs, "job_output", input);
    insta::assert_snapshot!(page(json!({ "job": ID })).await, @r"
    (ok) abcäöü
    [bytes 0 to 9 of 9; the end; the job is completed]
    ");
    insta::assert_snapshot!(page(json!({ "job": ID, "offset": 0, "limit": 4 })).await, @r"
    (ok) abc
    [bytes 0 to 3 of 9; go on with offset 3]
    ");
    insta::assert_snapshot!(page(json!({ "job": ID, "offset": 3, "limit": 2 })).await, @r"
    (ok) ä
    [bytes 3 to 5 of 9; go on with offset 5]
    ");
    insta::assert_snapshot!(page(json!({ "job": ID, "offset": 10 })).await, @"(error out_of_range) out_of_range: there are 9 bytes so far");
    let other = json!({ "job": JobId::from_bits(6) });
    insta::assert_snapshot!(page(other).await, @"(error not_found) not_found: there is no job job_00000000000000000000000006 in this session; `jobs` lists them");
}

#[tokio::test]
async fn a_job_that_said_nothing_has_an_empty_output() {
    let desk = Desk::new();
    let jobs = OneJob::new(JobState::Completed, None);
    let shown = call(&desk, &jobs, "job_output", json!({ "job": ID })).await;
    assert_eq!(shown, "(ok) [bytes 0 to 0 of 0; the end; the job is completed]");
}

#[tokio::test]
async fn waiting_is_bounded_and_ends_early_or_on_request() {
    let desk = Desk::new();
    let input = || json!({ "job": ID, "seconds": 1 });
    let running = OneJob::new(JobState::Running, None);
    insta::assert_snapshot!(call(&desk, &running, "job_wait", input()).await, @r"
    (ok) still running after 1 s; you will be told when it ends
    job_00000000000000000000000005  running, for 30 seconds  `cargo test`
    ");
    let ended = OneJob::new(JobState::Completed, None);
    assert!(call(&desk, &ended, "job_wait", input()).await.contains("completed"));
    desk.cancel.stop();
    let stopped = outcome(&desk, &running, "job_wait", input()).await;
    assert!(matches!(stopped, ToolOutcome::Cancelled { .. }), "{stopped:?}");
}

#[tokio::test]
async fn a_job_is_cancelled_once() {
    let desk = Desk::new();
    let jobs = OneJob::new(JobState::Running, None);
    let cancel = || call(&desk, &jobs, "job_cancel", json!({ "job": ID }));
    let said = cancel().await;
    assert!(said.contains("cancelled") && said.contains("stopped on request"), "{said}");
    assert!(cancel().await.starts_with("(ok) it has ended already"));
}

#[tokio::test]
async fn the_longest_wait_is_limited() {
    let desk = Desk::new();
    let checked = desk.check("job_wait", json!({ "job": ID, "seconds": 1_000_000 })).unwrap();
    assert_eq!(checked.input["seconds"], 600);
}
