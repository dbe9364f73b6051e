//! Damaged and copied stores: what is wrong is named, never repaired in silence, and never a panic.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use insta::assert_snapshot;
use serde_json::json;

use crate::answers::one_command;
use crate::support::{Done, Sandbox};

/// Words that stand in one record only.
const WORDS: &str = "an unmistakable task";

/// A sandbox with a finished session, large enough that its database has many pages.
fn finished() -> Sandbox {
    let command = json!({ "tool": "shell", "input": { "command": "seq 1 400" } });
    let sandbox = Sandbox::new(&json!({ "steps": [
        { "text": "I count.", "repeat": 12, "calls": [command] },
        { "text": "Counted." },
    ] }));
    sandbox.run(&["exec", "--mode", "auto", WORDS]).ended(0);
    assert!(!sandbox.data().join("onward.db-wal").exists(), "closing moves everything into the database");
    sandbox
}

/// Copies a folder.
fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &target),
            false => drop(std::fs::copy(entry.path(), target).unwrap()),
        }
    }
}

/// What is in every file of a folder.
fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => all.extend(contents(&path)),
            false => drop(all.insert(path.clone(), std::fs::read(&path).unwrap())),
        }
    }
    all
}

/// The commands that read or go on with a session, on a copy whose database was damaged in this way.
fn on_damaged(sandbox: &Sandbox, name: &str, damage: impl Fn(&mut Vec<u8>)) -> BTreeMap<&'static str, Done> {
    let id = sandbox.session().to_string();
    let commands = [
        ("sessions", vec!["sessions", "--all"]),
        ("log", vec!["log", &id]),
        ("show", vec!["show", &id]),
        ("check", vec!["check", &id]),
        ("send", vec!["send", "--session", &id, "go on"]),
    ];
    let run = |(command, args): (&'static str, Vec<&str>)| {
        let folder = sandbox.path().join(format!("{name}-{command}"));
        copy(sandbox.data(), &folder);
        let database = folder.join("onward.db");
        let mut bytes = std::fs::read(&database).unwrap();
        damage(&mut bytes);
        std::fs::write(&database, bytes).unwrap();
        let place = ["--data-dir", folder.to_str().unwrap()];
        let done = sandbox.run(&[place.as_slice(), &args].concat());
        std::fs::remove_dir_all(&folder).unwrap();
        assert!(!done.stderr.contains("panicked"), "{name} {command}: {done:?}");
        let code = done.status.code().unwrap_or_else(|| panic!("{name} {command}: {done:?}"));
        assert!([0, 1].contains(&code), "{name} {command}: {done:?}");
        assert_eq!(code == 1, done.stderr.contains("error: "), "{name} {command}: {done:?}");
        (command, done)
    };
    commands.into_iter().map(run).collect()
}

fn position(bytes: &[u8], words: &str) -> Option<usize> {
    bytes.windows(words.len()).position(|window| window == words.as_bytes())
}

#[test]
fn a_record_that_was_changed_is_named() {
    let sandbox = finished();
    let done = on_damaged(&sandbox, "changed", |bytes| {
        // Pages that were split keep what they no longer hold.
        while let Some(at) = position(bytes, WORDS) {
            bytes[at..at + 2].copy_from_slice(b"AN");
        }
    });
    assert_eq!(done["check"].code(), 1);
    assert_eq!(done["send"].code(), 1, "nobody goes on from a changed record");
    for command in ["check", "send"] {
        assert_snapshot!(format!("changed_{command}"), sandbox.shown(&done[command]));
    }
}

#[test]
fn a_database_that_was_cut_off_is_named() {
    let sandbox = finished();
    for (name, keep) in [("half", 2), ("nearly_nothing", 50)] {
        let done = on_damaged(&sandbox, name, |bytes| bytes.truncate(bytes.len() / keep));
        assert_eq!(done["check"].code(), 1, "{name}");
        assert_eq!(done["send"].code(), 1, "{name}");
        let error = &done["check"];
        let text = format!("{}{}", error.stdout, error.stderr);
        assert!(text.contains("damaged") || text.contains("malformed"), "{name}: {error:?}");
    }
}

#[test]
fn something_else_in_place_of_the_database_is_named_and_left_alone() {
    let sandbox = finished();
    for (name, content) in
        [("text", b"these are not the sessions you look for".repeat(200)), ("zeros", vec![0; 8192])]
    {
        let folder = sandbox.path().join(name);
        std::fs::create_dir(&folder).unwrap();
        std::fs::write(folder.join("onward.db"), &content).unwrap();
        let done = sandbox.run(&["--data-dir", folder.to_str().unwrap(), "exec", "anything"]).ended(1);
        assert_snapshot!(format!("not_a_database_{name}"), sandbox.shown(&done));
        assert_eq!(std::fs::read(folder.join("onward.db")).unwrap(), content, "{name}");
    }
}

#[test]
fn flipped_bytes_anywhere_are_an_error_or_harmless() {
    let sandbox = finished();
    let size = std::fs::metadata(sandbox.data().join("onward.db")).unwrap().len() as usize;
    let whole = sandbox.run(&["log"]).ended(0).stdout;
    let places = 16;
    let mut noticed = 0;
    for n in 0..places {
        let at = size * (2 * n + 1) / (2 * places);
        let done = on_damaged(&sandbox, &format!("flipped-{n}"), |bytes| {
            bytes[at..at + 64].iter_mut().for_each(|byte| *byte ^= 0xa5);
        });
        match done["check"].code() {
            // Nothing of the session stood there.
            0 => assert_eq!(done["log"].stdout, whole, "{at}: called whole, and changed"),
            _ => noticed += 1,
        }
    }
    assert!(noticed > 0, "none of {places} places held anything of the session");
}

#[test]
fn a_copy_works_and_leaves_the_original_alone() {
    let sandbox = Sandbox::new(&one_command());
    sandbox.run(&["exec", "--mode", "auto", "first"]).ended(0);
    sandbox.set_script(&json!({ "final": "In the copy." }));
    let folder = sandbox.path().join("copy");
    copy(sandbox.data(), &folder);
    let before = contents(sandbox.data());
    let place = ["--data-dir", folder.to_str().unwrap()];
    let run = |args: &[&str]| sandbox.run(&[place.as_slice(), args].concat());
    assert_eq!(run(&["send", "second"]).ended(0).stdout, "In the copy.\n");
    run(&["check", "--all"]).ended(0);
    assert_eq!(contents(sandbox.data()), before);
    let counts = |args: &[&str]| sandbox.run(args).ended(0).stdout.matches("inbox/received").count();
    assert_eq!((counts(&["log"]), counts(&[place.as_slice(), &["log"]].concat())), (1, 2));
}

#[test]
fn a_copy_of_a_running_session_is_a_session_of_its_own() {
    let sandbox = Sandbox::new(&crate::interrupts::waiting_command());
    let exec = sandbox.start(&["exec", "--mode", "auto", "wait"]);
    crate::interrupts::pid_of_command(&sandbox);
    let folder = sandbox.path().join("copy");
    copy(sandbox.data(), &folder);
    let place = ["--data-dir", folder.to_str().unwrap()];
    // Its owner is not there; nothing that the copy does reaches the original's command.
    let listed = sandbox.run(&[place.as_slice(), &["sessions"]].concat()).ended(0);
    assert!(listed.stdout.contains("interrupted"), "{listed:?}");
    sandbox.run(&[place.as_slice(), &["check", "--all"]].concat()).ended(0);
    sandbox.write("go", "");
    exec.wait().ended(0);
    assert_eq!(sandbox.read("ledger"), "went\n");
    sandbox.assert_checked();
}
