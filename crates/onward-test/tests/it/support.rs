//! What the tests have in common.

use std::path::PathBuf;

use onward_test::{CrashPlan, Point, Run, Scenario, run, verify, within};

pub(crate) fn folder(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(name)
}

pub(crate) fn load(name: &str) -> Scenario {
    Scenario::load(&folder("scenarios").join(format!("{name}.toml"))).unwrap()
}

/// Runs a scenario, and fails when it hangs.
pub(crate) fn run_within(scenario: &Scenario, plans: &[CrashPlan]) -> Run {
    let what = format!("{} with {plans:?}", scenario.name);
    let (scenario, plans) = (scenario.clone(), plans.to_vec());
    let failed = what.clone();
    within(what, move || run(&scenario, &plans))
        .unwrap()
        .unwrap_or_else(|error| panic!("{failed}: {error:#}"))
}

/// The points at which lives were ended: the last one of each life but the last.
pub(crate) fn deaths(run: &Run) -> Vec<Point> {
    let lives = run.lives.iter().rev().skip(1).rev();
    lives.filter_map(|life| life.last().cloned()).collect()
}

/// Fails with everything that is wrong, and the log that it is wrong about.
pub(crate) fn assert_good(scenario: &Scenario, run: &Run, plans: &[CrashPlan], crashes: &[Point]) {
    let wrong = verify(scenario, run, crashes);
    assert!(
        wrong.is_empty(),
        "{} with {plans:?}, died at {crashes:?}:\n- {}\nledger: {:?}\n{}",
        scenario.name,
        wrong.join("\n- "),
        run.ledger,
        onward_test::events(run)
    );
}
