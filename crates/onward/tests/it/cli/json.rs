//! `--json`: the stream of events, as a program reads it.

use insta::assert_snapshot;
use onward_wire::{Cursor, PROTOCOL, WireEvent};
use serde_json::json;

use crate::support::{Sandbox, hanging, one_command};

/// The lines, each of which must be an event of the protocol.
fn lines(text: &str) -> Vec<WireEvent> {
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect()
}

/// The cursors of the durable lines.
fn cursors(lines: &[WireEvent]) -> Vec<Cursor> {
    lines.iter().filter_map(WireEvent::cursor).collect()
}

#[test]
fn the_stream_of_a_run_is_a_promise() {
    let sandbox = Sandbox::new(&one_command());
    let done = sandbox.run(&["exec", "--mode", "auto", "--json", "ask the shell"]).ended(0);
    let lines = lines(&done.stdout);
    assert!(matches!(&lines[0], WireEvent::Session(session) if session.protocol == PROTOCOL));
    assert!(matches!(lines.last(), Some(WireEvent::Result(end)) if end.exit_code == 0));
    let seqs: Vec<u64> = cursors(&lines).iter().map(|cursor| cursor.seq().0).collect();
    assert!(seqs.is_sorted_by(|a, b| a < b), "{seqs:?}");
    assert_snapshot!(sandbox.shown(&done));
}

#[test]
fn a_cursor_resumes_exactly_behind_it() {
    let sandbox = Sandbox::new(&one_command());
    sandbox.run(&["exec", "--mode", "auto", "ask the shell"]).ended(0);
    let whole = sandbox.run(&["log", "--json"]).ended(0).stdout;
    let (first, rest) = whole.split_once('\n').unwrap();
    let all = lines(&whole);
    let rest: Vec<&str> = rest.lines().collect();
    for (n, cursor) in cursors(&all).into_iter().enumerate() {
        // A line without a record of its own belongs to the one before.
        let behind = all.iter().skip(1).position(|line| line.cursor() == Some(cursor)).unwrap() + 1;
        let resumed = sandbox.run(&["log", "--json", "--after", &cursor.to_string()]).ended(0).stdout;
        let mut expected = vec![first];
        expected.extend(&rest[behind..]);
        assert_eq!(resumed.lines().collect::<Vec<_>>(), expected, "after line {n}");
    }
    let start = sandbox.run(&["log", "--json", "--after", "0-00000000"]).ended(0).stdout;
    assert_eq!(start, whole);
}

#[test]
fn a_cursor_of_another_history_is_refused() {
    let sandbox = Sandbox::new(&one_command());
    sandbox.run(&["exec", "--mode", "auto", "ask the shell"]).ended(0);
    let last = sandbox.records().0.len();
    for (cursor, code) in [("3-00000000", 1), ("900-00000000", 1), ("3-0000", 2)] {
        let done = sandbox.run(&["log", "--after", cursor]).ended(code);
        assert!(done.stdout.is_empty(), "{last}: {done:?}");
        assert_snapshot!(format!("cursor_{cursor}"), sandbox.shown(&done));
    }
}

#[test]
fn a_failure_of_the_command_is_a_line_too() {
    let sandbox = Sandbox::new(&hanging());
    let exec = sandbox.start(&["exec", "ask"]);
    sandbox.until("attempt/start", 1);
    exec.kill();
    sandbox.set_config(&sandbox.scripted_config().replace("script.json", "gone.json"));
    let done = sandbox.run(&["resume", "--json"]).ended(2);
    assert!(matches!(lines(&done.stdout).last(), Some(WireEvent::Error(failure)) if failure.exit_code == 2));
    assert_snapshot!(sandbox.shown(&done));
}

#[test]
fn no_line_is_broken_by_what_a_model_says() {
    let sandbox = Sandbox::new(&json!({ "final": "a\u{2028}b\u{85}c\r\nd\u{1b}[31me" }));
    let done = sandbox.run(&["exec", "--json", "speak"]).ended(0);
    assert!(!done.stdout.contains(['\u{2028}', '\u{85}', '\u{1b}', '\r']), "{}", done.stdout);
    let answer = lines(&done.stdout).into_iter().find_map(|line| match line {
        WireEvent::Result(end) => Some(end.answer),
        _ => None,
    });
    assert_eq!(answer.unwrap(), "a\u{2028}b\u{85}c\r\nd\u{1b}[31me");
}
