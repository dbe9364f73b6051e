//! Tool calls of the open step: where each stands.

use onward_event::{AnswerStatus, ApprovalId, Epoch, Part, Semantics, Seq, Timestamp, ToolCall, ToolStart};

use serde::{Deserialize, Serialize};

use super::Grant;
use crate::prelude::*;

/// A call of the open step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    /// As the model proposed it.
    pub proposal: ToolCall,
    /// Where it stands.
    pub phase: CallPhase,
    /// How often it was started.
    pub runs: u32,
    /// The record that brought it into its phase.
    pub since: Seq,
    /// The semantics of a start that is neither answered nor found to have done nothing: it may have had its effect,
    /// also when the call waits to be authorised again.
    pub cut_off: Option<Semantics>,
    /// Somebody wants it answered with a job, if it runs under a supervisor.
    pub to_background: bool,
    /// The person's approval, if one was given; serves this call only.
    pub grant: Option<Grant>,
}

/// Where a call stands. Each phase carries what is known in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CallPhase {
    /// To be authorised, in its turn.
    Proposed,
    /// A person is asked.
    AwaitingApproval {
        /// The question.
        approval: ApprovalId,
        /// The epoch in which policy asked; a later owner has policy judge anew.
        epoch: Epoch,
    },
    /// A person has approved; to be authorised again.
    Approved,
    /// It is rejected.
    Rejected {
        /// The words of the person, or of the process that answered in the place of one.
        feedback: Option<String>,
        /// Nobody was there to answer.
        #[serde(default)]
        unattended: bool,
    },
    /// It may have had its effect.
    Started {
        /// As recorded.
        start: ToolStart,
        /// The owner's epoch: performed only in this one, recovered in a later one.
        epoch: Epoch,
        /// When.
        at: Timestamp,
    },
    /// It is answered, once and for all.
    Answered(Answer),
}

/// The answer to a call, as the model sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// In one word.
    pub status: AnswerStatus,
    /// In full.
    pub content: Vec<Part>,
}

impl Call {
    /// Whether it is answered.
    pub fn is_answered(&self) -> bool {
        matches!(self.phase, CallPhase::Answered(_))
    }

    /// Whether its outcome is unknown.
    pub fn is_unknown(&self) -> bool {
        matches!(&self.phase, CallPhase::Answered(answer) if answer.status == AnswerStatus::OutcomeUnknown)
    }

    /// The start, when a process of an earlier epoch made it.
    pub(crate) fn orphaned(&self, now: Epoch) -> Option<&ToolStart> {
        match &self.phase {
            CallPhase::Started { start, epoch, .. } if *epoch < now => Some(start),
            _ => None,
        }
    }

    /// Whether a start of it may have had an effect that lasts.
    pub(crate) fn may_have_acted(&self) -> bool {
        matches!(self.cut_off, Some(Semantics::Possible(_)))
    }

    /// Whether policy is to judge it next (provided that its turn in the order has come).
    pub(crate) fn wants_authorisation(&self, now: Epoch) -> bool {
        match &self.phase {
            CallPhase::Proposed => self.proposal.invalid.is_none(),
            CallPhase::Approved => true,
            CallPhase::AwaitingApproval { epoch, .. } => *epoch < now,
            CallPhase::Started { start, .. } => {
                self.orphaned(now).is_some() && start.semantics.may_run_again()
            }
            CallPhase::Rejected { .. } | CallPhase::Answered(_) => false,
        }
    }

    /// Whether it touches something that the other touches too, so that both must not run at the same time.
    pub(crate) fn conflicts_with(&self, other: &Self) -> bool {
        let others = &other.proposal.accesses;
        self.proposal.accesses.iter().any(|mine| others.iter().any(|theirs| mine.conflicts_with(theirs)))
    }

    /// Its start, while its end is not recorded.
    pub fn start(&self) -> Option<&ToolStart> {
        match &self.phase {
            CallPhase::Started { start, .. } => Some(start),
            _ => None,
        }
    }

    /// When that was.
    pub(crate) fn started_at(&self) -> Option<Timestamp> {
        match &self.phase {
            CallPhase::Started { at, .. } => Some(*at),
            _ => None,
        }
    }

    /// Whether it is found out only whether its command began, and not waited for its end: always in a later epoch,
    /// when it is to be answered with a job; in its own, when it was begun in the foreground.
    pub(crate) fn wants_detaching(&self, now: Epoch) -> bool {
        self.start().is_some_and(|start| {
            let orphaned = self.orphaned(now).is_some();
            start.is_supervised()
                && ((self.to_background && !start.is_background()) || (orphaned && start.is_background()))
        })
    }

    /// The semantics under which it was started.
    pub(crate) fn semantics(&self) -> Option<&Semantics> {
        self.start().map(|start| &start.semantics)
    }
}
