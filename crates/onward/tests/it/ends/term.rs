//! SIGTERM in the middle of everything: nothing new begins, the end is in order and bounded in time, the log says why,
//! and the work goes on with the next start.

use std::time::{Duration, Instant};

use insta::assert_snapshot;
use onward_event::{Event, StopReason};
use rustix::process::{Signal, test_kill_process};
use serde_json::{Value, json};

use crate::support::{
    Done, Records, Running, Sandbox, SmallDisk, eventually, hanging, pid_of_command, waiting_command,
};

/// What an orderly end may take (five seconds), and what a machine under load may add.
const IN_TIME: Duration = Duration::from_secs(5 + 25);

/// Tells it to end. Nothing begins after that, and it does not take long.
#[track_caller]
fn end(sandbox: &Sandbox, running: Running, code: i32) -> (Done, Records) {
    let count =
        |records: &Records| ["turn/start", "tool/start", "attempt/start"].map(|kind| records.count(kind));
    let before = count(&sandbox.records());
    let start = Instant::now();
    running.signal(Signal::TERM);
    let done = running.wait().ended(code);
    assert!(start.elapsed() < IN_TIME, "{:?}: {done:?}", start.elapsed());
    let records = sandbox.records();
    assert_eq!(count(&records), before, "nothing begins");
    (done, records)
}

fn stops(records: &Records) -> Vec<StopReason> {
    records.all(|event| match event {
        Event::TurnEnd(end) => Some(end.stop),
        _ => None,
    })
}

fn is_released(records: &Records) -> bool {
    records.kinds().last() == Some(&"owner/released")
}

#[test]
fn a_command_goes_on_and_its_turn_with_its_end() {
    let sandbox = Sandbox::new(&waiting_command());
    let exec = sandbox.start(&["exec", "--mode", "auto", "wait"]);
    let command = pid_of_command(&sandbox);
    let (done, records) = end(&sandbox, exec, 130);
    assert_snapshot!("a_command_goes_on", sandbox.shown(&done));
    assert!(test_kill_process(command).is_ok(), "it goes on");
    assert_eq!((is_released(&records), stops(&records)), (true, vec![]));
    assert!(sandbox.run(&["sessions"]).ended(0).stdout.contains("  paused  "));
    let resumed = sandbox.start(&["resume"]);
    eventually("a word about it", || resumed.stderr().contains("left running").then_some(()));
    sandbox.write("go", "");
    let done = resumed.wait().ended(0);
    assert!(done.stderr.starts_with("waiting for a command that an earlier process left running, begun "));
    assert_eq!((done.stdout.as_str(), sandbox.read("ledger").as_str()), ("It went.\n", "went\n"));
    let records = sandbox.records();
    let counts = ["turn/start", "tool/start", "recovery/continuation"].map(|kind| records.count(kind));
    assert_eq!((counts, stops(&records)), ([1, 1, 0], vec![StopReason::Final]), "it was no crash");
    sandbox.assert_checked();
}

#[test]
fn a_command_that_goes_on_can_be_ended() {
    let sandbox = Sandbox::new(&waiting_command());
    let exec = sandbox.start(&["exec", "--mode", "auto", "wait"]);
    let command = pid_of_command(&sandbox);
    end(&sandbox, exec, 130);
    sandbox.run(&["interrupt"]).ended(0);
    assert!(test_kill_process(command).is_err(), "it is gone when that is said");
    assert_eq!(
        (stops(&sandbox.records()), sandbox.read("ledger").as_str()),
        (vec![StopReason::UserCancelled], "")
    );
    sandbox.assert_checked();
}

