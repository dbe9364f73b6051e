//! Random lives of a session: outcomes right, wrong and stale, clients who say anything at any time, owners that die
//! and owners that leave. Whatever happens, every prefix of the log keeps the invariants, the fold accepts what the
//! decisions produce, a replay gives the same state, and with good will everything comes to its end.
#![expect(clippy::unwrap_used, reason = "a helper that cannot build its log has failed its test")]

mod clients;
mod dice;
mod env;
mod outcomes;
mod sim;
mod values;

use std::cell::RefCell;
use std::collections::BTreeMap;

use onward_core::Session;
use onward_event::Event;
use proptest::collection::vec;
use proptest::prelude::any;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};

use crate::dice::Dice;
use crate::sim::{Counts, Sim};

/// Lives that one run of the test looks at.
const LIVES: u32 = 96;
/// Moves of the longest.
const MOVES: usize = 160;
/// Good outcomes after which everything must have come to rest.
const PATIENCE: usize = 3_000;

#[test]
fn every_life_keeps_the_invariants_and_comes_to_rest() {
    let seen = RefCell::new(Seen::default());
    let config = Config { cases: LIVES, failure_persistence: None, ..Config::default() };
    // The same lives each time: a failure is one of the code, never one of the day.
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let outcome = runner.run(&vec(any::<u64>(), 1..MOVES), |rolls| {
        let sim = live(&rolls).map_err(TestCaseError::fail)?;
        seen.borrow_mut().add(&sim);
        Ok(())
    });
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
    seen.into_inner().assert_not_vacuous();
}

fn live(rolls: &[u64]) -> Result<Sim, String> {
    let mut sim = Sim::new();
    for roll in rolls {
        sim.step(&mut Dice::new(*roll))?;
    }
    sim.check_prefixes()?;
    check_replay(&sim)?;
    let before = sim.records().len();
    sim.come_to_rest(PATIENCE)?;
    check_rest(&sim)?;
    check_replay(&sim)?;
    // The prefixes of the random part were checked; of the rest only the whole matters here.
    sim.check_from(before)?;
    Ok(sim)
}

/// The state that grew with the log, with drafts undone on the way, is the one that the log alone gives.
fn check_replay(sim: &Sim) -> Result<(), String> {
    let replayed = Session::replay(sim.records()).map_err(|error| error.to_string())?;
    let (grown, replayed) = (format!("{:?}", sim.session()), format!("{replayed:?}"));
    if grown == replayed { Ok(()) } else { Err(format!("grown:    {grown}\nreplayed: {replayed}")) }
}

fn check_rest(sim: &Sim) -> Result<(), String> {
    let session = sim.session();
    let waking = session.pending_messages().filter(|pending| pending.message.wakeup).count();
    let open = (session.turn().is_some(), session.continuations().len(), waking, session.waiting_on().len());
    if open == (false, 0, 0, 0) { Ok(()) } else { Err(format!("it rests with work open: {open:?}")) }
}

/// What was reached over all lives.
#[derive(Default)]
struct Seen {
    kinds: BTreeMap<String, usize>,
    counts: Counts,
}

impl Seen {
    fn add(&mut self, sim: &Sim) {
        for record in sim.records() {
            *self.kinds.entry(record.event.kind().to_owned()).or_default() += 1;
        }
        self.counts.add(sim.counts());
    }

    fn assert_not_vacuous(&self) {
        let Counts { accepted, empty, refused, .. } = self.counts;
        println!("inputs: {accepted} accepted, {empty} without consequence, {refused} refused");
        println!("drafts undone: {}, events: {:?}", self.counts.undone, self.kinds);
        let never: Vec<_> = Event::KINDS
            .iter()
            .map(|(kind, _)| *kind)
            .filter(|kind| !self.kinds.contains_key(*kind))
            .collect();
        assert!(never.is_empty(), "never happened: {never:?}");
        assert!(accepted > 20 * LIVES as usize, "only {accepted} inputs were accepted");
        assert!(refused > LIVES as usize, "only {refused} inputs were refused");
        assert!(self.counts.undone > LIVES as usize, "only {} drafts were undone", self.counts.undone);
    }
}
