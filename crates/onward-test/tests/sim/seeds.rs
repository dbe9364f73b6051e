//! Nothing is wrong in any world; and everything that can go wrong does in some of them.

use std::sync::Mutex;

use onward_event::Event;
use onward_test::sim::{Fault, Planted, Seen};

use crate::support::{Failure, each, failure, log, number, run};

/// Worlds that each run of the tests looks at.
const SEEDS: u64 = 1_000;

#[test]
fn nothing_is_wrong_in_any_world() {
    let (failed, seen) = (Failure::default(), Mutex::new(Seen::default()));
    let count = number("ONWARD_SIM_SEEDS").unwrap_or(SEEDS);
    each(0..count, Planted::Nothing, |seed, outcome| {
        seen.lock().unwrap().add(&outcome.seen);
        if !outcome.wrong.is_empty() {
            failed.keep(seed, failure(seed, &outcome));
        }
        !outcome.wrong.is_empty()
    });
    failed.check();
    let seen = seen.into_inner().unwrap();
    println!("faults: {:#?}\nrecords: {:#?}", seen.faults, seen.events);
    if count >= SEEDS {
        everything_came(&seen);
    }
}

/// A simulator that never interrupts proves nothing about interrupts.
fn everything_came(seen: &Seen) {
    let faults = Fault::all().into_iter().filter(|fault| !seen.faults.contains_key(fault));
    let faults: Vec<Fault> = faults.collect();
    assert!(faults.is_empty(), "never went wrong: {faults:?}");
    let kinds = Event::KINDS.iter().map(|(kind, _)| *kind).filter(|kind| !seen.events.contains_key(*kind));
    let kinds: Vec<&str> = kinds.collect();
    assert!(kinds.is_empty(), "never recorded: {kinds:?}");
}

/// The world of `ONWARD_SIM_SEED`, with its log.
#[test]
fn one_seed() {
    let Some(seed) = number("ONWARD_SIM_SEED") else { return };
    let outcome = run(seed, Planted::Nothing);
    println!("{}", log(&outcome));
    println!("{:#?}", outcome.seen.faults);
    assert!(outcome.wrong.is_empty(), "{}", failure(seed, &outcome));
}