#[test]
fn a_job_goes_on() {
    let command = "echo $$ > pid; until [ -e go ]; do sleep 0.02; done; echo went >> ledger";
    let sandbox = Sandbox::new(&json!({ "steps": [
        { "calls": [{ "tool": "shell", "input": { "command": command, "background": true } }] },
        { "text": "Started." },
    ], "final": "It ended." }));
    let exec = sandbox.start(&["exec", "--mode", "auto", "run it"]);
    sandbox.until("turn/end", 1);
    pid_of_command(&sandbox);
    let (done, records) = end(&sandbox, exec, 130);
    assert!(done.stderr.contains("a job goes on under its supervisor"), "{done:?}");
    assert_eq!((is_released(&records), stops(&records)), (true, vec![StopReason::Final]));
    sandbox.write("go", "");
    assert_eq!(sandbox.run(&["resume"]).ended(0).stdout, "It ended.\n");
    assert_eq!(sandbox.read("ledger"), "went\n");
    sandbox.assert_checked();
}

#[test]
fn a_reply_is_given_up_and_asked_for_again() {
    let sandbox = Sandbox::new(&json!({ "steps": [{ "text": "word ".repeat(5_000), "delta_ms": 20 }] }));
    let exec = sandbox.start(&["exec", "think"]);
    sandbox.until_side();
    let (_, records) = end(&sandbox, exec, 130);
    assert_eq!((is_released(&records), stops(&records)), (true, vec![StopReason::PausedForResume]));
    let partial = records.all(|event| match event {
        Event::AttemptEnd(end) => Some(end.partial.clone()),
        _ => None,
    });
    assert!(partial[0].starts_with("word "), "{partial:?}");
    sandbox.set_script(&json!({ "final": "Here I am again." }));
    assert_eq!(sandbox.run(&["resume"]).ended(0).stdout, "Here I am again.\n");
    sandbox.assert_checked();
}

#[test]
fn a_question_stays_open() {
    let sandbox = Sandbox::new(&json!({ "steps": [
        { "calls": [{ "tool": "shell", "input": { "command": "echo one >> ledger" } }] },
        { "text": "Written." },
    ] }));
    let mut talk = sandbox.start_talking(&[]);
    talk.expect("\n> ");
    talk.say("write");
    talk.expect("shell: ");
    let (_, records) = end(&sandbox, talk, 0);
    assert_eq!(
        (is_released(&records), records.count("approval/resolved"), stops(&records)),
        (true, 0, vec![])
    );
    assert_eq!(sandbox.run(&["approve"]).ended(0).stdout, "Written.\n");
    assert_eq!(sandbox.read("ledger"), "one\n");
    sandbox.assert_checked();
}

/// A session whose model waits for a job within the process, for so long.
fn waiting_within(seconds: u64) -> (Sandbox, Running) {
    let job = json!({ "calls": [{ "tool": "shell", "input": {
        "command": "until [ -e go ]; do sleep 0.02; done", "background": true } }] });
    let started = json!({ "text": "Started." });
    let sandbox = Sandbox::new(&json!({ "steps": [job, started] }));
    sandbox.run(&["exec", "--mode", "auto", "--jobs", "leave", "run it"]).ended(0);
    let id = sandbox.records().all(|event| match event {
        Event::JobStarted(started) => Some(started.job.to_string()),
        _ => None,
    });
    let wait = json!({ "calls": [{ "tool": "job_wait", "input": { "job": id[0], "seconds": seconds } }] });
    sandbox.set_script(&json!({ "steps": [job, started, wait], "final": "I have waited." }));
    let session = sandbox.session().to_string();
    let exec = sandbox.start(&["exec", "--jobs", "leave", "--session", &session, "wait for it"]);
    sandbox.until("tool/start", 2);
    (sandbox, exec)
}

#[track_caller]
fn goes_on(sandbox: &Sandbox) {
    sandbox.write("go", "");
    let resumed = sandbox.run(&["resume"]).ended(0);
    assert!(resumed.stdout.contains("I have waited."), "{resumed:?}");
    sandbox.assert_checked();
}

