//! Rules 10 to 13: whether a call may start, and whether anything may start at all.

use onward_event::{
    ApprovalScope, ApprovalVerdict, Digest, InterruptRequested, InvalidCall, NetworkAccess, Sandbox,
    Timestamp, Verdict,
};

use super::case::{Row, bad, edit, row};
use crate::good::{
    approval_bound, approval_once, approval_second_run, approval_session, contained_again, crash_in_edit,
    crash_not_applied, crash_read_again, owned, tools,
};
use crate::log::Log;
use crate::values::{contained, edit as edits, keyed, read, read_once, turn};

pub(super) fn rows() -> Vec<Row> {
    [decisions(), approvals(), bindings(), again(), handover(), interrupts()].into_iter().flatten().collect()
}

fn one_call() -> Log {
    owned().turn(&[1]).ask().calls(&[(1, "edit")])
}

fn decisions() -> Vec<Row> {
    vec![
        row("a call starts undecided", &[10], tools, |case| case.drop("policy/decided", 0)),
        row("a call starts on a decision of another append", &[10], tools, |case| {
            case.split_before("tool/start", 0)
        }),
        row("a call starts although policy denies it", &[10], tools, |case| {
            edit!(case, PolicyDecided, 0, |body| body.verdict = Verdict::Deny);
        }),
        row("a call starts although policy asks", &[10], tools, |case| {
            edit!(case, PolicyDecided, 0, |body| body.verdict = Verdict::Ask);
        }),
        row("a call starts on a decision under old settings", &[10], tools, |case| {
            edit!(case, PolicyDecided, 0, |body| body.basis.config = 0);
        }),
        row("a call starts that cannot be run", &[10], tools, |case| {
            let invalid = InvalidCall { code: "invalid_arguments".into(), reasons: vec![] };
            edit!(case, ToolCall, 0, |body| body.invalid = Some(invalid));
        }),
    ]
}

fn approvals() -> Vec<Row> {
    vec![
        row("an approval that nobody gave", &[10], approval_once, |case| case.drop("approval/resolved", 0)),
        row("an approval that nobody asked for", &[10], approval_once, |case| {
            case.drop("approval/requested", 0)
        }),
        row("an approval that was refused", &[10], approval_once, |case| {
            edit!(case, ApprovalResolved, 0, |body| body.verdict = ApprovalVerdict::Reject);
        }),
        row("an approval that has expired", &[10], approval_once, |case| {
            edit!(case, ApprovalResolved, 0, |body| body.valid_until = Some(Timestamp(1)));
        }),
        row("an approval for another tool", &[10], approval_once, |case| {
            edit!(case, ApprovalRequested, 0, |body| body.tool = "shell".into());
        }),
        row("an approval for another version", &[10], approval_once, |case| {
            edit!(case, ApprovalRequested, 0, |body| body.version = "0".into());
        }),
        row("an approval for another input", &[10], approval_once, |case| {
            edit!(case, ApprovalRequested, 0, |body| body.digest = Digest([1; 32]));
        }),
        row("an approval for other resources", &[10], approval_once, |case| {
            edit!(case, ApprovalRequested, 0, |body| body.resources = vec!["/w/b".into()]);
        }),
        row("an approval for once serves two calls", &[10], approval_session, |case| {
            edit!(case, ApprovalResolved, 0, |body| body.scope = ApprovalScope::Once);
        }),
        row("an approval for once serves two effects", &[10, 11], approval_second_run, |case| {
            case.drop("tool/reconciled", 0);
        }),
    ]
}

/// What an approval is bound to beside the call.
fn bindings() -> Vec<Row> {
    vec![
        row("an approval for a file that has changed since", &[10], approval_bound, |case| {
            edit!(case, PolicyDecided, 2, |body| body.files[0].digest = Some(Digest([1; 32])));
        }),
        row("an approval for a file that is gone since", &[10], approval_bound, |case| {
            edit!(case, PolicyDecided, 1, |body| body.files[0].digest = None);
        }),
        row("an approval that did not name the file", &[10], approval_bound, |case| {
            edit!(case, ApprovalRequested, 0, |body| body.files.clear());
        }),
        row("an approval given under other rules", &[10], approval_bound, |case| {
            edit!(case, PolicyDecided, 2, |body| body.rules_digest = Some(Digest([1; 32])));
        }),
        row("an approval for what the tool took by then", &[10], approval_bound, |case| {
            edit!(case, PolicyDecided, 2, |body| body.definition = Some(Digest([1; 32])));
        }),
        row("an approval for another containment", &[10], approval_bound, |case| {
            edit!(case, ApprovalRequested, 0, |body| body.sandbox = Some(open()));
        }),
        row("an approval for a contained call serves one that is not", &[10], approval_bound, |case| {
            edit!(case, PolicyDecided, 1, |body| body.sandbox = None);
            edit!(case, ToolStart, 0, |body| body.sandbox = None);
        }),
        row("an approved call is contained otherwise than was decided", &[10], approval_bound, |case| {
            edit!(case, ToolStart, 0, |body| body.sandbox = Some(open()));
        }),
        row("an allowed call is contained otherwise than was decided", &[10], contained_again, |case| {
            edit!(case, ToolStart, 1, |body| body.sandbox = None);
        }),
    ]
}

fn open() -> Sandbox {
    Sandbox { network: NetworkAccess::Open, ..contained() }
}

fn again() -> Vec<Row> {
    vec![
        bad("an edit starts twice", &[11], || one_call().start(1, 1, edits()).start(1, 2, edits())),
        row("an edit starts again that may have been applied", &[11], crash_not_applied, |case| {
            case.drop("tool/reconciled", 0);
        }),
        row("a run's number is not the next", &[11], crash_not_applied, |case| {
            edit!(case, ToolStart, 1, |body| body.run = 3);
        }),
        row("a call starts again with another key", &[11], crash_read_again, |case| {
            edit!(case, ToolStart, 3, |body| body.semantics = keyed("other"));
        }),
        bad("a call starts again that may not run twice", &[11], || {
            one_call().start(1, 1, read_once()).acquire().start(1, 2, read_once())
        }),
    ]
}

fn handover() -> Vec<Row> {
    vec![
        bad("a step begins before a dead owner's call is answered", &[12, 14], || crash_in_edit().go_on(&[])),
        bad("a dead owner's turn takes another step", &[12], || {
            one_call().start(1, 1, read()).ok(1).acquire().go_on(&[])
        }),
        bad("a dead owner's turn asks the model", &[12], || owned().turn(&[1]).acquire().ask()),
        bad("a dead owner's attempt is answered", &[12], || owned().turn(&[1]).ask().acquire().answer()),
    ]
}

fn interrupts() -> Vec<Row> {
    vec![
        bad("the model is asked after an interrupt", &[13], || owned().turn(&[1]).interrupt().ask().answer()),
        bad("a call starts after an interrupt", &[13], || one_call().interrupt().start(1, 1, edits())),
        bad("a call starts after an interrupt that names its turn", &[13], || {
            let interrupt = InterruptRequested { turn: Some(turn(1)) };
            one_call().client(interrupt.into()).start(1, 1, edits())
        }),
    ]
}
