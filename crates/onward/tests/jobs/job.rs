//! A job that does what the test says, and what its session says about it.

use onward_event::{Event, InboxMessage, JobPhase, JobState, Origin, ResultStatus};
use serde_json::{Value, json};

use crate::support::{Records, Sandbox, eventually};

/// Says that it runs, by whom and under whom; waits for the file `go`; then leaves one line.
pub(crate) const COMMAND: &str = "echo begun; echo $$ $PPID > began.new && mv began.new began; \
     until [ -e go ]; do sleep 0.02; done; echo went >> ledger; echo over";

/// The model begins a job, says so, and says something at its end.
pub(crate) fn script(command: &str) -> Value {
    json!({ "steps": [
        { "calls": [{ "tool": "shell", "input": { "command": command, "background": true } }] },
        { "text": "Started." },
    ], "final": "It ended." })
}

/// A process works on a session whose job runs, and whose turn is over.
pub(crate) fn running(sandbox: &Sandbox, args: &[&str]) -> crate::support::Running {
    let process = sandbox.start(&[&["exec", "--mode", "auto"], args, &["run it"]].concat());
    sandbox.until("turn/end", 1);
    began(sandbox);
    process
}

/// The process id of the command, and of its supervisor; waits until it runs.
pub(crate) fn began(sandbox: &Sandbox) -> (i32, i32) {
    let text = eventually("the command begins", || {
        let text = sandbox.read("began");
        (!text.is_empty()).then_some(text)
    });
    let mut ids = text.split_whitespace().map(|id| id.parse().unwrap());
    (ids.next().unwrap(), ids.next().unwrap())
}

/// Every phase that was recorded.
pub(crate) fn phases(records: &Records) -> Vec<JobPhase> {
    records.all(|event| match event {
        Event::JobPhase(phase) => Some(phase.clone()),
        _ => None,
    })
}

/// What jobs told their owner.
pub(crate) fn notices(records: &Records) -> Vec<InboxMessage> {
    records.all(|event| match event {
        Event::InboxReceived(received) if received.message.origin == Origin::Job => {
            Some(received.message.clone())
        }
        _ => None,
    })
}

/// The id of the only job.
pub(crate) fn id(records: &Records) -> String {
    let started = records.all(|event| match event {
        Event::JobStarted(started) => Some(started.job.to_string()),
        _ => None,
    });
    let [id] = <[String; 1]>::try_from(started).unwrap();
    id
}

/// It ran once, ended once with its true result, and told of that once.
#[track_caller]
pub(crate) fn assert_ended_well(sandbox: &Sandbox) {
    let records = sandbox.records();
    assert_eq!((records.count("tool/start"), records.count("job/started")), (1, 1));
    let [phase] = <[JobPhase; 1]>::try_from(phases(&records)).unwrap();
    assert_eq!((phase.phase, phase.status), (JobState::Completed, Some(ResultStatus::Ok)));
    assert_eq!(phase.summary, "exit code 0");
    let [notice] = <[InboxMessage; 1]>::try_from(notices(&records)).unwrap();
    assert_eq!(notice.id, phase.job.notice());
    assert_eq!(sandbox.read("ledger"), "went\n", "it ran once");
    let output = sandbox.run(&["jobs", "output", &phase.job.to_string()]).ended(0);
    assert_eq!(output.stdout, "begun\nover\n");
    let left = std::fs::read_dir(sandbox.data().join("executions")).unwrap().count();
    assert!(
        left <= 1,
        "what is stored is forgotten by its supervisor's folder, at the latest by the next owner"
    );
    sandbox.assert_checked();
}

/// Whether a process lives; one that only waits to be collected does not.
pub(crate) fn lives(pid: i32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let state = stat.rsplit_once(')').and_then(|(_, rest)| rest.trim_start().chars().next());
    !matches!(state, None | Some('Z' | 'X'))
}
