//! The simulated world: what outlives every process, and the dice by which things happen.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::Duration;

use onward_event::{SessionId, Timestamp, Workspace};
use onward_port::{BoxFuture, Clock, Document, Documents, FoundDocuments, Ids, digest};
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

use super::fault::{Fault, Place, Seen};
use super::machine::Machine;
use super::outside::Outside;
use super::process::Process;
use super::store::Store;
use super::wrong::{Wrong, WrongKind};
use crate::power::Chance;

/// The simulated time of the beginning: 2026-01-01T00:00:00Z.
const START: u64 = 1_767_225_600_000;

/// Appends, reads and the like that one run may take; past it something goes round in circles.
const MAX_OPERATIONS: u64 = 60_000;

/// A defect that is built into the simulated world on purpose, to see that it is noticed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Planted {
    /// None.
    #[default]
    Nothing,
    /// The store takes appends of any epoch.
    NoFencing,
    /// Tools act when they are planned, before their start is recorded.
    ActsFirst,
    /// The claims of a step are an append of their own, which follows that of the step.
    ClaimsBeside,
    /// Supervisors start their commands whatever the gate says.
    NoGate,
    /// The store says that records are on disk, and they are not.
    NoSync,
    /// Nobody hears that a client has appended something.
    DropsWake,
    /// Nobody hears that the command of a job has ended.
    LosesJobEnd,
}

/// Whose dice are thrown: each has a sequence of its own, so that one throw more here changes nothing there.
#[derive(Clone, Copy, Debug)]
pub(super) enum Dice {
    Faults,
    Lags,
    Model,
    Tools,
    Person,
    Hosts,
}

/// Everything that is there whichever process lives.
pub(super) struct World {
    pub(super) planted: Planted,
    pub(super) store: Store,
    pub(super) machine: Machine,
    pub(super) outside: Mutex<Outside>,
    pub(super) seen: Mutex<Seen>,
    pub(super) wrong: Mutex<Vec<Wrong>>,
    pub(super) session: OnceLock<SessionId>,
    /// The revision of the rules of policy.
    pub(super) rules: AtomicU64,
    dice: [Mutex<Chance>; 6],
    ids: AtomicU64,
    operations: AtomicU64,
    begun: Instant,
    odds: Odds,
    mood: Mutex<Mood>,
    /// The processes that may be alive.
    pub(super) processes: Mutex<Vec<Weak<Process>>>,
    /// Everybody may go home.
    pub(super) over: CancellationToken,
}

/// How often things go wrong in this world; drawn from its seed.
struct Odds {
    /// A process dies or freezes in one of so many places.
    place: usize,
    /// An append meets a bad disk once in so many times.
    append: usize,
}

/// What may still go wrong.
struct Mood {
    /// Deaths, freezes, losses of power, bad disks.
    left: usize,
    /// There is no room until then.
    full_until: Option<Instant>,
    /// Nothing goes wrong any more, not even with the model.
    calm: bool,
}

/// What becomes of an append.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Weather {
    Fair,
    Full,
    AnswerLost,
    AppendLost,
}

/// What becomes of a process at a place.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fate {
    GoesOn,
    Dies,
    Freezes(Duration),
}

impl World {
    pub(super) fn new(seed: u64, planted: Planted) -> Self {
        let mut chance = Chance::new(seed);
        let odds = Odds { place: [12, 25, 60][chance.below(3)], append: [15, 40, 120][chance.below(3)] };
        let left = chance.below(9);
        Self {
            planted,
            store: Store::new(planted),
            machine: Machine::default(),
            outside: Mutex::default(),
            seen: Mutex::default(),
            wrong: Mutex::default(),
            session: OnceLock::new(),
            rules: AtomicU64::new(1),
            dice: std::array::from_fn(|part| Mutex::new(Chance::of(seed, part as u64 + 1))),
            ids: AtomicU64::new(0),
            operations: AtomicU64::new(0),
            begun: Instant::now(),
            odds,
            mood: Mutex::new(Mood { left, full_until: None, calm: false }),
            processes: Mutex::default(),
            over: CancellationToken::new(),
        }
    }

