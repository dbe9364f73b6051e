//! A job that does what the test says, and what its session says about it.

use onward_event::{Event, InboxMessage, JobPhase, JobState, Origin, ResultStatus};
use rustix::process::Pid;
use serde_json::{Value, json};

use crate::support::{Records, Sandbox, eventually, executions, process_known_as, supervisor};

/// Says that it runs, and as which process; waits for the file `go`; then leaves one line.
pub(crate) const COMMAND: &str = "echo begun; echo $$ > began.new && mv began.new began; \
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

/// The process of the command, and its supervisor; waits until it runs.
pub(crate) fn began(sandbox: &Sandbox) -> (Pid, Pid) {
    let number = eventually("the command begins", || sandbox.read("began").trim().parse().ok());
    (process_known_as(sandbox, number), supervisor(sandbox))
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
    assert!(
        executions(sandbox) <= 1,
        "what is stored is forgotten by its supervisor's folder, at the latest by the next owner"
    );
    sandbox.assert_checked();
}
