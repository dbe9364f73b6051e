//! Running seeds, on as many threads as there are cores.

use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use onward_event::Record;
use onward_test::sim::{Outcome, Planted, simulate};

/// One seed, in a runtime of its own whose time is paused.
pub(crate) fn run(seed: u64, planted: Planted) -> Outcome {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    runtime.block_on(simulate(seed, planted))
}

/// A number from the environment.
pub(crate) fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// Runs these seeds and hands each outcome on, in no order, until it says that it has seen enough.
pub(crate) fn each(seeds: std::ops::Range<u64>, planted: Planted, see: impl Fn(u64, Outcome) -> bool + Sync) {
    let next = AtomicU64::new(seeds.start);
    let end = AtomicU64::new(seeds.end);
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, NonZero::get) {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= end.load(Ordering::Relaxed) {
                        return;
                    }
                    if see(seed, run(seed, planted)) {
                        end.store(0, Ordering::Relaxed);
                    }
                }
            });
        }
    });
}

/// What is said of a seed that failed.
pub(crate) fn failure(seed: u64, outcome: &Outcome) -> String {
    let wrong: Vec<String> = outcome.wrong.iter().map(ToString::to_string).collect();
    format!(
        "seed {seed}:\n- {}\nagain, with its log: ONWARD_SIM_SEED={seed} cargo test -p onward-test --test sim one_seed -- --nocapture",
        wrong.join("\n- ")
    )
}

/// The log, a record a line.
pub(crate) fn log(outcome: &Outcome) -> String {
    let lines = outcome.records.iter().map(|stored| {
        let record = Record::from_bytes(&stored.bytes).unwrap();
        let epoch = record.epoch.map_or("client".to_owned(), |epoch| format!("epoch {}", epoch.0));
        let body = record.event.body_json().unwrap();
        format!("{:4} {} {epoch} {} {body}", record.seq.0, record.at.0 % 10_000_000, record.event.kind())
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The first failure of several threads.
#[derive(Default)]
pub(crate) struct Failure(Mutex<Option<(u64, String)>>);

impl Failure {
    /// Keeps it, if it is of the lowest seed.
    pub(crate) fn keep(&self, seed: u64, what: String) {
        let mut kept = self.0.lock().unwrap();
        if kept.as_ref().is_none_or(|(lowest, _)| seed < *lowest) {
            *kept = Some((seed, what));
        }
    }

    pub(crate) fn check(self) {
        if let Some((_, what)) = self.0.into_inner().unwrap() {
            panic!("{what}");
        }
    }
}
