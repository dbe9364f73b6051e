//! Logs that were cut off at the places that matter, and what must be said about each call.

use onward_core::{Item, Session, Then, recovery_plan};
use onward_event::{Access, AccessKind, Event, Handle, Place, Semantics, ToolStart};

use crate::good::{Named, asked, crash_in_edit, owned, unknown_waits};
use crate::log::Log;
use crate::values::{call, edit, keyed, read, read_once, shell};

pub(super) fn all() -> Vec<Named> {
    expected().into_iter().map(|(name, log, _)| (name, log)).collect()
}

/// A command that runs under a supervisor.
fn supervised(n: u128) -> Event {
    let place = Place { machine: "here".into(), boot: "1".into() };
    let handle = Handle::Supervised { name: format!("ses.{}.1", call(n)), place, background: false };
    ToolStart { call: call(n), run: 1, semantics: shell(), handle, sandbox: None, rendered: None }.into()
}

fn started(semantics: Semantics) -> Log {
    owned().turn(&[1]).ask().calls(&[(1, "a")]).start(1, 1, semantics)
}

/// A name, a log, and what is planned for its calls in their order.
fn expected() -> Vec<(&'static str, Log, Vec<Then>)> {
    let command = owned().turn(&[1]).ask().calls(&[(1, "shell")]).owner(vec![supervised(1)]);
    vec![
        ("a command under its supervisor", command.clone(), vec![Then::Attach]),
        ("and interrupted", command.interrupt(), vec![Then::Attach]),
        ("an edit", started(edit()), vec![Then::Reconcile]),
        ("an interrupted edit", started(edit()).interrupt(), vec![Then::Reconcile]),
        ("a read", started(read()), vec![Then::RunAgain]),
        ("an interrupted read", started(read()).interrupt(), vec![Then::Cancel]),
        ("a read that may not run twice", started(read_once()), vec![Then::Fail]),
        ("a keyed call", started(keyed("k")), vec![Then::RunAgain]),
        ("a call that nobody can find out about", started(shell()), vec![Then::Unknown]),
        ("a call found not applied", cut_in_recovery(), vec![Then::Authorise, Then::Authorise]),
        ("a question", asked(), vec![Then::Authorise]),
        (
            "an answered question",
            asked().approve(1, onward_event::ApprovalScope::Once),
            vec![Then::Authorise],
        ),
        ("an interrupted question", asked().interrupt(), vec![Then::Cancel]),
        ("two edits of two files", crash_in_edit(), vec![Then::Reconcile, Then::Authorise]),
        ("two edits of one file", of_one_file(crash_in_edit()), vec![Then::Reconcile, Then::Wait]),
        ("an answer among open calls", answered_and_open(), vec![Then::Stand, Then::Authorise]),
        ("a run that waits for an unknown outcome", unknown_waits(), vec![]),
    ]
}

/// As if every call of the log wrote to the same file.
fn of_one_file(mut log: Log) -> Log {
    for record in &mut log.records {
        if let Event::ToolCall(call) = &mut record.event {
            call.accesses = vec![Access { kind: AccessKind::Write, resource: "/w/a".into() }];
        }
    }
    log
}

fn cut_in_recovery() -> Log {
    crash_in_edit().found(1, onward_event::ReconcileVerdict::NotApplied)
}

fn answered_and_open() -> Log {
    owned().turn(&[1]).ask().calls(&[(1, "read"), (2, "edit")]).start(1, 1, read()).ok(1)
}

#[test]
fn each_call_is_attended_to_by_its_semantics() {
    for (name, log, expected) in expected() {
        let session = Session::replay(&log.records).unwrap();
        let plan = recovery_plan(&session, session_time(&log));
        let calls = plan.iter().filter(|line| matches!(line.item, Item::Call { .. }));
        assert_eq!(calls.map(|line| line.then).collect::<Vec<_>>(), expected, "{name}");
    }
}

fn session_time(log: &Log) -> onward_event::Timestamp {
    log.records.last().unwrap().at
}
