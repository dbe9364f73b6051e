//! A torn or damaged record: it is named, the committed prefix goes on, and nothing is repaired in silence.

use std::collections::BTreeMap;

use insta::assert_snapshot;
use onward_event::Event;
use serde_json::json;

use crate::support::{Done, Sandbox, copy_folder, hanging, records, rows};

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

/// The commands that read or go on with a session, on a copy whose database was damaged in this way.
fn on_damaged(sandbox: &Sandbox, name: &str, damage: impl Fn(&mut Vec<u8>)) -> BTreeMap<&'static str, Done> {
    let id = sandbox.session().to_string();
    let records = sandbox.records().0;
    let attempt = records.iter().find_map(|record| match &record.event {
        Event::AttemptStart(start) => Some(start.attempt.to_string()),
        _ => None,
    });
    let attempt = attempt.unwrap();
    let commands = [
        ("sessions", vec!["sessions", "--all"]),
        ("log", vec!["log", &id]),
        ("show", vec!["show", &id]),
        ("request", vec!["request", "show", &attempt]),
        ("check", vec!["check", &id]),
        ("send", vec!["send", "--session", &id, "go on"]),
    ];
    let run = |(command, args): (&'static str, Vec<&str>)| {
        let folder = sandbox.path().join(format!("{name}-{command}"));
        copy_folder(sandbox.data(), &folder);
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
    for command in ["log", "show", "request", "sessions"] {
        assert_eq!(done[command].code(), 1, "{command}");
        assert!(!done[command].stdout.contains("AN unmistakable"), "{command} shows what nobody wrote");
    }
    for command in ["check", "send", "log", "show", "request", "sessions"] {
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
    for n in 0..places {
        let at = size * (2 * n + 1) / (2 * places);
        let done = on_damaged(&sandbox, &format!("flipped-{n}"), |bytes| {
            bytes[at..at + 64].iter_mut().for_each(|byte| *byte ^= 0xa5);
        });
        match done["check"].code() {
            // Nothing of the session stood there.
            0 => assert_eq!(done["log"].stdout, whole, "{at}: called whole, and changed"),
            code => assert_eq!(code, 1, "{at}"),
        }
    }
}

#[test]
fn flipped_bytes_of_any_record_are_noticed() {
    let sandbox = finished();
    let (whole, places) = (rows(sandbox.data()), 24);
    let folder = sandbox.path().join("flipped");
    copy_folder(sandbox.data(), &folder);
    let database = std::fs::read(folder.join("onward.db")).unwrap();
    for n in 0..places {
        // Its beginning has its number, and is there nowhere else but where pages that were split keep it.
        let (seq, bytes, _) = &whole[n * (whole.len() - 1) / (places - 1)];
        let mut damaged = database.clone();
        let beginning = &bytes[..40];
        let found: Vec<usize> =
            (0..damaged.len() - 40).filter(|at| damaged[*at..].starts_with(beginning)).collect();
        assert!(!found.is_empty(), "record {seq} lies in one piece");
        for at in found {
            damaged[at..at + 40].iter_mut().for_each(|byte| *byte ^= 0xa5);
        }
        std::fs::write(folder.join("onward.db"), damaged).unwrap();
        let checked = sandbox.run(&["--data-dir", folder.to_str().unwrap(), "check", "--all"]).ended(1);
        assert!(checked.stdout.contains(&format!("record {seq} ")), "{seq}: {checked:?}");
    }
}

#[test]
fn the_last_record_that_was_changed_is_named_and_those_before_it_are_read() {
    let sandbox = finished();
    let last = sandbox.records().0.len();
    let whole = sandbox.run(&["log"]).ended(0).stdout;
    let done = on_damaged(&sandbox, "last", |bytes| {
        // Pages that were split keep what they no longer hold.
        while let Some(at) = position(bytes, "owner/released") {
            bytes[at..at + 5].copy_from_slice(b"OWNER");
        }
    });
    for command in ["check", "send"] {
        let Done { stdout, stderr, .. } = &done[command];
        assert_eq!(done[command].code(), 1, "{command}");
        assert!(format!("{stdout}{stderr}").contains(&format!("record {last}")), "{stdout}{stderr}");
    }
    assert!(done["send"].stderr.contains("the records before it are whole"), "{:?}", done["send"]);
    // What stands before the damage is what it was, and is shown; what is damaged is named, and not shown.
    let (shown, was): (Vec<_>, Vec<_>) = (done["log"].stdout.lines().collect(), whole.lines().collect());
    assert_eq!(shown, &was[..last - 1]);
    for command in ["log", "show", "sessions"] {
        assert_eq!(done[command].code(), 1, "{command}");
        let named = format!("damaged at record {last}: its bytes do not match its hash");
        assert!(done[command].stderr.contains(&named), "{command}: {}", done[command].stderr);
    }
    assert!(done["show"].stdout.contains(WORDS) && done["show"].stdout.contains("Counted."));
    assert!(!done["show"].stdout.contains("tokens in"), "what is said of the end holds for the whole log");
    assert!(done["sessions"].stdout.contains("damaged") && done["sessions"].stdout.contains(WORDS));
    let code = done["request"].code();
    assert_eq!(code, 0, "the request was made before the damage: {:?}", done["request"]);
}

/// What a disk may leave of the last append when the power goes while it is written.
#[test]
fn a_torn_tail_is_named_and_the_committed_prefix_goes_on_when_a_person_says_so() {
    let sandbox = Sandbox::new(&hanging());
    let exec = sandbox.start(&["exec", "think"]);
    sandbox.until("attempt/start", 1);
    sandbox.run(&["send", "and hurry"]).ended(0);
    exec.kill();
    let (before, session) = (sandbox.records(), sandbox.session());
    let wal = sandbox.data().join("onward.db-wal");
    let bytes = std::fs::read(&wal).unwrap();
    sandbox.set_script(&json!({ "final": "Thought." }));
    for torn in [1, bytes.len() / 8, bytes.len() / 4] {
        let folder = sandbox.path().join(format!("torn-{torn}"));
        copy_folder(sandbox.data(), &folder);
        std::fs::write(folder.join("onward.db-wal"), &bytes[..bytes.len() - torn]).unwrap();
        let left = records(&folder, session).0;
        assert!(before.0.starts_with(&left) && left.len() < before.0.len(), "{torn}: a prefix is left");
        let run = |args: &[&str], code| {
            sandbox.run(&[&["--data-dir", folder.to_str().unwrap()], args].concat()).ended(code)
        };
        for command in [["check", "--all"].as_slice(), &["resume"], &["send", "go on"]] {
            let refused = run(command, 1).stderr;
            assert!(
                refused.contains("the store is damaged") && refused.contains("--accept-loss"),
                "{refused}"
            );
        }
        run(&["recover", "--accept-loss"], 0);
        run(&["check", "--all"], 0);
        if left.iter().any(|record| record.event.kind() == "inbox/received") {
            assert_eq!(run(&["resume"], 0).stdout, "Thought.\n", "{torn}");
            let now = records(&folder, session).0;
            assert!(now.starts_with(&left) && now.len() > left.len(), "{torn}: what was left is kept");
            run(&["check", "--all"], 0);
        }
    }
}
