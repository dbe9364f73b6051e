//! Rules 9 and 14: which calls there are, and how each is answered.

use onward_event::ResultStatus;

use super::case::{Row, bad, edit, row};
use crate::good::{crash_applied, crash_in_edit, never_started, owned, tools, unknown_waits};
use crate::log::Log;
use crate::values::{keyed, read, shell};

pub(super) fn rows() -> Vec<Row> {
    [proposed(), answered(), recovered(), closed()].into_iter().flatten().collect()
}

fn one_call() -> Log {
    owned().turn(&[1]).ask().calls(&[(1, "shell")])
}

fn proposed() -> Vec<Row> {
    vec![
        row("more calls than the output announced", &[9], tools, |case| {
            edit!(case, AssistantAccepted, 0, |body| body.calls = 2);
        }),
        row("a call is missing", &[3, 9], tools, |case| case.drop("tool/call", 2)),
        row("a call in another append", &[9], tools, |case| case.split_before("tool/call", 2)),
        row("calls out of order", &[9], tools, |case| edit!(case, ToolCall, 1, |body| body.ordinal = 2)),
        row("a call is proposed twice", &[3, 9], tools, |case| case.duplicate("tool/call", 1)),
    ]
}

fn answered() -> Vec<Row> {
    vec![
        row("a call is answered twice", &[9], tools, |case| case.duplicate("tool/result", 1)),
        bad("a call is denied after its result", &[3, 9], || one_call().start(1, 1, shell()).ok(1).deny(1)),
        row("a call is answered that nobody proposed", &[2, 9, 14], tools, |case| {
            edit!(case, ToolResult, 0, |body| body.call = crate::values::call(9));
        }),
        row("a result without a start", &[9], tools, |case| {
            case.drop("policy/decided", 1);
            case.drop("tool/start", 1);
        }),
        row("a call that cannot be run succeeds", &[9], never_started, |case| {
            edit!(case, ToolResult, 0, |body| body.status = ResultStatus::Ok);
        }),
        bad("a call starts after its outcome is unknown", &[3, 9], || {
            one_call().start(1, 1, shell()).unknown(1).start(1, 1, shell())
        }),
        bad("a call that never started is unknown", &[9], || one_call().unknown(1)),
        bad("a running call is denied", &[9], || one_call().start(1, 1, shell()).deny(1)),
        bad("a call that never started was stopped", &[9], || one_call().cancel(1, true)),
    ]
}

fn recovered() -> Vec<Row> {
    vec![
        row("a result that nobody looked for", &[9], crash_applied, |case| case.drop("tool/reconciled", 0)),
        bad("a dead owner's read has a result that nobody read", &[9], || {
            one_call().start(1, 1, read()).acquire().ok(1)
        }),
        row("what became of a call is found out twice", &[9], crash_applied, |case| {
            case.duplicate("tool/reconciled", 0);
        }),
        row("an unknown outcome that nobody looked for", &[9], unknown_waits, |case| {
            case.drop("tool/reconciled", 0);
        }),
        row("a call was found applied and has no result", &[9, 12, 14], crash_applied, |case| {
            case.drop("tool/result", 0);
        }),
        bad("a call was found not applied and has a result", &[9], || {
            crash_in_edit().found(1, onward_event::ReconcileVerdict::NotApplied).ok(1)
        }),
        bad("something is found out about a call that never started", &[9], || {
            crash_in_edit().found(2, onward_event::ReconcileVerdict::Applied)
        }),
        bad("an earlier owner's edit is refused before anybody looked for it", &[9], || {
            crash_in_edit().deny(1)
        }),
        bad("an earlier owner's keyed call is refused when it is to run again", &[9], || {
            one_call().start(1, 1, keyed("k")).acquire().deny(1)
        }),
        bad("an earlier owner's call is said never to have started", &[9], || {
            crash_in_edit().interrupt().cancel(1, false)
        }),
    ]
}

fn closed() -> Vec<Row> {
    vec![
        bad("a step ends with an open call", &[14], || {
            let log = owned().turn(&[1]).ask().calls(&[(1, "read"), (2, "edit")]).start(1, 1, read()).ok(1);
            log.go_on(&[]).ask()
        }),
        row(
            "a request shows a call without an answer",
            &[14],
            || one_call().ask(),
            |case| {
                case.drop("attempt/start", 1);
            },
        ),
        row("an answer is lost", &[2, 9, 14], tools, |case| case.drop("tool/result", 2)),
    ]
}
