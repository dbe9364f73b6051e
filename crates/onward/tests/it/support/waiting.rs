//! Waiting for conditions. Time is never what is tested: it only ends a test that hangs.

use std::thread::sleep;
use std::time::{Duration, Instant};

/// A test that waits longer than this hangs, also on a slow machine.
pub(super) const HANG: Duration = Duration::from_secs(120);

/// The pause between two looks.
pub(super) const LOOK: Duration = Duration::from_millis(20);

/// Looks until there is something to return.
pub(crate) fn eventually<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(start.elapsed() < HANG, "waited too long: {what}");
        sleep(LOOK);
    }
}

/// Says what this machine cannot test, so that nothing is skipped in silence.
pub(crate) fn not_tested(what: &str, why: &str) {
    eprintln!("not tested here: {what}: {why}");
    onward_test::not_tested(what, why);
}
