//! When the rules about how things end are judged: only when nobody has anything left to do.

use onward_event::{ReconcileVerdict, StepTerminal, StopReason, TurnTerminal};

use crate::env::check_records;
use crate::good::{owned, unknown_waits};
use crate::log::{Log, log};

/// A message that started a turn, that no request contained, and that nobody cancelled: without an end.
fn lost_message() -> Log {
    owned().turn(&[1]).end(StepTerminal::Failed, TurnTerminal::Failed, StopReason::ContextCannotFit)
}

fn is_judged(log: &Log) -> bool {
    !check_records(&log.records).is_clean()
}

#[test]
fn a_quiet_session_is_judged() {
    assert!(is_judged(&lost_message()));
    assert!(is_judged(&lost_message().release()), "with or without an owner");
    assert!(is_judged(&lost_message().background(2)), "a silent message wakes nobody");
}

#[test]
fn a_session_with_something_to_do_is_not() {
    assert!(!is_judged(&lost_message().message(2)), "a message waits");
    assert!(!is_judged(&lost_message().message(2).turn(&[2])), "a turn is open");
    let waiting = lost_message().message(2).turn(&[2]).ask();
    let waiting = waiting.calls(&[(1, "shell")]).start(1, 1, crate::values::shell()).acquire();
    let blocked = waiting.found(1, ReconcileVerdict::Unknown).cut_off(&[1], &[]);
    assert!(!is_judged(&blocked), "a continuation is blocked");
    assert!(!is_judged(&blocked.settle(1)), "a continuation is pending");
}

#[test]
fn it_is_judged_again_once_the_work_is_done() {
    let log = lost_message().message(2).turn(&[2]).ask().answer();
    assert!(is_judged(&log));
    assert!(
        is_judged(&lost_message().message(2).take_back(2)),
        "a message that was taken back does not wait"
    );
}

#[test]
fn an_empty_log_and_one_that_only_waits_are_clean() {
    assert!(check_records(&[]).is_clean());
    assert!(check_records(&log().records).is_clean());
    assert!(check_records(&log().message(1).message(1).records).is_clean());
    assert!(check_records(&unknown_waits().release().records).is_clean());
}
