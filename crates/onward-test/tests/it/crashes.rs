//! A crash at every point: after every commit of the owner, after every input, and around everything that a model or
//! a tool does; and for some scenarios a second crash at every point of the recovery.

use onward_event::Event;
use onward_test::{CrashPlan, End, Scenario};

use crate::support::{assert_good, deaths, load, run_within};

/// A crash at each point of the run without a crash.
pub(crate) fn crash_everywhere(name: &str) {
    let scenario = load(name);
    let calm = run_within(&scenario, &[]);
    let points: usize = calm.lives.iter().map(Vec::len).sum();
    // A first life that ends in order is followed by another; its points are reached by counting on.
    for at in 0..points {
        crash_at(&scenario, &plans_for(&calm.lives, at));
    }
}

/// A crash at every other point, and another one at each point of what follows.
pub(crate) fn crash_twice(name: &str) {
    let scenario = load(name);
    let calm = run_within(&scenario, &[]);
    let points = calm.lives.first().map_or(0, Vec::len);
    for first in (0..points).step_by(2) {
        for second in 0.. {
            if !crash_at(&scenario, &[CrashPlan::At(first), CrashPlan::At(second)]) {
                break;
            }
        }
    }
}

/// Whether every planned crash happened.
fn crash_at(scenario: &Scenario, plans: &[CrashPlan]) -> bool {
    let run = run_within(scenario, plans);
    let planned = plans.iter().filter(|plan| **plan != CrashPlan::Never).count();
    let crashes: Vec<_> = deaths(&run);
    assert_good(scenario, &run, plans, &crashes);
    crashes.len() >= planned
}

/// The n-th point over all lives, as plans for each of them.
fn plans_for(lives: &[Vec<onward_test::Point>], n: usize) -> Vec<CrashPlan> {
    let (mut plans, mut n) = (Vec::new(), n);
    for life in lives {
        if n < life.len() {
            plans.push(CrashPlan::At(n));
            break;
        }
        plans.push(CrashPlan::Never);
        n -= life.len();
    }
    plans
}

#[test]
fn a_second_crash_during_the_recovery_of_an_answer() {
    crash_twice("plain_answer");
}

#[test]
fn a_second_crash_during_the_recovery_of_a_keyed_call() {
    crash_twice("put_once");
}

#[test]
fn a_second_crash_during_the_recovery_of_a_reconciled_call() {
    crash_twice("place_once");
}

#[test]
fn a_second_crash_during_the_recovery_of_an_unknown_call() {
    crash_twice("fire_once");
}

#[test]
fn a_second_crash_while_a_supervised_call_is_found_again() {
    crash_twice("launch_once");
}

#[test]
fn a_second_crash_around_a_question() {
    crash_twice("ask_approve_once");
}

#[test]
fn a_second_crash_around_an_interrupt() {
    crash_twice("interrupt_tool");
}

/// Three times the process dies between the claim of a message and the request that would contain it. Then the message
/// is given up, and its run with it: a run without its message would ask the model nothing.
#[test]
fn a_message_that_never_reaches_the_model_is_given_up_with_its_run() {
    // Taking the session is the first commit of a life, claiming the message the second.
    let run = run_within(&load("plain_answer"), &[CrashPlan::At(1); 3]);
    assert_eq!(run.end, End::Ended("failed paused_for_resume".into()));
    assert!(run.report.is_clean(), "{:?}", run.report.violations);
    let ends = run.records.iter().filter(|(record, _)| {
        matches!(&record.event, Event::InboxCancelled(end) if run.acknowledged.contains(&end.message))
    });
    assert_eq!(ends.count(), 1);
    assert!(run.session.history().is_empty(), "the model was asked something");
}
