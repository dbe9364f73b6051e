//! A write-ahead log that is cut or damaged after a SIGKILL: nothing goes on in silence, what is left can be seen, and a
//! person may go on from there.

use std::path::PathBuf;

use insta::assert_snapshot;
use onward_event::Event;
use serde_json::json;

use crate::support::{Sandbox, executions, pid_of_command, waiting_command};

/// A session whose process was killed while its command ran.
fn killed() -> Sandbox {
    let sandbox = Sandbox::new(&waiting_command());
    let exec = sandbox.start(&["exec", "--mode", "auto", "wait"]);
    pid_of_command(&sandbox);
    exec.kill();
    sandbox
}

/// The same, where a person had been asked about the command: so its call and its start are not of one append.
fn killed_after_an_answer() -> Sandbox {
    let sandbox = Sandbox::new(&waiting_command());
    sandbox.run(&["exec", "wait"]).ended(3);
    let approve = sandbox.start(&["approve"]);
    pid_of_command(&sandbox);
    approve.kill();
    sandbox
}

/// The log, and where in it the first record of this kind stands.
fn log_and_place(sandbox: &Sandbox, kind: &str) -> (PathBuf, Vec<u8>, usize) {
    let path = sandbox.data().join("onward.db-wal");
    let bytes = std::fs::read(&path).unwrap();
    let words = format!("\"kind\":\"{kind}\"");
    let at = bytes.windows(words.len()).position(|window| window == words.as_bytes()).unwrap();
    (path, bytes, at)
}

/// Cuts the log off before the first record of this kind.
fn cut(sandbox: &Sandbox, kind: &str) -> (PathBuf, Vec<u8>) {
    let (path, mut bytes, at) = log_and_place(sandbox, kind);
    bytes.truncate(at);
    std::fs::write(&path, &bytes).unwrap();
    std::fs::remove_file(sandbox.data().join("onward.db-shm")).unwrap();
    (path, bytes)
}

#[test]
fn a_log_that_was_cut_stops_every_command_that_writes_and_none_that_looks() {
    let sandbox = killed_after_an_answer();
    let (path, bytes) = cut(&sandbox, "tool/start");
    for command in [["exec", "something else"].as_slice(), &["resume"], &["send", "go on"], &["check"]] {
        let done = sandbox.run(command).ended(1);
        assert_snapshot!(format!("cut_{}", command[0]), sandbox.shown(&done));
    }
    let log = sandbox.run(&["log"]).ended(0);
    assert!(log.stdout.contains("tool/call") && !log.stdout.contains("tool/start"), "{log:?}");
    assert!(log.stderr.contains("the end of the store is missing"), "{log:?}");
    for command in [["sessions"].as_slice(), &["show"], &["recover", "--dry-run"]] {
        let done = sandbox.run(command).ended(0);
        assert!(done.stderr.contains("the end of the store is missing"), "{done:?}");
    }
    assert_eq!(std::fs::read(&path).unwrap(), bytes, "what is left of the log stays as it is");
    sandbox.write("go", "");
}

#[test]
fn a_bit_that_changed_in_the_log_is_noticed_and_a_whole_log_is_not() {
    let sandbox = killed();
    let (path, bytes, start) = log_and_place(&sandbox, "tool/start");
    for at in [40, bytes.len() / 3, start] {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x04;
        std::fs::write(&path, &damaged).unwrap();
        let _ = std::fs::remove_file(sandbox.data().join("onward.db-shm"));
        let done = sandbox.run(&["resume"]).ended(1);
        assert!(done.stderr.contains("as onward.db-mark counts them"), "{at}: {done:?}");
    }
    std::fs::write(&path, &bytes).unwrap();
    let _ = std::fs::remove_file(sandbox.data().join("onward.db-shm"));
    sandbox.write("go", "");
    sandbox.run(&["resume"]).ended(0);
    assert_eq!(sandbox.read("ledger"), "went\n");
    sandbox.assert_checked();
}

#[test]
fn a_person_can_accept_the_loss_and_what_ran_is_not_done_again() {
    let sandbox = killed_after_an_answer();
    let (_, bytes) = cut(&sandbox, "tool/start");
    let accepted = sandbox.run(&["recover", "--accept-loss"]).ended(0);
    assert_snapshot!("accepted", sandbox.shown(&accepted));
    assert_eq!(std::fs::read(sandbox.data().join("onward.db-wal.cut")).unwrap(), bytes);
    let again = sandbox.run(&["recover", "--accept-loss"]).ended(0);
    assert!(again.stderr.contains("nothing is missing"), "{again:?}");
    let resume = sandbox.start(&["resume"]);
    // The answer counts while the files that the command names are as they were.
    sandbox.until("tool/start", 1);
    sandbox.write("go", "");
    resume.wait().ended(0);
    assert_eq!(sandbox.read("ledger"), "went\n", "the log knows the call, and finds its command by name");
    sandbox.assert_checked();
}

#[test]
fn a_command_that_the_log_does_not_know_any_more_is_told_and_kept() {
    let sandbox = killed();
    cut(&sandbox, "assistant/accepted");
    sandbox.run(&["recover", "--accept-loss"]).ended(0);
    sandbox.write("go", "");
    sandbox.set_script(&json!({ "final": "I have looked." }));
    for _ in 0..2 {
        sandbox.run(&["resume"]).ended(0);
    }
    let told = sandbox.records().all(|event| match event {
        Event::NoticeAdded(notice) => Some(notice.text.contains("commands ran that it does not know")),
        _ => None,
    });
    assert_eq!(told, [true], "told once");
    assert_eq!(executions(&sandbox), 1, "what proves the loss stays where it is");
    sandbox.assert_checked();
}

#[test]
fn a_database_that_was_removed_is_missed_by_every_command_that_looks() {
    let sandbox = Sandbox::new(&json!({ "steps": [
        { "calls": [{ "tool": "shell", "input": { "command": "seq 1 80000" } }] }, { "text": "Done." },
    ] }));
    sandbox.run(&["exec", "--mode", "auto", "count"]).ended(0);
    std::fs::remove_file(sandbox.data().join("onward.db")).unwrap();
    for name in ["onward.db-wal", "onward.db-shm"] {
        let _ = std::fs::remove_file(sandbox.data().join(name));
    }
    assert_snapshot!(sandbox.shown(&sandbox.run(&["check"]).ended(1)));
    for command in
        [["sessions"].as_slice(), &["show"], &["log"], &["check", "--all"], &["recover", "--dry-run"]]
    {
        let done = sandbox.run(command).ended(1);
        assert!(done.stderr.contains("is missing, and with it every session"), "{done:?}");
    }
    assert!(!sandbox.data().join("onward.db").exists(), "a look makes nothing");
}
