//! What becomes of the jobs of a session whose work comes to its end: one rule, applied in the same way at rest, on SIGTERM,
//! after SIGKILL and a takeover, and when a person leaves.

use onward_event::{JobReason, JobState, JobsAtEnd};
use rustix::process::{Pid, Signal};
use serde_json::{Value, json};

use super::job::{COMMAND, assert_ended_well, began, id, phases, script};
use crate::support::{Done, Running, Sandbox, lives};

/// The model begins a job, and never says anything about it.
fn in_the_middle() -> Value {
    json!({ "steps": [
        { "calls": [{ "tool": "shell", "input": { "command": COMMAND, "background": true } }] },
        { "text": "never said", "hang": true },
    ], "final": "It ended." })
}

/// A process in the middle of a turn, with a job that runs under this rule.
fn working(rule: JobsAtEnd) -> (Sandbox, Running, Pid) {
    let sandbox = Sandbox::new(&in_the_middle());
    let exec = sandbox.start(&["exec", "--mode", "auto", "--jobs", rule.name(), "run it"]);
    sandbox.until("attempt/start", 2);
    let (command, _) = began(&sandbox);
    (sandbox, exec, command)
}

/// The job was ended, because that was asked for; nothing of it is left.
#[track_caller]
fn assert_cancelled(sandbox: &Sandbox, command: Pid) {
    let records = sandbox.records();
    let phases = phases(&records);
    assert_eq!(phases.len(), 1, "{phases:?}");
    assert_eq!((phases[0].phase, phases[0].reason), (JobState::Cancelled, Some(JobReason::Requested)));
    assert!(!lives(command));
    let kinds = records.kinds();
    let at = |kind| kinds.iter().position(|found| *found == kind).unwrap();
    assert!(at("job/cancel_requested") < at("owner/released"), "before the session is given back: {kinds:?}");
    sandbox.assert_checked();
}

/// The job runs, and it is said who looks after it, and how.
#[track_caller]
fn assert_left(sandbox: &Sandbox, command: Pid, said: &str) {
    let records = sandbox.records();
    assert!(lives(command) && phases(&records).is_empty());
    assert_eq!(records.count("job/cancel_requested"), 0);
    let (job, session) = (id(&records), sandbox.session());
    for part in ["a job goes on under its supervisor", "onward jobs cancel ", &format!("resume {session}")] {
        assert!(said.contains(part), "no `{part}` in {said}");
    }
    assert!(said.contains(&job), "{said}");
    sandbox.write("go", "");
}

/// With nothing else left to do, a process waits for the job; what it brings is worked on.
#[track_caller]
fn assert_waits(sandbox: &Sandbox, process: Running) -> Done {
    sandbox.until("turn/end", 1);
    assert_eq!(phases(&sandbox.records()), []);
    sandbox.write("go", "");
    let done = process.wait().ended(0);
    assert!(done.stdout.contains("It ended."), "{done:?}");
    assert_ended_well(sandbox);
    done
}

#[test]
fn at_rest() {
    for rule in JobsAtEnd::ALL {
        // The turn goes on until the job was seen.
        let wait = "until [ -e seen ]; do sleep 0.02; done";
        let sandbox = Sandbox::new(&json!({ "steps": [
            { "calls": [{ "tool": "shell", "input": { "command": COMMAND, "background": true } }] },
            { "calls": [{ "tool": "shell", "input": { "command": wait } }] },
            { "text": "Started." },
        ], "final": "It ended." }));
        let exec = sandbox.start(&["exec", "--mode", "auto", "--jobs", rule.name(), "run it"]);
        let (command, _) = began(&sandbox);
        sandbox.write("seen", "");
        match rule {
            JobsAtEnd::Wait => {
                sandbox.until("turn/end", 1);
                assert_eq!(phases(&sandbox.records()), []);
                sandbox.write("go", "");
                assert_eq!(exec.wait().ended(0).stdout, "Started.\nIt ended.\n");
                assert_eq!(phases(&sandbox.records())[0].phase, JobState::Completed);
            }
            JobsAtEnd::Leave => assert_left(&sandbox, command, &exec.wait().ended(0).stderr),
            JobsAtEnd::Cancel => {
                assert_eq!(exec.wait().ended(0).stdout, "Started.\n");
                assert_cancelled(&sandbox, command);
            }
        }
    }
}

