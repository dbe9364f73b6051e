//! Logs that sessions really make: none breaks a rule, nor does any prefix of one.

use onward_event::{
    ApprovalScope, ApprovalVerdict, AttemptOutcome, JobState, Mode, ReconcileVerdict, RejectReason,
};
use onward_event::{InboxCancelReason, Record, StepTerminal, StopReason, TurnTerminal};

use crate::env::check_records;
use crate::log::{Log, log};
use crate::values::{edit, keyed, read, read_once, shell};

pub(crate) type Named = (&'static str, Log);

/// All of them.
pub(crate) fn all() -> Vec<Named> {
    vec![
        ("a plain answer", plain_answer()),
        ("tools in parallel", tools()),
        ("an edit that a crash left applied", crash_applied()),
        ("an edit that a crash left undone", crash_not_applied()),
        ("a read that a crash cut off runs again", crash_read_again()),
        ("a call that may not run twice, after a crash", crash_read_once()),
        ("a crash before the request", crash_before_request()),
        ("a crash while the model is asked", crash_in_attempt()),
        ("an unknown outcome, settled", unknown_settled()),
        ("an unknown outcome of a living owner", unknown_alive()),
        ("an approval for once", approval_once()),
        ("an approval for the session", approval_session()),
        ("an approval that serves a second run", approval_second_run()),
        ("an approval bound to files, rules and a containment", approval_bound()),
        ("a contained call that a crash left undone", contained_again()),
        ("a rejection", rejection()),
        ("an interrupt", interrupt()),
        ("an interrupt before the request", interrupt_before_request()),
        ("a retry", retry()),
        ("an orderly handover while a person is asked", handover()),
        ("an orderly end while a command runs", left_running()),
        ("messages of every kind", messages()),
        ("clients who are late", late_clients()),
        ("calls that never start", never_started()),
        ("a message that cannot be delivered", undeliverable()),
        ("a job that wakes an idle session", background()),
        ("a job that ends within the turn", job_in_turn()),
        ("a job that is cancelled", job_cancelled()),
        ("a job that a crash cut off before its answer", job_found()),
        ("a job whose outcome is unknown, settled", job_unknown_settled()),
    ]
}

pub(crate) fn owned() -> Log {
    log().message(1).acquire()
}

/// A job is begun, and the turn ends.
fn job_left() -> Log {
    let log = owned().turn(&[1]).ask().calls(&[(20, "shell")]).start_background(20, 1).job(20);
    log.go_on(&[]).ask().answer()
}

pub(crate) fn background() -> Log {
    job_left().release().acquire().job_ends_with_artifact(20, 1).turn(&[20]).ask().answer().release()
}

pub(crate) fn job_in_turn() -> Log {
    let log = owned().turn(&[1]).ask().calls(&[(20, "shell"), (21, "read")]).start_background(20, 1).job(20);
    let log = log.start(21, 1, read()).job_ends(20, JobState::Completed).ok(21);
    log.go_on(&[20]).ask().answer().release()
}

pub(crate) fn job_cancelled() -> Log {
    job_left().cancel_job(20).job_ends(20, JobState::Cancelled).release()
}

pub(crate) fn job_found() -> Log {
    let log = owned().turn(&[1]).ask().calls(&[(20, "shell")]).send_to_background(20).start_background(20, 1);
    let log = log.acquire().job_found(20).cut_off(&[], &[]);
    let continuation = log.last();
    log.carry_on(continuation, &[]).ask().answer().job_ends(20, JobState::Failed).turn(&[20]).ask().answer()
}

pub(crate) fn job_unknown_settled() -> Log {
    job_left().job_unknown(20).settle(20).job_settled(20).turn(&[20]).ask().answer()
}

pub(crate) fn plain_answer() -> Log {
    owned().turn(&[1]).ask().answer().release()
}

pub(crate) fn tools() -> Log {
    let log = owned().turn(&[1]).ask().calls(&[(1, "read"), (2, "edit"), (3, "shell")]);
    let log =
        log.start(1, 1, read()).start(2, 1, edit()).ok(2).start(3, 1, shell()).ok_with_artifact(3, 1).ok(1);
    log.go_on(&[]).ask().answer().release()
}

/// An edit has started, and its owner died.
pub(crate) fn crash_in_edit() -> Log {
    owned().turn(&[1]).ask().calls(&[(1, "edit"), (2, "edit")]).start(1, 1, edit()).acquire()
}

pub(crate) fn crash_applied() -> Log {
    let log = crash_in_edit().found(1, ReconcileVerdict::Applied).start(2, 1, edit()).ok(2).cut_off(&[], &[]);
    let continuation = log.last();
    log.carry_on(continuation, &[]).ask().answer().release()
}

pub(crate) fn crash_not_applied() -> Log {
    let log = crash_in_edit().found(1, ReconcileVerdict::NotApplied).start(1, 2, edit()).ok(1);
    let log = log.fault(2).cut_off(&[], &[]);
    let continuation = log.last();
    log.carry_on(continuation, &[]).ask().answer()
}

pub(crate) fn crash_read_again() -> Log {
    let log = owned().turn(&[1]).ask().calls(&[(1, "read"), (2, "pay")]);
    let log = log.start(1, 1, read()).start(2, 1, keyed("k")).acquire();
    let log = log.start(1, 2, read()).start(2, 2, keyed("k")).ok(2).ok(1).cut_off(&[], &[]);
    let continuation = log.last();
    log.carry_on(continuation, &[]).ask().answer()
}

pub(crate) fn crash_read_once() -> Log {
    let log = owned().turn(&[1]).ask().calls(&[(1, "read")]).start(1, 1, read_once()).acquire();
    let log = log.fault(1).cut_off(&[], &[]);
    let continuation = log.last();
    log.carry_on(continuation, &[]).ask().answer()
}

pub(crate) fn crash_before_request() -> Log {
    let log = owned().turn(&[1]).acquire().cut_off(&[], &[1]);
    let continuation = log.last();
    log.acquire().carry_on(continuation, &[1]).ask().answer()
}

pub(crate) fn crash_in_attempt() -> Log {
    let log = owned().turn(&[1]).ask().acquire();
    let log = log.attempt_ends(AttemptOutcome::Interrupted).cut_off(&[], &[]);
    let continuation = log.last();
    log.carry_on(continuation, &[]).ask().answer()
}

/// A command was cut off, nobody can find out, and the run waits.
pub(crate) fn unknown_waits() -> Log {
    let log = owned().turn(&[1]).ask().calls(&[(1, "shell")]).start(1, 1, shell()).acquire();
    log.found(1, ReconcileVerdict::Unknown).cut_off(&[1], &[])
}

pub(crate) fn unknown_settled() -> Log {
    let log = unknown_waits();
    let continuation = log.last();
    // Another piece of work goes on in the meantime.
    let between = log.message(2).settle(1).release().acquire();
    between.carry_on(continuation, &[]).ask().answer().turn(&[2]).ask().answer()
}

pub(crate) fn unknown_alive() -> Log {
    let log =
        owned().turn(&[1]).ask().calls(&[(1, "shell")]).start(1, 1, shell()).unknown(1).cut_off(&[1], &[]);
    let continuation = log.last();
    log.settle(1).notice().carry_on(continuation, &[]).ask().answer()
}

/// A person is asked about an edit.
pub(crate) fn asked() -> Log {
    owned().turn(&[1]).ask().calls(&[(1, "edit")]).ask_person(1, "edit", 1)
}

pub(crate) fn approval_once() -> Log {
    asked().approve(1, ApprovalScope::Once).start_approved(1, 1, 1, edit()).ok(1).go_on(&[]).ask().answer()
}

pub(crate) fn approval_session() -> Log {
    let log = asked().approve(1, ApprovalScope::Session).start_approved(1, 1, 1, edit()).ok(1);
    let log = log.go_on(&[]).ask().calls(&[(2, "edit")]).start_approved(2, 1, 1, edit()).ok(2);
    log.go_on(&[]).ask().answer()
}

pub(crate) fn approval_second_run() -> Log {
    let log = asked().approve(1, ApprovalScope::Once).start_approved(1, 1, 1, edit()).acquire();
    let log =
        log.found(1, ReconcileVerdict::NotApplied).start_approved(1, 2, 1, edit()).ok(1).cut_off(&[], &[]);
    let continuation = log.last();
    log.carry_on(continuation, &[]).ask().answer()
}

/// For the session, and used twice, on the same file as it was, under the same rules and containment.
pub(crate) fn approval_bound() -> Log {
    let log = owned().bound().turn(&[1]).ask().calls(&[(1, "edit")]).ask_person(1, "edit", 1);
    let log = log.approve(1, ApprovalScope::Session).start_approved(1, 1, 1, edit()).ok(1);
    let log = log.go_on(&[]).ask().calls(&[(2, "edit")]).start_approved(2, 1, 1, edit()).ok(2);
    log.go_on(&[]).ask().answer()
}

pub(crate) fn contained_again() -> Log {
    let log = owned().bound().turn(&[1]).ask().calls(&[(1, "edit")]).start(1, 1, edit()).acquire();
    let log = log.found(1, ReconcileVerdict::NotApplied).start(1, 2, edit()).ok(1).cut_off(&[], &[]);
    let continuation = log.last();
    log.carry_on(continuation, &[]).ask().answer()
}

pub(crate) fn rejection() -> Log {
    asked().verdict(1, ApprovalVerdict::Reject, ApprovalScope::Once).deny(1).go_on(&[]).ask().answer()
}

pub(crate) fn interrupt() -> Log {
    let log = owned().turn(&[1]).ask().calls(&[(1, "shell"), (2, "edit")]).start(1, 1, shell()).interrupt();
    log.cancel(1, true).cancel(2, false).cancelled().message(2).turn(&[2]).ask().answer()
}

pub(crate) fn interrupt_before_request() -> Log {
    owned().turn(&[1]).interrupt().give_up(1, InboxCancelReason::WithTurn).cancelled().release()
}

pub(crate) fn retry() -> Log {
    let reason = AttemptOutcome::Rejected { reason: RejectReason::Malformed, detail: "no JSON".into() };
    owned().turn(&[1]).ask().fails().retry().attempt_ends(reason).retry().answer()
}

pub(crate) fn handover() -> Log {
    let log = asked().release().approve(1, ApprovalScope::Once).acquire();
    log.start_approved(1, 1, 1, edit()).ok(1).go_on(&[]).ask().answer().release()
}

/// A command goes on under its supervisor, and the same turn goes on with its end.
pub(crate) fn left_running() -> Log {
    let log = owned().turn(&[1]).ask().calls(&[(20, "shell")]).start_supervised(20, 1).release().acquire();
    log.found(20, ReconcileVerdict::Applied).go_on(&[]).ask().answer().release()
}

pub(crate) fn messages() -> Log {
    let log = owned().background(2).turn(&[1]).steer(3).ask().calls(&[(1, "read")]).start(1, 1, read()).ok(1);
    let log =
        log.go_on(&[2, 3]).message(4).configure(Mode::Auto).ask().calls(&[(2, "edit")]).start(2, 1, edit());
    log.ok(2).go_on(&[]).ask().answer().turn(&[4]).ask().answer()
}

pub(crate) fn late_clients() -> Log {
    let log =
        asked().approve(1, ApprovalScope::Once).verdict(1, ApprovalVerdict::Reject, ApprovalScope::Once);
    let log = log.start_approved(1, 1, 1, edit()).ok(1).take_back(1).take_back(7).settle(1).message(1);
    log.go_on(&[]).ask().answer().interrupt().approve(1, ApprovalScope::Session).message(2).take_back(2)
}

pub(crate) fn never_started() -> Log {
    let log = owned().turn(&[1]).ask().invalid_call(1).go_on(&[]).ask().calls(&[(2, "edit"), (3, "edit")]);
    log.fault(2).deny(3).go_on(&[]).ask().answer()
}

pub(crate) fn undeliverable() -> Log {
    let failed = |log: Log| log.end(StepTerminal::Failed, TurnTerminal::Failed, StopReason::ContextCannotFit);
    let log = failed(owned().turn(&[1]).give_up(1, InboxCancelReason::Undeliverable));
    // Another message is claimed by three steps, and each time the owner dies before the request.
    let log = log.message(2).turn(&[2]).ask().calls(&[(1, "read")]).fault(1).steer(3).go_on(&[3]);
    let log = log.acquire().cut_off(&[], &[]);
    let continuation = log.last();
    let log = log.carry_on(continuation, &[3]).acquire().cut_off(&[], &[]);
    let continuation = log.last();
    let log = log.carry_on(continuation, &[3]).acquire().cut_off(&[], &[]);
    let continuation = log.last();
    let log = log.give_up(3, InboxCancelReason::Undeliverable);
    log.carry_on(continuation, &[]).ask().answer()
}

#[test]
fn good_logs_break_no_rule() {
    for (name, log) in all() {
        let report = check_records(&log.records);
        assert_eq!(report.violations, [], "{name}");
        assert_eq!(report.unverifiable, [], "{name}");
        assert_eq!(report.records, log.records.len() as u64);
    }
}

/// An append is atomic, so a prefix that can exist ends with one.
#[test]
fn no_prefix_of_a_good_log_breaks_a_rule() {
    for (name, log) in all() {
        for end in ends_of_appends(&log.records) {
            let report = check_records(&log.records[..end]);
            assert_eq!(report.violations, [], "{name}, the first {end} records");
        }
    }
}

fn ends_of_appends(records: &[Record]) -> Vec<usize> {
    let last = |n: &usize| records.get(*n).is_none_or(|next| next.append != records[n - 1].append);
    (1..=records.len()).filter(last).collect()
}
