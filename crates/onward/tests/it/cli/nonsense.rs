//! Nonsense from outside: files, arguments, names, readers who leave.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::process::Stdio;

use insta::assert_snapshot;
use serde_json::json;

use crate::support::{Sandbox, one_command};

#[test]
fn a_configuration_of_garbage_is_an_error_with_its_place() {
    let sandbox = Sandbox::new(&json!({}));
    sandbox.set_config("model = \"scripted/test\"\n[[[ what = is this\n");
    assert_snapshot!("text", sandbox.shown(&sandbox.run(&["exec", "anything"]).ended(2)));
    std::fs::write(sandbox.path().join("home/.config/onward/config.toml"), [0xff, 0xfe, 0, 0x9f, 0x92])
        .unwrap();
    assert_snapshot!("bytes", sandbox.shown(&sandbox.run(&["exec", "anything"]).ended(2)));
    std::fs::remove_file(sandbox.path().join("home/.config/onward/config.toml")).unwrap();
    std::fs::create_dir(sandbox.path().join("home/.config/onward/config.toml")).unwrap();
    assert_snapshot!("folder", sandbox.shown(&sandbox.run(&["exec", "anything"]).ended(2)));
    assert!(!sandbox.data().exists());
}

#[test]
fn a_script_with_unknown_keys_is_an_error_that_names_them() {
    let sandbox = Sandbox::new(&json!({ "steps": [{ "txt": "hello" }] }));
    assert_snapshot!(sandbox.shown(&sandbox.run(&["exec", "anything"]).ended(2)));
}

#[test]
fn a_provider_that_is_not_there_is_an_error_that_names_it() {
    let sandbox = Sandbox::new(&json!({}));
    let done = sandbox.run(&["exec", "--model", "scriptd/test", "anything"]).ended(2);
    assert_snapshot!(sandbox.shown(&done));
}

#[test]
fn a_task_as_long_as_the_system_allows_is_a_task() {
    let sandbox = Sandbox::new(&json!({ "final": "Long." }));
    let task = "x".repeat(120_000);
    assert_eq!(sandbox.run(&["exec", &task]).ended(0).stdout, "Long.\n");
    let more = sandbox.run_with_input(&["exec", "and this"], &"y ".repeat(3 << 20)).ended(2);
    assert!(more.stderr.contains("larger than 4 MiB"), "{more:?}");
    sandbox.assert_checked();
}

#[test]
fn a_task_that_is_not_text_is_refused() {
    let sandbox = Sandbox::new(&json!({}));
    let mut command = sandbox.command(&["exec"]);
    command.arg(OsStr::from_bytes(b"caf\xe9"));
    let done = sandbox.start_command(command, Stdio::null()).wait().ended(2);
    assert!(done.stderr.contains("UTF-8"), "{done:?}");
}

#[test]
fn names_that_are_not_text_are_shown_and_not_fatal() {
    let sandbox = Sandbox::new(&json!({ "steps": [
        { "calls": [{ "tool": "list", "input": {} }] },
        { "calls": [{ "tool": "glob", "input": { "pattern": "**" } }] },
        { "calls": [{ "tool": "grep", "input": { "pattern": "inside" } }] },
        { "text": "Seen." },
    ] }));
    let name = OsStr::from_bytes(b"caf\xe9.txt");
    std::fs::write(sandbox.workspace().join(name), "inside\n").unwrap();
    sandbox.write("plain.txt", "inside too\n");
    let done = sandbox.run(&["exec", "look around"]).ended(0);
    assert_snapshot!(sandbox.shown(&done));
    sandbox.assert_checked();
}

#[test]
fn a_workspace_whose_name_is_not_text_is_refused() {
    let sandbox = Sandbox::new(&json!({}));
    let folder = sandbox.path().join(OsStr::from_bytes(b"caf\xe9"));
    std::fs::create_dir(&folder).unwrap();
    let mut command = sandbox.command(&["exec", "anything"]);
    command.current_dir(&folder);
    let done = sandbox.start_command(command, Stdio::null()).wait().ended(2);
    assert!(done.stderr.contains("its path is not valid UTF-8"), "{done:?}");
}

#[test]
fn a_reader_who_leaves_is_no_error() {
    let sandbox = Sandbox::new(&json!({ "steps": [
        { "text": "much ".repeat(20_000), "calls": [{ "tool": "list", "input": {} }] },
    ], "final": "Said." }));
    let lines = [
        "exec speak",
        "log",
        "log --json",
        "show",
        "sessions",
        "check",
        "config",
        "demo",
        "--help",
        "exec --json speak",
        "send again",
    ];
    for words in lines {
        // Nobody reads from the start, or the reader leaves after a line.
        for reader in ["true", "head -n 1"] {
            let line = format!("{{ \"$ONWARD\" {words} 2>err; echo $? >code; }} | {reader}");
            sandbox.shell(&line);
            let (code, error) = (sandbox.read("code"), sandbox.read("err"));
            assert_eq!(code, "0\n", "{words} | {reader}: {error}");
            assert!(!error.contains("panicked") && !error.contains("error"), "{words} | {reader}: {error}");
        }
        // Standard error may be read by nobody, too.
        sandbox.shell(&format!("{{ \"$ONWARD\" {words} >out 2>&1; echo $? >code; }} 2>&1 | true"));
        sandbox.shell(&format!("{{ \"$ONWARD\" {words} 2>&1; echo $? >code; }} | true"));
        assert_eq!(sandbox.read("code"), "0\n", "{words}");
    }
    sandbox.run(&["check", "--all"]).ended(0);
}

#[test]
fn closed_streams_are_no_reason_to_panic() {
    let sandbox = Sandbox::new(&one_command());
    sandbox.shell("\"$ONWARD\" exec --mode auto ask <&- >&- 2>&-; echo $? >code");
    assert_eq!(sandbox.read("code"), "0\n");
    sandbox.assert_checked();
}

#[test]
fn what_was_typed_cannot_steer_the_terminal_that_shows_the_error() {
    let sandbox = Sandbox::bare();
    let mut shown = String::new();
    for word in ["--m\u{202e}odel", "a\u{1b}]0;t\u{7}b", "--session=\u{200b}ses_1\u{9b}2J"] {
        for words in [&[word][..], &["exec", word, "x"]] {
            let done = sandbox.run(words);
            let raw = |c: char| (c.is_control() && c != '\n') || matches!(c, '\u{202e}' | '\u{200b}');
            assert!(!done.stderr.contains(raw) && !done.stdout.contains(raw), "{done:?}");
            shown.push_str(&done.stderr);
        }
    }
    for symbol in ["<U+202E>", "␛]0;t␇", "<U+200B>", "<9b>2J"] {
        assert!(shown.contains(symbol), "no {symbol} in {shown}");
    }
}
