//! Owners, turns and steps.

use onward_event::*;

use super::Log;
use crate::values::*;

impl Log {
    pub(crate) fn acquire(mut self) -> Self {
        self.epoch += 1;
        let epoch = Epoch(self.epoch);
        self.owner(vec![OwnerAcquired { epoch, owner: "host 1".into() }.into()])
    }

    pub(crate) fn release(self) -> Self {
        let epoch = Epoch(self.epoch);
        self.owner(vec![OwnerReleased { epoch }.into()])
    }

    /// A turn and its first step.
    pub(crate) fn turn(mut self, messages: &[u128]) -> Self {
        self.runs += 1;
        self.run = self.runs;
        self.index = 0;
        let ids: Vec<_> = messages.iter().map(|n| msg(*n)).collect();
        self.start_turn(TurnSource::Messages(ids.clone()), ids)
    }

    /// The turn that a continuation calls for, and its first step.
    pub(crate) fn carry_on(self, continuation: Seq, reclaims: &[u128]) -> Self {
        self.start_turn(TurnSource::Continuation(continuation), reclaims.iter().map(|n| msg(*n)).collect())
    }

    fn start_turn(mut self, source: TurnSource, claims: Vec<MessageId>) -> Self {
        self.turns += 1;
        self.usage = None;
        let start = TurnStart {
            turn: turn(self.turns),
            run: run(self.run),
            trace: TraceId::from_bits(self.run),
            source,
        };
        let step = self.next_step(claims);
        self.owner(vec![start.into(), step])
    }

    fn next_step(&mut self, claims: Vec<MessageId>) -> Event {
        self.steps += 1;
        self.index += 1;
        (self.revision, self.number, self.request) = (0, 0, None);
        self.claims = claims.clone();
        let (step, turn, index) = (step(self.steps), turn(self.turns), self.index);
        StepStart { step, turn, index, claims, config: self.config }.into()
    }

    pub(crate) fn step(mut self, claims: &[u128]) -> Self {
        let start = self.next_step(claims.iter().map(|n| msg(*n)).collect());
        self.owner(vec![start])
    }

    /// Every call is answered: the step ends and the next one begins.
    pub(crate) fn go_on(mut self, claims: &[u128]) -> Self {
        let end = self.step_end(StepTerminal::Tools);
        let start = self.next_step(claims.iter().map(|n| msg(*n)).collect());
        self.owner(vec![end, start])
    }

    pub(crate) fn step_end(&self, terminal: StepTerminal) -> Event {
        StepEnd { step: step(self.steps), terminal }.into()
    }

    pub(crate) fn turn_end(&self, terminal: TurnTerminal, stop: StopReason) -> Event {
        let usage = self.usage.unwrap_or(Usage::NONE);
        TurnEnd { turn: turn(self.turns), terminal, stop, next: "…".into(), usage }.into()
    }

    pub(crate) fn end(self, step: StepTerminal, terminal: TurnTerminal, stop: StopReason) -> Self {
        let events = vec![self.step_end(step), self.turn_end(terminal, stop)];
        self.owner(events)
    }

    pub(crate) fn cancelled(self) -> Self {
        self.end(StepTerminal::Cancelled, TurnTerminal::Cancelled, StopReason::UserCancelled)
    }

    /// What an owner's death left behind is settled: step and turn end, and the run waits to go on.
    pub(crate) fn cut_off(self, blocked_on: &[u128], reclaims: &[u128]) -> Self {
        let stop = match blocked_on {
            [] => StopReason::PausedForResume,
            _ => StopReason::OutcomeUnknown,
        };
        let continuation = RecoveryContinuation {
            run: run(self.run),
            turn: turn(self.turns),
            blocked_on: blocked_on.iter().map(|n| call(*n)).collect(),
            reclaims: reclaims.iter().map(|n| msg(*n)).collect(),
        };
        let events = vec![
            self.step_end(StepTerminal::Interrupted),
            self.turn_end(TurnTerminal::Interrupted, stop),
            continuation.into(),
        ];
        self.owner(events)
    }
}
