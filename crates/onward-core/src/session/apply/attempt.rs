//! The fold of requests, attempts and accepted outputs.

use onward_event::{
    AcceptedPart, AssistantAccepted, AttemptEnd, AttemptOutcome, AttemptStart, ErrorClass, RejectReason,
    RequestPrepared, Seq, StopReason, Timestamp,
};

use super::{Fits, refuse};
use crate::prelude::*;
use crate::session::{Request, Session, StepPhase};

impl Session {
    pub(super) fn request_prepared(&mut self, seq: Seq, event: &RequestPrepared) -> Fits {
        let step = self.open_step()?;
        if step.id != event.step || step.phase != StepPhase::Preparing {
            return refuse("it is not the step that prepares a request");
        }
        step.request = Some(Request {
            seq,
            digest: event.digest,
            revision: event.revision,
            head: event.manifest.head,
            tokens: event.context.tokens,
        });
        step.phase = StepPhase::Retrying { at: Timestamp(0) };
        let claimed: Vec<_> = self.claimed().map(|m| m.message.id).collect();
        if claimed != event.includes {
            return refuse("it includes other messages than its step has claimed");
        }
        self.commit_additions();
        for id in &event.includes {
            self.state.inbox.remove(*id);
        }
        self.open_turn()?.unread.retain(|id| !event.includes.contains(id));
        Ok(())
    }

    pub(super) fn attempt_start(&mut self, seq: Seq, event: &AttemptStart) -> Fits {
        let epoch = self.state.epoch;
        let turn = self.open_turn()?;
        if turn.interrupt.is_some() {
            return refuse("the turn is interrupted");
        }
        let step = self.open_step()?;
        if step.id != event.step || !matches!(step.phase, StepPhase::Retrying { .. }) {
            return refuse("its step has no prepared request to send");
        }
        if step.request.map(|r| r.digest) != Some(event.request) || event.number != step.attempts + 1 {
            return refuse("it is not the next attempt at the prepared request");
        }
        step.attempts = event.number;
        step.phase = StepPhase::Asking { attempt: event.attempt, since: seq, epoch };
        Ok(())
    }

    pub(super) fn attempt_end(&mut self, at: Timestamp, event: &AttemptEnd) -> Fits {
        let limits = self.state.spec.limits.clone();
        let step = self.open_step()?;
        if !matches!(step.phase, StepPhase::Asking { attempt, .. } if attempt == event.attempt) {
            return refuse("it is not the open attempt");
        }
        let mut failure = None;
        step.phase = match &event.outcome {
            // What was accepted follows in the same append.
            AttemptOutcome::Accepted => StepPhase::Answered,
            AttemptOutcome::Rejected { reason, detail } => {
                step.rejections += 1;
                let hopeless = matches!(
                    reason,
                    RejectReason::Length | RejectReason::Refusal | RejectReason::ContentFilter
                );
                if hopeless || step.rejections >= limits.max_rejections {
                    failure = Some((StopReason::ModelOutputRejected, detail.clone()));
                    StepPhase::Failed
                } else {
                    StepPhase::Retrying { at }
                }
            }
            AttemptOutcome::Failed { class, message, retry_at } => {
                step.failures += 1;
                match retry_at {
                    Some(at) => StepPhase::Retrying { at: *at },
                    None => {
                        failure = Some((stop_for(*class), message.clone()));
                        StepPhase::Failed
                    }
                }
            }
            AttemptOutcome::Aborted | AttemptOutcome::Interrupted => StepPhase::Retrying { at },
        };
        let turn = self.open_turn()?;
        turn.failure = failure;
        turn.usage = turn.usage.plus(event.usage);
        let run = self.open_run()?;
        run.usage = run.usage.plus(event.usage);
        self.state.usage = self.state.usage.plus(event.usage);
        Ok(())
    }

    pub(super) fn assistant_accepted(&mut self, event: &AssistantAccepted) -> Fits {
        let step = self.open_step()?;
        if step.id != event.step || step.phase != StepPhase::Answered {
            return refuse("no attempt of its step has just ended accepted");
        }
        if event.calls > 0 {
            step.phase = StepPhase::Calling(Vec::new());
        }
        let turn = self.open_turn()?;
        turn.answer.clear();
        for part in &event.content {
            if let AcceptedPart::Text(text) = part {
                turn.answer.push_str(text);
            }
        }
        self.state.tail.output = event.content.clone();
        Ok(())
    }
}

fn stop_for(class: ErrorClass) -> StopReason {
    match class {
        ErrorClass::ContextOverflow => StopReason::ContextCannotFit,
        _ => StopReason::ModelUnavailable,
    }
}