    /// The dice of one part of the world.
    pub(super) fn dice(&self, whose: Dice) -> MutexGuard<'_, Chance> {
        locked(&self.dice[whose as usize])
    }

    /// A number from 0 to `n` - 1.
    pub(super) fn roll(&self, whose: Dice, n: usize) -> usize {
        self.dice(whose).below(n)
    }

    /// Whether something happens that does so once in `n` times.
    pub(super) fn one_in(&self, whose: Dice, n: usize) -> bool {
        self.dice(whose).one_in(n)
    }

    /// A time between two, in milliseconds.
    pub(super) fn between(&self, whose: Dice, least: u64, most: u64) -> Duration {
        let span = usize::try_from(most.saturating_sub(least)).unwrap_or(0) + 1;
        Duration::from_millis(least + self.roll(whose, span) as u64)
    }

    /// What the store and the like take for one thing that is asked of them.
    pub(super) async fn lag(&self) {
        if self.operations.fetch_add(1, Ordering::Relaxed) >= MAX_OPERATIONS {
            // Whoever waits for this run then finds that it hangs.
            std::future::pending::<()>().await;
        }
        let lag = self.between(Dice::Lags, 0, 3);
        if !lag.is_zero() {
            sleep(lag).await;
        }
    }

    pub(super) fn start_counting_again(&self) {
        self.operations.store(0, Ordering::Relaxed);
    }

    /// Milliseconds since the beginning.
    pub(super) fn elapsed(&self) -> u64 {
        u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    pub(super) fn saw(&self, fault: Fault) {
        locked(&self.seen).fault(fault);
    }

    pub(super) fn blame(&self, kind: WrongKind, what: impl Into<String>) {
        locked(&self.wrong).push(Wrong::new(kind, what));
    }

    /// The session of this world. There is none only before the person has created it.
    pub(super) fn session(&self) -> SessionId {
        self.session.get().copied().unwrap_or(SessionId::from_bits(0))
    }

    /// From here on nothing goes wrong any more.
    pub(super) fn calm(&self) {
        *locked(&self.mood) = Mood { left: 0, full_until: None, calm: true };
    }

    pub(super) fn is_calm(&self) -> bool {
        locked(&self.mood).calm
    }

    /// Whether something may still go wrong.
    pub(super) fn is_rough(&self) -> bool {
        locked(&self.mood).left > 0
    }

    /// Uses up one fault, if one is left.
    pub(super) fn spend(&self) -> bool {
        let mut mood = locked(&self.mood);
        let spent = mood.left > 0;
        mood.left = mood.left.saturating_sub(1);
        spent
    }

    pub(super) fn fate(&self, at: Place) -> Fate {
        if !self.is_rough() || !self.one_in(Dice::Faults, self.odds.place) || !self.spend() {
            return Fate::GoesOn;
        }
        if self.roll(Dice::Faults, 5) < 3 {
            self.saw(Fault::Crash(at));
            return Fate::Dies;
        }
        self.saw(Fault::Freeze(at));
        Fate::Freezes(self.between(Dice::Faults, 500, 9_000))
    }

    pub(super) fn weather(&self) -> Weather {
        if self.is_full() {
            return Weather::Full;
        }
        if !self.is_rough() || !self.one_in(Dice::Faults, self.odds.append) || !self.spend() {
            return Weather::Fair;
        }
        let weather = [Weather::Full, Weather::AnswerLost, Weather::AppendLost][self.roll(Dice::Faults, 3)];
        match weather {
            Weather::Fair => {}
            Weather::AnswerLost => self.saw(Fault::AnswerLost),
            Weather::AppendLost => self.saw(Fault::AppendLost),
            Weather::Full => {
                self.saw(Fault::DiskFull);
                // Now and then longer than an owner has patience.
                let most = if self.one_in(Dice::Faults, 4) { 15_000 } else { 3_000 };
                let until = Instant::now() + self.between(Dice::Faults, 100, most);
                locked(&self.mood).full_until = Some(until);
            }
        }
        weather
    }

    fn is_full(&self) -> bool {
        locked(&self.mood).full_until.is_some_and(|until| Instant::now() < until)
    }
}

impl Clock for World {
    fn now(&self) -> Timestamp {
        Timestamp(START + self.elapsed())
    }
}

impl Ids for World {
    fn next(&self) -> u128 {
        u128::from(self.ids.fetch_add(1, Ordering::Relaxed)) + 1
    }
}

impl Documents for World {
    /// The project's instructions change with the rules.
    fn load<'a>(&'a self, _: &'a Workspace) -> BoxFuture<'a, FoundDocuments> {
        let text = format!("Revision {} of the instructions.", self.rules.load(Ordering::Relaxed));
        let hash = digest(text.as_bytes());
        let documents = vec![Document { path: "AGENTS.md".into(), text, hash, cut: 0 }];
        Box::pin(std::future::ready(FoundDocuments { documents, unreadable: Vec::new() }))
    }
}

/// What a mutex holds, whoever panicked while it held it.
pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
