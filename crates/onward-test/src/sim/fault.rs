//! What goes wrong in a simulated world, and where: the names under which it is counted.

use std::collections::BTreeMap;

/// A place where a process can die, or freeze.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// The owner is about to append.
    BeforeCommit,
    /// Its append is committed, and it does not know that yet.
    AfterCommit,
    /// A request is about to be sent.
    BeforeRequest,
    /// A piece of the reply has arrived.
    DuringReply,
    /// The whole reply is here, and nobody was told.
    AfterReply,
    /// A started call is about to act.
    BeforeEffect,
    /// A call has done a part of what it does.
    DuringEffect,
    /// A call has acted, and nobody was told.
    AfterEffect,
}

/// Something that goes wrong, or is hard on the owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// The process dies here.
    Crash(Place),
    /// The process freezes here for a while.
    Freeze(Place),
    /// A frozen process lost its session to another one.
    LeaseLost,
    /// A process that had lost its session tried to append.
    Fenced,
    /// Two processes wanted the session at the same time, and one was refused.
    Contended,
    /// An owner left in order in the middle of its work.
    Paused,
    /// The machine lost its power.
    PowerLost,
    /// That took records with it.
    TailLost,
    /// There was no room for an append.
    DiskFull,
    /// An append was committed, and its answer was lost.
    AnswerLost,
    /// An append was lost, and its author was not told which.
    AppendLost,
    /// A supervisor came to its gate and found it revoked.
    GateRevoked,
    /// A supervisor was killed.
    SupervisorKilled,
    /// A request failed in a way that may pass.
    ModelFailed,
    /// A request failed for good.
    ModelRefused,
    /// A reply took very long.
    ModelSlow,
    /// A reply that may not be accepted.
    ModelGarbled,
    /// A call that cannot be run.
    CallInvalid,
    /// A call did not stop when it was told to.
    Stubborn,
    /// The same message was sent twice.
    SentTwice,
    /// A person interrupted the turn.
    Interrupted,
    /// A person took a message back.
    TakenBack,
    /// The same question was answered twice, in two ways.
    AnsweredTwice,
    /// A question was answered that was closed.
    AnsweredLate,
    /// The rules changed.
    RulesChanged,
    /// The settings changed.
    SettingsChanged,
}

/// How often each thing happened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// Faults.
    pub faults: BTreeMap<Fault, u64>,
    /// Records in the final logs, by kind.
    pub events: BTreeMap<String, u64>,
}

impl Place {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::BeforeCommit,
        Self::AfterCommit,
        Self::BeforeRequest,
        Self::DuringReply,
        Self::AfterReply,
        Self::BeforeEffect,
        Self::DuringEffect,
        Self::AfterEffect,
    ];
}

impl Fault {
    const PLACELESS: [Self; 24] = [
        Self::LeaseLost,
        Self::Fenced,
        Self::Contended,
        Self::Paused,
        Self::PowerLost,
        Self::TailLost,
        Self::DiskFull,
        Self::AnswerLost,
        Self::AppendLost,
        Self::GateRevoked,
        Self::SupervisorKilled,
        Self::ModelFailed,
        Self::ModelRefused,
        Self::ModelSlow,
        Self::ModelGarbled,
        Self::CallInvalid,
        Self::Stubborn,
        Self::SentTwice,
        Self::Interrupted,
        Self::TakenBack,
        Self::AnsweredTwice,
        Self::AnsweredLate,
        Self::RulesChanged,
        Self::SettingsChanged,
    ];

    /// All of them, in all places.
    pub fn all() -> Vec<Self> {
        let placed = Place::ALL.into_iter().flat_map(|place| [Self::Crash(place), Self::Freeze(place)]);
        Self::PLACELESS.into_iter().chain(placed).collect()
    }
}

impl Seen {
    /// Counts a fault.
    pub(super) fn fault(&mut self, fault: Fault) {
        *self.faults.entry(fault).or_default() += 1;
    }

    /// Adds what another run saw.
    pub fn add(&mut self, other: &Self) {
        for (fault, count) in &other.faults {
            *self.faults.entry(*fault).or_default() += count;
        }
        for (kind, count) in &other.events {
            *self.events.entry(kind.clone()).or_default() += count;
        }
    }
}
