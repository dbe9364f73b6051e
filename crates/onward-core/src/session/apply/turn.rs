//! The fold of turns, steps and continuations.

use onward_event::{
    MessageId, NoticeReason, ReconciliationResolved, RecoveryContinuation, Seq, StepEnd, StepStart, TurnEnd,
    TurnSource, TurnStart, TurnTerminal, Usage,
};

use super::{Fits, refuse};
use crate::prelude::*;
use crate::session::{Continuation, Ended, Run, Session, Step, StepPhase, Turn, Untold};
use crate::words;

impl Session {
    pub(super) fn turn_start(&mut self, event: &TurnStart) -> Fits {
        if self.state.turn.is_some() {
            return refuse("another turn is open");
        }
        let unread = match &event.source {
            TurnSource::Messages(ids) => self.claim_messages(ids)?,
            TurnSource::Continuation(seq) => self.claim_continuation(*seq, event)?,
        };
        self.state.runs.entry(event.run).or_insert_with(|| Run::new(event.trace));
        self.state.turn = Some(Turn {
            id: event.turn,
            run: event.run,
            source: event.source.clone(),
            unread,
            interrupt: None,
            orphaned: false,
            step: None,
            last_step: None,
            failure: None,
            usage: Usage::NONE,
            answer: String::new(),
        });
        Ok(())
    }

    fn claim_messages(&mut self, ids: &[MessageId]) -> Result<Vec<MessageId>, String> {
        for id in ids {
            let message =
                self.state.inbox.get_mut(*id).ok_or_else(|| format!("message {id} is not pending"))?;
            if message.bound {
                return Err(format!("message {id} has started a turn already"));
            }
            message.bound = true;
        }
        Ok(ids.to_vec())
    }

    fn claim_continuation(&mut self, seq: Seq, event: &TurnStart) -> Result<Vec<MessageId>, String> {
        let found = self.state.continuations.iter().position(|c| c.seq == seq && c.run == event.run);
        let at = found.ok_or_else(|| format!("there is no continuation of {} at record {seq}", event.run))?;
        if !self.state.continuations[at].blocked_on.is_empty() {
            return refuse("the continuation waits for an unknown outcome to be settled");
        }
        Ok(self.state.continuations.remove(at).reclaims)
    }

    pub(super) fn turn_end(&mut self, seq: Seq, event: &TurnEnd) -> Fits {
        let turn = self.open_turn()?;
        if turn.id != event.turn {
            return refuse("another turn is open");
        }
        if turn.step.is_some() {
            return refuse("its step is still open");
        }
        let (run, orphaned, answer) = (turn.run, turn.orphaned, core::mem::take(&mut turn.answer));
        let steps = self.state.runs.get(&run).map_or(0, |run| run.steps);
        self.state.last_end = Some(Ended { seq, run, end: event.clone(), orphaned, steps, answer });
        // An interrupted turn's messages and counters go over to its continuation.
        if event.terminal != TurnTerminal::Interrupted {
            self.state.runs.remove(&run);
        }
        self.state.turn = None;
        Ok(())
    }

    pub(super) fn continuation(&mut self, seq: Seq, event: &RecoveryContinuation) -> Fits {
        let ended = self.state.last_end.as_ref();
        let orphaned = ended.is_some_and(|ended| ended.orphaned);
        if !ended
            .is_some_and(|ended| ended.run == event.run && ended.end.terminal == TurnTerminal::Interrupted)
        {
            return refuse("the turn before it did not end interrupted");
        }
        let blocked_on: Vec<_> =
            event.blocked_on.iter().copied().filter(|call| self.state.unknown.contains_key(call)).collect();
        let Some(run) = self.state.runs.get_mut(&event.run) else {
            return refuse("its run is not open");
        };
        // A turn that was paused in order, or waits for an unknown outcome, has not crashed.
        run.recoveries = run.recoveries.saturating_add(u32::from(orphaned));
        self.state.continuations.push(Continuation {
            seq,
            run: event.run,
            turn: event.turn,
            blocked_on,
            reclaims: event.reclaims.clone(),
        });
        Ok(())
    }

    pub(super) fn step_start(&mut self, seq: Seq, event: &StepStart) -> Fits {
        let model = self.state.spec.model.clone();
        let config = self.state.config;
        let turn = self.open_turn()?;
        if turn.id != event.turn || turn.step.is_some() {
            return refuse("it belongs to the open turn, after its last step has ended");
        }
        if event.config > config {
            return refuse("it names settings that do not exist yet");
        }
        turn.last_step = None;
        turn.step = Some(Step {
            id: event.step,
            index: event.index,
            since: seq,
            claims: event.claims.clone(),
            model,
            request: None,
            attempts: 0,
            failures: 0,
            rejections: 0,
            phase: StepPhase::Preparing,
        });
        let run = self.open_run()?;
        run.steps = event.index;
        for id in &event.claims {
            let message =
                self.state.inbox.get_mut(*id).ok_or_else(|| format!("message {id} is not pending"))?;
            message.reserved = Some(event.step);
            message.claims += 1;
        }
        Ok(())
    }

    pub(super) fn step_end(&mut self, event: &StepEnd) -> Fits {
        let turn = self.open_turn()?;
        let Some(step) = turn.step.take_if(|step| step.id == event.step) else {
            return refuse("it is not the open step");
        };
        match &step.phase {
            StepPhase::Asking { .. } => return refuse("its attempt is still open"),
            StepPhase::Calling(calls) if calls.iter().any(|call| !call.is_answered()) => {
                return refuse("it has a call without an answer");
            }
            StepPhase::Calling(calls) => {
                let output = core::mem::take(&mut self.state.tail.output);
                self.history.close_step(output, calls);
            }
            StepPhase::Answered => {
                let output = core::mem::take(&mut self.state.tail.output);
                self.history.close_step(output, &[]);
            }
            StepPhase::Preparing | StepPhase::Retrying { .. } | StepPhase::Failed => {}
        }
        self.open_turn()?.last_step = Some(event.terminal);
        self.state.inbox.release(event.step);
        Ok(())
    }

    pub(super) fn reconciliation_resolved(&mut self, seq: Seq, event: &ReconciliationResolved) -> Fits {
        if self.job_settled(event) {
            return Ok(());
        }
        // Settled already, or never unknown: the client was late.
        let Some(unknown) = self.state.unknown.remove(&event.call) else { return Ok(()) };
        for continuation in &mut self.state.continuations {
            continuation.blocked_on.retain(|call| *call != event.call);
        }
        let text = words::late_truth(&unknown, event);
        self.state.untold.push(Untold { cause: seq, reason: NoticeReason::LateTruth, text });
        Ok(())
    }
}
