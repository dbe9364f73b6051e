//! The fold of tool calls.

use onward_event::{
    AnswerStatus, ApprovalRequested, ApprovalResolved, ArtifactStored, By, CallId, NoticeReason, OnUnknown,
    Part, PolicyDecided, ReconcileVerdict, Record, ResultStatus, Semantics, Seq, ToolCall, ToolCancelled,
    ToolDenied, ToolOutcomeUnknown, ToolReconciled, ToolResult, ToolStart, Verdict,
};

use super::{Fits, refuse};
use crate::prelude::*;
use crate::session::{Answer, Call, CallPhase, OpenApproval, Session, StepPhase, UnknownCall, Untold};
use crate::words;

/// After this many failures of the same call in a row the model is given a notice.
const NOTICED_REPEATS: [u32; 2] = [3, 5];

impl Session {
    pub(super) fn tool_call(&mut self, seq: Seq, event: &ToolCall) -> Fits {
        let step = self.open_step()?;
        let StepPhase::Calling(calls) = &mut step.phase else {
            return refuse("the accepted output of its step has no calls");
        };
        if step.id != event.step || event.ordinal as usize != calls.len() {
            return refuse("it is not the next call of the open step");
        }
        calls.push(Call {
            proposal: event.clone(),
            phase: CallPhase::Proposed,
            runs: 0,
            since: seq,
            cut_off: None,
            to_background: false,
            grant: None,
        });
        Ok(())
    }

    pub(super) fn policy_decided(&mut self, event: &PolicyDecided) -> Fits {
        let epoch = self.state.epoch;
        let call = self.open_call(event.call)?;
        // A later owner has asked policy again, and it still asks: the question stands.
        if let CallPhase::AwaitingApproval { epoch: asked_in, .. } = &mut call.phase
            && event.verdict == Verdict::Ask
        {
            *asked_in = epoch;
        }
        Ok(())
    }

    pub(super) fn approval_requested(&mut self, seq: Seq, event: &ApprovalRequested) -> Fits {
        let epoch = self.state.epoch;
        let call = self.open_call(event.call)?;
        call.phase = CallPhase::AwaitingApproval { approval: event.approval, epoch };
        call.since = seq;
        let open = &mut self.state.approvals.open;
        open.retain(|_, asked| asked.request.call != event.call);
        open.insert(event.approval, OpenApproval { request: event.clone() });
        Ok(())
    }

    /// A client's: an answer to a question that is no longer open is folded as ignored.
    pub(super) fn approval_resolved(&mut self, record: &Record, event: &ApprovalResolved) -> Fits {
        let Some(OpenApproval { request }) = self.state.approvals.open.remove(&event.approval) else {
            return Ok(());
        };
        let grant = self.state.approvals.resolve(&request, event);
        let Ok(call) = self.open_call(request.call) else { return Ok(()) };
        call.since = record.seq;
        call.phase = match &grant {
            Some(_) => CallPhase::Approved,
            None => CallPhase::Rejected {
                feedback: event.feedback.clone(),
                unattended: record.by.as_ref().is_some_and(By::is_unattended),
            },
        };
        call.grant = grant;
        Ok(())
    }

    pub(super) fn tool_start(&mut self, record: &Record, event: &ToolStart) -> Fits {
        let epoch = self.state.epoch;
        if self.open_turn()?.interrupt.is_some() {
            return refuse("the turn is interrupted");
        }
        let call = self.open_call(event.call)?;
        if !call.wants_authorisation(epoch) {
            return refuse("the call is not waiting to be started");
        }
        if event.run != call.runs + 1 {
            return refuse("it is not the next run of the call");
        }
        call.runs = event.run;
        call.since = record.seq;
        call.cut_off = Some(event.semantics.clone());
        call.phase = CallPhase::Started { start: event.clone(), epoch, at: record.at };
        self.close_question(event.call);
        Ok(())
    }

