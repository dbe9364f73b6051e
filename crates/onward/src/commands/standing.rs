//! How a session stands, in a word: what it does, what it waits for, or how its last task ended.

use onward_core::{Session, Wait};
use onward_event::{JobState, TurnTerminal};
use onward_port::{LogError, OwnerState, SessionSummary};
use onward_runtime::load;

use crate::compose::App;

/// How a session stands; what matters most to a person comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// Its log cannot be read.
    Damaged,
    /// Somebody must find out what became of an action.
    OutcomeUnknown,
    /// A person is asked whether a call may run.
    WaitsForApproval,
    /// A process works on it.
    Running,
    /// Its process died in the middle; the next one goes on.
    Interrupted,
    /// Its process left in the middle, in order; the next one goes on.
    Paused,
    /// Something was said that nobody has worked on.
    HasInput,
    /// Nothing is to be done but to hear of the end of a job.
    WaitsForJob,
    /// Its last task failed.
    Failed,
    /// Its last task was cancelled.
    Cancelled,
    /// Its last task is done.
    Done,
    /// Nothing was asked yet.
    New,
}

/// How a session stands, and what is wrong with its log if it is damaged. As much of it is verified as its next owner
/// would verify.
pub(super) async fn standing(app: &App, summary: &SessionSummary) -> (Standing, Option<LogError>) {
    match load(app.ports.log.as_ref(), summary.session).await {
        Ok(session) => (Standing::of(&session, &summary.owner), None),
        Err(damage) => (Standing::Damaged, Some(damage)),
    }
}

impl Standing {
    fn of(session: &Session, owner: &OwnerState) -> Self {
        let waits = session.waiting_on();
        let waits_for = |what: fn(&Wait) -> bool| waits.iter().any(what);
        let open = session.turn().is_some() || !session.continuations().is_empty();
        if waits_for(|wait| matches!(wait, Wait::Settlement(_))) {
            return Self::OutcomeUnknown;
        }
        if waits_for(|wait| matches!(wait, Wait::Approval(_))) {
            return Self::WaitsForApproval;
        }
        match owner {
            OwnerState::Held { .. } => return Self::Running,
            OwnerState::Orphaned { .. } if open => return Self::Interrupted,
            OwnerState::Free if open => return Self::Paused,
            OwnerState::Orphaned { .. } | OwnerState::Free => {}
        }
        if session.pending_messages().any(|pending| pending.message.wakeup) {
            return Self::HasInput;
        }
        if session.jobs().any(|job| job.phase == JobState::Running) {
            return Self::WaitsForJob;
        }
        match session.last_end().map(|ended| ended.end.terminal) {
            None => Self::New,
            Some(TurnTerminal::Completed) => Self::Done,
            Some(TurnTerminal::Cancelled) => Self::Cancelled,
            Some(TurnTerminal::Failed | TurnTerminal::Blocked | TurnTerminal::Interrupted) => Self::Failed,
        }
    }

    /// For people.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Damaged => "damaged",
            Self::OutcomeUnknown => "outcome unknown",
            Self::WaitsForApproval => "waits for an approval",
            Self::Running => "running",
            Self::Interrupted => "interrupted",
            Self::Paused => "paused",
            Self::HasInput => "has unread input",
            Self::WaitsForJob => "waits for a job",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
            Self::Done => "done",
            Self::New => "new",
        }
    }

    /// For programs.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Damaged => "damaged",
            Self::OutcomeUnknown => "outcome_unknown",
            Self::WaitsForApproval => "waits_for_approval",
            Self::Running => "running",
            Self::Interrupted => "interrupted",
            Self::Paused => "paused",
            Self::HasInput => "has_input",
            Self::WaitsForJob => "waits_for_job",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
            Self::Done => "done",
            Self::New => "new",
        }
    }
}
