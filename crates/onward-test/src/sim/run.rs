//! One seed: a world, from the first message to the end of everything, and what was wrong with it.

use std::sync::Arc;
use std::time::Duration;

use onward_event::Digest;
use onward_port::StoredRecord;
use onward_runtime::check_session;
use tokio::task::JoinSet;

use super::fault::{Fault, Seen};
use super::host::{host, ports};
use super::person::Person;
use super::process::Process;
use super::verify;
use super::world::{Dice, Planted, World, locked};
use super::wrong::{Wrong, WrongKind};

/// How long a whole life may take.
const LIFE: Duration = Duration::from_secs(3 * 3_600);

/// How long the processes may take to go home.
const HOME: Duration = Duration::from_secs(120);

/// What is left of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The log.
    pub records: Vec<StoredRecord>,
    /// What was wrong, each once.
    pub wrong: Vec<Wrong>,
    /// What happened.
    pub seen: Seen,
    /// Simulated milliseconds that it took.
    pub millis: u64,
}

impl Outcome {
    /// The hash of the last record: two runs with the same log have the same.
    pub fn hash(&self) -> Digest {
        self.records.last().map_or(Digest::ZERO, |record| record.hash)
    }
}

/// Runs the world of a seed to its end. To be called in an async runtime of one thread whose time is paused: then the
/// same seed gives the same run.
pub async fn simulate(seed: u64, planted: Planted) -> Outcome {
    let world = Arc::new(World::new(seed, planted));
    let mut person = Person::new(&world);
    match person.create().await {
        Ok(session) => drop(world.session.set(session)),
        Err(error) => world.blame(WrongKind::InputLost, error.to_string()),
    }
    let mut hosts = JoinSet::new();
    for _ in 0..1 + world.roll(Dice::Hosts, 2) {
        hosts.spawn(host(world.clone()));
    }
    let nature = tokio::spawn(nature(world.clone()));
    let whole = tokio::time::timeout(LIFE, async {
        person.act().await;
        nature.abort();
        world.calm();
        person.see_to_the_end().await
    });
    match whole.await {
        Ok(left) if left.is_empty() => {}
        Ok(left) => world.blame(WrongKind::Hangs, format!("this is left: {}", left.join("; "))),
        Err(_) => world.blame(WrongKind::Hangs, "it goes round in circles, and nobody is answered any more"),
    }
    world.over.cancel();
    let home = tokio::time::timeout(HOME, async { while hosts.join_next().await.is_some() {} });
    if home.await.is_err() {
        world.blame(WrongKind::Hangs, "a process does not end");
    }
    // Whoever had used up all there was to ask would not be answered here, either.
    world.start_counting_again();
    close(&world, &person).await
}

/// The power fails now and then.
async fn nature(world: Arc<World>) {
    loop {
        tokio::time::sleep(world.between(Dice::Faults, 1_000, 60_000)).await;
        if !world.one_in(Dice::Faults, 3) || !world.spend() {
            continue;
        }
        world.saw(Fault::PowerLost);
        if world.store.lose_power() {
            world.saw(Fault::TailLost);
        }
        world.machine.lose_power();
        for process in locked(&world.processes).drain(..).filter_map(|process| process.upgrade()) {
            process.die();
        }
    }
}

async fn close(world: &Arc<World>, person: &Person) -> Outcome {
    let observer = Process::new(world);
    match check_session(&ports(&observer), world.session(), Vec::new()).await {
        Ok(report) => {
            for violation in &report.violations {
                world.blame(WrongKind::Rule(violation.rule), violation.to_string());
            }
            for (seq, what) in &report.unverifiable {
                world.blame(WrongKind::Rule(15), format!("record {seq}: {what}"));
            }
        }
        Err(error) => world.blame(WrongKind::Rule(1), error.to_string()),
    }
    verify::inputs(world, &person.acknowledged);
    verify::answers(world);
    let mut seen = locked(&world.seen).clone();
    for record in world.store.records(onward_event::Seq(0)) {
        *seen.events.entry(record.event.kind().to_owned()).or_default() += 1;
    }
    let wrong = std::mem::take(&mut *locked(&world.wrong));
    let records = world.store.read(onward_event::Seq(0), usize::MAX);
    Outcome { records, wrong, seen, millis: world.elapsed() }
}
