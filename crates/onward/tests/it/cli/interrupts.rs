//! Interrupts: Ctrl-C and `onward interrupt`, at a model that does not answer and at a command that does not end.

use insta::assert_snapshot;
use onward_event::Event;
use rustix::process::{Signal, test_kill_process};
use serde_json::json;

use crate::support::{Sandbox, eventually, hanging, pid_of_command, waiting_command};

#[test]
fn ctrl_c_ends_a_run_and_the_session_can_be_gone_on_with() {
    let sandbox = Sandbox::new(&hanging());
    let running = sandbox.start(&["exec", "think"]);
    sandbox.until("attempt/start", 1);
    running.signal(Signal::INT);
    let done = running.wait().ended(130);
    assert_snapshot!(sandbox.shown(&done));
    assert_eq!(sandbox.records().kinds().last(), Some(&"owner/released"));
    sandbox.assert_checked();

    sandbox.set_script(&json!({ "final": "Here I am again." }));
    let done = sandbox.run(&["send", "go on"]).ended(0);
    assert_eq!(done.stdout, "Here I am again.\n");
    sandbox.assert_checked();
}

#[test]
fn a_signal_to_end_keeps_the_work_for_the_next_owner() {
    for signal in [Signal::TERM, Signal::HUP] {
        let sandbox = Sandbox::new(&hanging());
        let running = sandbox.start(&["exec", "think"]);
        sandbox.until("attempt/start", 1);
        running.signal(signal);
        let done = running.wait().ended(130);
        assert_snapshot!("told_to_end", sandbox.shown(&done));
        assert_eq!(sandbox.records().kinds().last(), Some(&"owner/released"), "in order, not by a crash");
        sandbox.set_script(&json!({ "final": "Here I am again." }));
        assert_eq!(sandbox.run(&["resume"]).ended(0).stdout, "Here I am again.\n");
        sandbox.assert_checked();
    }
}

#[test]
fn a_second_ctrl_c_leaves_and_the_command_is_ended_all_the_same() {
    let sandbox = Sandbox::new(&waiting_command());
    let running = sandbox.start(&["exec", "--mode", "auto", "wait"]);
    let pid = pid_of_command(&sandbox);
    running.signal(Signal::INT);
    running.signal(Signal::INT);
    running.wait().ended(130);
    // The turn may have been cancelled just in time, or is cancelled by whoever comes next; either way the command ends.
    let code = sandbox.run(&["resume"]).code();
    assert!(code == 130 || code == 0, "{code}");
    eventually("the command is gone", || test_kill_process(pid).is_err().then_some(()));
    assert_eq!(sandbox.read("ledger"), "");
    sandbox.assert_checked();
}

#[test]
fn a_running_command_is_ended_as_a_whole() {
    let sandbox = Sandbox::new(&waiting_command());
    let running = sandbox.start(&["exec", "--mode", "auto", "wait"]);
    let pid = pid_of_command(&sandbox);
    running.signal(Signal::INT);
    running.wait().ended(130);
    eventually("the command is gone", || test_kill_process(pid).is_err().then_some(()));
    let cancelled = sandbox.records().all(|event| match event {
        Event::ToolCancelled(cancelled) => Some(cancelled.started),
        _ => None,
    });
    assert_eq!((cancelled, sandbox.read("ledger").as_str()), (vec![true], ""));
    sandbox.assert_checked();
}

#[test]
fn another_process_can_interrupt() {
    let sandbox = Sandbox::new(&waiting_command());
    let running = sandbox.start(&["exec", "--mode", "auto", "wait"]);
    let pid = pid_of_command(&sandbox);
    let interrupt = sandbox.run(&["interrupt"]).ended(0);
    assert_snapshot!("interrupt", sandbox.shown(&interrupt));
    let done = running.wait().ended(130);
    assert_snapshot!("interrupted", sandbox.shown(&done));
    eventually("the command is gone", || test_kill_process(pid).is_err().then_some(()));

    sandbox.set_script(&json!({ "final": "On we go." }));
    assert_eq!(sandbox.run(&["send", "go on"]).ended(0).stdout, "On we go.\n");
    sandbox.assert_checked();
}

#[test]
fn what_a_dead_process_left_open_can_be_cancelled() {
    let sandbox = Sandbox::new(&hanging());
    let running = sandbox.start(&["exec", "think"]);
    sandbox.until("attempt/start", 1);
    running.kill();
    let done = sandbox.run(&["interrupt"]).ended(0);
    assert_snapshot!(sandbox.shown(&done));
    let kinds = sandbox.records();
    assert_eq!(kinds.count("attempt/start"), 1, "the model is not asked again");
    sandbox.assert_checked();
}