#[test]
fn a_call_within_the_process_comes_to_its_end() {
    let (sandbox, exec) = waiting_within(2);
    let (_, records) = end(&sandbox, exec, 130);
    assert!(is_released(&records));
    assert_eq!(stops(&records), [StopReason::Final, StopReason::PausedForResume]);
    assert_eq!(records.count("tool/result"), 2, "its result is recorded");
    goes_on(&sandbox);
}

#[test]
fn a_call_that_takes_too_long_is_left_to_the_next_start() {
    let (sandbox, exec) = waiting_within(500);
    let start = Instant::now();
    let (done, records) = end(&sandbox, exec, 130);
    assert!(start.elapsed() >= Duration::from_secs(5), "it was waited for: {:?}", start.elapsed());
    assert_snapshot!("too_long", sandbox.shown(&done));
    assert_eq!((is_released(&records), records.count("tool/result")), (false, 1));
    goes_on(&sandbox);
}

#[test]
fn the_second_signal_ends_at_once() {
    let (sandbox, exec) = waiting_within(500);
    let mut exec = Some(exec);
    exec.as_ref().unwrap().signal(Signal::TERM);
    // Two that come together are one; later ones are not.
    let done = loop {
        std::thread::sleep(Duration::from_millis(300));
        let mut running = exec.take().unwrap();
        if !running.is_running() {
            break running.wait().ended(130);
        }
        running.signal(Signal::TERM);
        exec = Some(running);
    };
    assert_snapshot!("at_once", sandbox.shown(&done));
    goes_on(&sandbox);
}

/// A hangup often comes along with another signal, and is never more urgent.
#[test]
fn a_hangup_does_not_hurry() {
    let (sandbox, exec) = waiting_within(2);
    exec.signal(Signal::TERM);
    std::thread::sleep(Duration::from_millis(500));
    exec.signal(Signal::HUP);
    exec.wait().ended(130);
    assert!(is_released(&sandbox.records()), "it ended in order");
    goes_on(&sandbox);
}

fn long_thought(millis: u64) -> Value {
    json!({ "steps": [{ "text": "long ".repeat(60_000), "delay_ms": millis }] })
}

/// What cannot be recorded is tried once more, and not waited for.
#[test]
fn a_full_disk_does_not_hold_it_up() {
    let Some(disk) = SmallDisk::mount("SIGTERM while the disk is full") else { return };
    let sandbox = Sandbox::new(&long_thought(3_000)).with_data(disk.path().join("sessions"));
    let exec = sandbox.start(&["exec", "think"]);
    sandbox.until("attempt/start", 1);
    disk.fill();
    eventually("it waits for room, or has ended", || {
        (exec.stderr().contains("waiting: ") || sandbox.records().count("attempt/end") > 0).then_some(())
    });
    let start = Instant::now();
    exec.signal(Signal::TERM);
    let done = exec.wait();
    assert!(start.elapsed() < IN_TIME, "{:?}: {done:?}", start.elapsed());
    assert!([Some(0), Some(1), Some(130)].contains(&done.status.code()), "{done:?}");
    disk.make_room();
    sandbox.set_script(&json!({ "final": "There is room." }));
    if done.status.code() != Some(0) {
        assert_eq!(sandbox.run(&["resume"]).ended(0).stdout, "There is room.\n");
    }
    sandbox.assert_checked();
}

/// With nothing to record, a model that does not answer is given up at once.
#[test]
fn one_that_was_only_asked_for_ends_in_order_again_and_again() {
    let sandbox = Sandbox::new(&hanging());
    let mut running = sandbox.start(&["exec", "think"]);
    for times in 1..=7 {
        sandbox.until("attempt/start", times);
        let (_, records) = end(&sandbox, running, 130);
        assert_eq!(stops(&records), vec![StopReason::PausedForResume; times], "an orderly end is no crash");
        running = sandbox.start(&["resume"]);
    }
    sandbox.until("attempt/start", 8);
    running.kill();
    sandbox.assert_checked();
}