#[test]
fn told_to_end() {
    for rule in JobsAtEnd::ALL {
        let (sandbox, exec, command) = working(rule);
        exec.signal(Signal::TERM);
        let done = exec.wait().ended(130);
        match rule {
            // Waiting has no place in an end that is bounded in time.
            JobsAtEnd::Wait | JobsAtEnd::Leave => assert_left(&sandbox, command, &done.stderr),
            JobsAtEnd::Cancel => {
                assert!(!done.stderr.contains("goes on under its supervisor"), "{done:?}");
                assert_cancelled(&sandbox, command);
            }
        }
    }
}

#[test]
fn a_second_ctrl_c_cancels_as_sigterm_does() {
    let (sandbox, exec, command) = working(JobsAtEnd::Cancel);
    exec.signal(Signal::INT);
    exec.signal(Signal::INT);
    exec.wait().ended(130);
    assert_cancelled(&sandbox, command);
}

#[test]
fn after_a_takeover() {
    for rule in JobsAtEnd::ALL {
        let (sandbox, exec, command) = working(rule);
        exec.kill();
        sandbox.set_script(&json!({ "final": "It ended." }));
        // Nobody says the rule again: it is the session's.
        let resumed = sandbox.start(&["resume"]);
        match rule {
            JobsAtEnd::Wait => drop(assert_waits(&sandbox, resumed)),
            JobsAtEnd::Leave => assert_left(&sandbox, command, &resumed.wait().ended(0).stderr),
            JobsAtEnd::Cancel => {
                resumed.wait().ended(0);
                assert_cancelled(&sandbox, command);
            }
        }
    }
}

/// A conversation at its prompt, with a job that runs.
fn talking(rule: JobsAtEnd) -> (Sandbox, Running, Pid) {
    let sandbox = Sandbox::new(&script(COMMAND));
    let mut talk = sandbox.start_talking(&["--mode", "auto", "--jobs", rule.name()]);
    talk.expect("\n> ");
    talk.say("run it");
    talk.expect("Started.");
    let (command, _) = began(&sandbox);
    talk.expect("\n> ");
    (sandbox, talk, command)
}

#[test]
fn when_a_person_leaves() {
    for rule in JobsAtEnd::ALL {
        let (sandbox, mut talk, command) = talking(rule);
        talk.say("/quit");
        match rule {
            JobsAtEnd::Wait => {
                talk.expect("waiting for a job: ");
                assert_waits(&sandbox, talk);
            }
            JobsAtEnd::Leave => assert_left(&sandbox, command, &talk.wait().ended(0).stdout),
            JobsAtEnd::Cancel => {
                talk.wait().ended(0);
                assert_cancelled(&sandbox, command);
            }
        }
    }
}

#[test]
fn whoever_waits_after_leaving_can_still_leave_at_once() {
    let (sandbox, mut talk, command) = talking(JobsAtEnd::Wait);
    talk.say("/quit");
    talk.expect("Ctrl-C leaves at once");
    talk.signal(Signal::INT);
    let done = talk.wait().ended(130);
    assert_left(&sandbox, command, &done.stdout);
}

#[test]
fn a_conversation_that_is_told_to_end_waits_for_nothing() {
    for rule in JobsAtEnd::ALL {
        let (sandbox, talk, command) = talking(rule);
        talk.signal(Signal::TERM);
        let done = talk.wait().ended(0);
        match rule {
            JobsAtEnd::Wait | JobsAtEnd::Leave => assert_left(&sandbox, command, &done.stdout),
            JobsAtEnd::Cancel => assert_cancelled(&sandbox, command),
        }
    }
}

#[test]
fn the_configuration_has_it_for_new_sessions_and_an_option_changes_it_for_one() {
    let sandbox = Sandbox::new(&in_the_middle());
    sandbox.set_config(&format!("{}\n[jobs]\nat_end = \"cancel\"\n", sandbox.scripted_config()));
    let exec = sandbox.start(&["exec", "--mode", "auto", "run it"]);
    sandbox.until("attempt/start", 2);
    let (command, _) = began(&sandbox);
    exec.kill();
    sandbox.set_script(&json!({ "final": "It ended." }));
    let resumed = sandbox.run(&["resume", "--jobs", "leave"]).ended(0);
    assert_eq!(sandbox.records().count("session/configured"), 1);
    assert!(sandbox.run(&["log"]).ended(0).stdout.contains("jobs at the end leave"));
    assert_left(&sandbox, command, &resumed.stderr);
    sandbox.assert_checked();
}
