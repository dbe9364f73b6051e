//! The outside: what really happened, and the things that calls act upon.

use std::collections::{BTreeMap, BTreeSet};

use onward_event::{CallId, Event, Timestamp};
use onward_port::Clock as _;

use super::world::{World, locked};
use super::wrong::WrongKind;

/// An effect that a call had.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effect {
    /// In which of its runs.
    pub(super) run: u32,
    pub(super) at: Timestamp,
}

/// Kept outside of everything that a crash, or a loss of power, takes away.
#[derive(Default)]
pub(super) struct Outside {
    /// What each call did.
    pub(super) effects: BTreeMap<CallId, Vec<Effect>>,
    /// Keys of things that are done once, whoever asks again.
    pub(super) keys: BTreeSet<String>,
    /// Placings that were begun.
    pub(super) begun: BTreeSet<String>,
    /// Placings that were done.
    pub(super) placed: BTreeSet<String>,
}

impl World {
    /// A call has its effect, now. Its start must be on disk.
    pub(super) fn acts(&self, call: CallId, run: u32) {
        self.is_recorded(call, run);
        let mut outside = locked(&self.outside);
        let effects = outside.effects.entry(call).or_default();
        effects.push(Effect { run, at: self.now() });
        let times = effects.len();
        drop(outside);
        if times > 1 {
            self.blame(WrongKind::EffectDoubled, format!("{call} had its effect {times} times"));
        }
    }

    /// Whatever a call does: its start must be on disk.
    pub(super) fn is_recorded(&self, call: CallId, run: u32) {
        let is_it = |event: &Event| matches!(event, Event::ToolStart(start) if start.call == call && start.run == run);
        if !self.store.has_on_disk(is_it) {
            self.blame(
                WrongKind::EffectBeforeRecord,
                format!("{call} acts in run {run}, and no start of that is on disk"),
            );
        }
    }
}