    pub(super) fn artifact_stored(&mut self, event: &ArtifactStored) -> Fits {
        self.state.artifacts.insert(event.artifact, event.hash);
        Ok(())
    }

    pub(super) fn tool_result(&mut self, seq: Seq, event: &ToolResult) -> Fits {
        let status = match event.status {
            ResultStatus::Ok => AnswerStatus::Ok,
            ResultStatus::Error { .. } => AnswerStatus::Error,
            ResultStatus::Timeout => AnswerStatus::Timeout,
        };
        self.answer(seq, event.call, status, event.content.clone())
    }

    pub(super) fn tool_denied(&mut self, seq: Seq, event: &ToolDenied) -> Fits {
        self.answer(seq, event.call, AnswerStatus::Denied, vec![Part::text(event.content.as_str())])
    }

    pub(super) fn tool_cancelled(&mut self, seq: Seq, event: &ToolCancelled) -> Fits {
        self.answer(seq, event.call, AnswerStatus::Cancelled, vec![Part::text(event.content.as_str())])
    }

    pub(super) fn tool_outcome_unknown(&mut self, seq: Seq, event: &ToolOutcomeUnknown) -> Fits {
        let run = self.open_turn()?.run;
        let call = self.open_call(event.call)?;
        let unknown = UnknownCall {
            call: event.call,
            run,
            tool: call.proposal.name.clone(),
            input: call.proposal.input.to_string(),
            why: event.content.clone(),
            then: call.cut_off.as_ref().map_or(OnUnknown::Ask, Semantics::on_unknown),
        };
        self.state.unknown.insert(event.call, unknown);
        self.answer(seq, event.call, AnswerStatus::OutcomeUnknown, vec![Part::text(event.content.as_str())])
    }

    pub(super) fn tool_reconciled(&mut self, seq: Seq, event: &ToolReconciled) -> Fits {
        let call = self.open_call(event.call)?;
        // Also one that waits to be authorised again.
        if call.cut_off.is_none() {
            return refuse("the call was not started");
        }
        // The other two verdicts are followed by the answer in the same append.
        if event.verdict == ReconcileVerdict::NotApplied {
            call.phase = CallPhase::Proposed;
            call.cut_off = None;
            call.since = seq;
        }
        Ok(())
    }

    /// A call is answered: once, and for all.
    fn answer(&mut self, seq: Seq, id: CallId, status: AnswerStatus, content: Vec<Part>) -> Fits {
        let call = self.open_call(id)?;
        let (digest, tool) = (call.proposal.digest, call.proposal.name.clone());
        call.phase = CallPhase::Answered(Answer { status, content });
        call.since = seq;
        self.close_question(id);
        self.open_run()?.count_answer(digest, status);
        self.note_repeats(seq, &tool);
        Ok(())
    }

    /// At the third and the fifth time, the model is told that repeating does not help.
    fn note_repeats(&mut self, seq: Seq, tool: &str) {
        let stop = self.state.spec.limits.max_repeated_calls;
        let Ok(run) = self.open_run() else { return };
        let times = run.repeats();
        if NOTICED_REPEATS.contains(&times) && times < stop {
            let text = words::repeated(tool, times, stop);
            self.state.untold.push(Untold { cause: seq, reason: NoticeReason::RepeatedCall, text });
        }
    }

    fn close_question(&mut self, id: CallId) {
        self.state.approvals.open.retain(|_, asked| asked.request.call != id);
    }

    /// A call of the open step that is not answered yet.
    pub(super) fn open_call(&mut self, id: CallId) -> Result<&mut Call, String> {
        let StepPhase::Calling(calls) = &mut self.open_step()?.phase else {
            return refuse("no calls are open");
        };
        match calls.iter_mut().find(|call| call.proposal.call == id) {
            Some(call) if call.is_answered() => refuse("the call is answered already"),
            Some(call) => Ok(call),
            None => refuse("there is no such call in the open step"),
        }
    }
}
