//! A supervisor that is stopped keeps no time limit: the owner has one of its own, in every way of waiting for it.

use onward_event::{Event, JobState};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use super::job::{began, id, phases, script};
use crate::support::{Done, Sandbox};

/// Says that it runs, and never ends by itself.
const COMMAND: &str = "echo $$ > began.new && mv began.new began; while :; do sleep 0.1; done";

/// A supervisor that is stopped, until the test is over.
struct Stopped(Pid);

impl Stopped {
    fn of(sandbox: &Sandbox) -> Self {
        let stopped = Self(began(sandbox).1);
        kill_process(stopped.0, Signal::STOP).unwrap();
        stopped
    }

    #[track_caller]
    fn is_told(&self, done: &Done) {
        let told = format!("its supervisor (process {}) does not answer, because it is stopped", self.0);
        assert!(done.stderr.contains(&told), "{done:?}");
    }
}

impl Drop for Stopped {
    fn drop(&mut self) {
        // It finds that the time of its command is over, and ends it.
        let _ = kill_process(self.0, Signal::CONT);
    }
}

/// Long enough for a busy machine to stop the supervisor before it is over, and short enough to wait for.
const LIMIT: u64 = 8;

fn foreground(seconds: u64) -> Value {
    json!({ "steps": [
        { "calls": [{ "tool": "shell", "input": { "command": COMMAND, "timeout_seconds": seconds } }] },
        { "text": "Never said." },
    ] })
}

fn sandbox(script: &Value) -> Sandbox {
    let sandbox = Sandbox::new(script);
    sandbox.set_config(&format!("{}\n[shell]\nsupervisor_margin_seconds = 1\n", sandbox.scripted_config()));
    sandbox
}

#[test]
fn the_call_of_a_stopped_supervisor_has_an_unknown_outcome() {
    let sandbox = sandbox(&foreground(LIMIT));
    let exec = sandbox.start(&["exec", "--mode", "auto", "run it"]);
    let stopped = Stopped::of(&sandbox);
    stopped.is_told(&exec.wait().ended(5));
    assert_eq!(sandbox.records().count("tool/outcome_unknown"), 1);
    sandbox.assert_checked();
}

#[test]
fn the_next_owner_does_not_wait_for_ever_either() {
    let sandbox = sandbox(&foreground(LIMIT));
    let exec = sandbox.start(&["exec", "--mode", "auto", "run it"]);
    let stopped = Stopped::of(&sandbox);
    exec.kill();
    stopped.is_told(&sandbox.run(&["resume"]).ended(5));
    sandbox.assert_checked();
}

#[test]
fn an_interrupt_does_not_wait_for_the_time_limit() {
    let sandbox = sandbox(&foreground(3_000));
    let exec = sandbox.start(&["exec", "--mode", "auto", "run it"]);
    let stopped = Stopped::of(&sandbox);
    exec.signal(Signal::INT);
    let done = exec.wait().ended(5);
    stopped.is_told(&done);
    // Nothing goes on from it, and it is asked for all the same, until somebody knows.
    let call = sandbox.records().all(|event| match event {
        Event::ToolOutcomeUnknown(unknown) => Some(unknown.call.to_string()),
        _ => None,
    });
    assert!(done.stderr.contains(&format!("onward reconcile {} --applied", call[0])), "{done:?}");
    sandbox.run(&["resume", "--max-steps", "1"]).ended(5);
    sandbox.run(&["reconcile", &call[0], "--not-applied", "--no-run"]).ended(0);
    sandbox.assert_checked();
}

#[test]
fn a_job_of_a_stopped_supervisor_is_reconciled() {
    let sandbox = sandbox(&script(COMMAND));
    let exec = sandbox.start(&["exec", "--mode", "auto", "run it"]);
    let stopped = Stopped::of(&sandbox);
    sandbox.until("turn/end", 1);
    sandbox.run(&["jobs", "cancel", &id(&sandbox.records())]).ended(0);
    stopped.is_told(&exec.wait().ended(5));
    assert_eq!(phases(&sandbox.records())[0].phase, JobState::Reconciling);
    sandbox.assert_checked();
}
