//! A copied or a moved data folder: it is self-contained. What is done in it is done in it, and never in the original.

use std::path::Path;

use onward_event::{Event, MessageId};
use serde_json::json;

use super::working::Working;
use crate::support::{
    Done, Records, Sandbox, contents, copy_folder, hanging, one_command, records, shown_in,
};

/// Runs the program on the sessions in this folder.
fn run_in(sandbox: &Sandbox, folder: &Path, args: &[&str]) -> Done {
    sandbox.run(&[&["--data-dir", folder.to_str().unwrap()], args].concat())
}

/// Whether any file in the folder names this place.
fn names(folder: &Path, place: &Path) -> bool {
    let place = place.to_str().unwrap().as_bytes();
    contents(folder).values().any(|bytes| bytes.windows(place.len()).any(|window| window == place))
}

fn messages(records: &Records) -> Vec<MessageId> {
    records.all(|event| match event {
        Event::InboxReceived(received) => Some(received.message.id),
        _ => None,
    })
}

#[test]
fn a_copy_works_and_leaves_the_original_alone() {
    let sandbox = Sandbox::new(&one_command());
    sandbox.run(&["exec", "--mode", "auto", "first"]).ended(0);
    sandbox.set_script(&json!({ "final": "In the copy." }));
    let folder = sandbox.path().join("copy");
    copy_folder(sandbox.data(), &folder);
    let before = contents(sandbox.data());
    assert!(!names(&folder, sandbox.data()), "nothing in it leads back");
    let run = |args: &[&str]| run_in(&sandbox, &folder, args);
    assert_eq!(run(&["send", "second"]).ended(0).stdout, "In the copy.\n");
    run(&["check", "--all"]).ended(0);
    assert_eq!(contents(sandbox.data()), before);
    let messages = |done: Done| done.ended(0).stdout.matches("inbox/received").count();
    assert_eq!((messages(sandbox.run(&["log"])), messages(run(&["log"]))), (1, 2));
}

#[test]
fn a_copy_of_a_running_session_is_a_session_of_its_own() {
    let Working { sandbox, exec } = Working::start();
    let folder = sandbox.path().join("copy");
    copy_folder(sandbox.data(), &folder);
    let before = contents(sandbox.data());
    // Its owner is not there, and what became of the command is not to be seen from here.
    let listed = run_in(&sandbox, &folder, &["sessions"]).ended(0);
    assert!(listed.stdout.contains("interrupted"), "{listed:?}");
    let resumed = run_in(&sandbox, &folder, &["resume"]).ended(5);
    assert!(resumed.stderr.contains("reconcile call_"), "{resumed:?}");
    run_in(&sandbox, &folder, &["check", "--all"]).ended(0);
    assert_eq!(contents(sandbox.data()), before, "nothing that the copy does reaches the original");
    assert_eq!(sandbox.read("ledger"), "");

    sandbox.write("go", "");
    exec.wait().ended(0);
    assert_eq!(sandbox.read("ledger"), "went\n", "the original's command ran once");
    sandbox.assert_checked();
}

#[test]
fn an_interrupted_session_goes_on_where_its_folder_was_moved_to() {
    let sandbox = Sandbox::new(&hanging());
    let exec = sandbox.start(&["exec", "think"]);
    sandbox.until("attempt/start", 1);
    sandbox.run(&["send", "and think hard"]).ended(0);
    exec.kill();
    let session = sandbox.session();
    let folder = sandbox.path().join("moved");
    std::fs::rename(sandbox.data(), &folder).unwrap();

    sandbox.set_script(&json!({ "final": "Thought." }));
    let resumed = run_in(&sandbox, &folder, &["resume", &session.to_string()]).ended(0);
    assert_eq!(resumed.stdout, "Thought.\n");
    let moved = records(&folder, session);
    assert_eq!(messages(&moved).len(), 2);
    for message in messages(&moved) {
        shown_in(&moved, message);
    }
    run_in(&sandbox, &folder, &["check", "--all"]).ended(0);
    assert!(!sandbox.data().exists(), "the place that it was moved from stays empty");
}

#[test]
fn a_finished_session_that_was_moved_is_read_and_gone_on_with() {
    let sandbox = Sandbox::new(&json!({ "steps": [
        // Too long to stand in the database.
        { "calls": [{ "tool": "shell", "input": { "command": "seq 1 100000" } }] },
        { "text": "Counted." },
    ] }));
    sandbox.run(&["exec", "--mode", "auto", "count"]).ended(0);
    let (session, said) = (sandbox.session(), sandbox.run(&["show"]).ended(0).stdout);
    let folder = sandbox.path().join("elsewhere/moved");
    std::fs::create_dir(folder.parent().unwrap()).unwrap();
    std::fs::rename(sandbox.data(), &folder).unwrap();
    assert!(!names(&folder, sandbox.data()), "nothing in it leads back");

    let run = |args: &[&str]| run_in(&sandbox, &folder, args).ended(0).stdout;
    assert_eq!(run(&["show", &session.to_string()]), said);
    run(&["check", "--all"]);
    sandbox.set_script(&json!({ "final": "Gone on." }));
    assert_eq!(run(&["send", "go on"]), "Gone on.\n");
    run(&["check", "--all"]);
    assert!(!sandbox.data().exists(), "the place that it was moved from stays empty");
}
