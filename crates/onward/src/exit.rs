//! The exit codes: what a script can rely on.

use std::process;

use onward_event::{StopReason, TurnTerminal};

/// How a command ended, as its exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum ExitCode {
    /// The work is done; for a command that starts no work: it did what it says.
    Completed = 0,
    /// Something failed: the work, the runtime, the store.
    Error = 1,
    /// The command line or the configuration is wrong; nothing was started.
    Usage = 2,
    /// The work waits for somebody: an approval, an answer. What to do is on standard error.
    Waiting = 3,
    /// The work could not be done because something it needs was denied.
    Denied = 4,
    /// An action may or may not have happened, and somebody must find out before the work goes on.
    OutcomeUnknown = 5,
    /// A limit of the run was reached: steps, tokens, seconds, money, repeats.
    Limit = 6,
    /// The model could not be used: unreachable, overloaded, wrong key, no such model.
    ModelUnavailable = 7,
    /// What is waited for has not happened within the time that was given; it goes on.
    StillRunning = 8,
    /// Interrupted; the session is kept and can be resumed.
    Interrupted = 130,
}

impl ExitCode {
    /// Every code, in ascending order.
    pub(crate) const ALL: [Self; 10] = [
        Self::Completed,
        Self::Error,
        Self::Usage,
        Self::Waiting,
        Self::Denied,
        Self::OutcomeUnknown,
        Self::Limit,
        Self::ModelUnavailable,
        Self::StillRunning,
        Self::Interrupted,
    ];

    /// The number.
    pub(crate) fn number(self) -> u8 {
        self as u8
    }

    /// What it means, in a few words, for the help text.
    pub(crate) fn meaning(self) -> &'static str {
        match self {
            Self::Completed => "done",
            Self::Error => "failed",
            Self::Usage => "the command line or the configuration is wrong",
            Self::Waiting => "waits for an approval or another answer",
            Self::Denied => "a call needed an approval, and nobody was there (`--deny-unanswered`)",
            Self::OutcomeUnknown => "an action may or may not have happened; `onward reconcile` settles it",
            Self::Limit => "a limit was reached: steps, tokens, seconds, money, repeats",
            Self::ModelUnavailable => "the model could not be used",
            Self::StillRunning => "a job still runs at the end of the time given (`jobs wait --timeout`)",
            Self::Interrupted => "interrupted; `onward resume` goes on",
        }
    }

    /// The code for a turn that ended. A turn that is still open and waits is [`ExitCode::Waiting`].
    pub(crate) fn of_turn(terminal: TurnTerminal, stop: StopReason) -> Self {
        match (terminal, stop) {
            (TurnTerminal::Completed, _) => Self::Completed,
            (TurnTerminal::Cancelled, _) | (_, StopReason::UserCancelled) => Self::Interrupted,
            // It was interrupted too often to go on by itself.
            (TurnTerminal::Failed, StopReason::PausedForResume) => Self::Limit,
            (TurnTerminal::Interrupted, _) | (_, StopReason::PausedForResume) => Self::Interrupted,
            (_, StopReason::OutcomeUnknown) => Self::OutcomeUnknown,
            (
                _,
                StopReason::MaxSteps
                | StopReason::BudgetExhausted
                | StopReason::RepeatedError
                | StopReason::RepeatedToolCall,
            ) => Self::Limit,
            (_, StopReason::PermissionDenied) => Self::Waiting,
            (_, StopReason::ModelUnavailable) => Self::ModelUnavailable,
            (TurnTerminal::Blocked, _) => Self::Waiting,
            (
                TurnTerminal::Failed,
                StopReason::Final
                | StopReason::ContextCannotFit
                | StopReason::ModelOutputRejected
                | StopReason::RuntimeError,
            ) => Self::Error,
        }
    }
}

impl From<ExitCode> for process::ExitCode {
    fn from(code: ExitCode) -> Self {
        Self::from(code.number())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_a_promise() {
        let numbers = ExitCode::ALL.map(ExitCode::number);
        assert_eq!(numbers, [0, 1, 2, 3, 4, 5, 6, 7, 8, 130]);
    }

    #[test]
    fn each_end_of_a_turn_has_its_code() {
        use StopReason as S;
        use TurnTerminal as T;
        let table = [
            (T::Completed, S::Final, ExitCode::Completed),
            (T::Failed, S::MaxSteps, ExitCode::Limit),
            (T::Failed, S::BudgetExhausted, ExitCode::Limit),
            (T::Failed, S::RepeatedError, ExitCode::Limit),
            (T::Failed, S::RepeatedToolCall, ExitCode::Limit),
            (T::Failed, S::ModelUnavailable, ExitCode::ModelUnavailable),
            (T::Failed, S::ModelOutputRejected, ExitCode::Error),
            (T::Failed, S::ContextCannotFit, ExitCode::Error),
            (T::Failed, S::RuntimeError, ExitCode::Error),
            (T::Blocked, S::OutcomeUnknown, ExitCode::OutcomeUnknown),
            (T::Blocked, S::ModelUnavailable, ExitCode::ModelUnavailable),
            (T::Blocked, S::PermissionDenied, ExitCode::Waiting),
            (T::Blocked, S::Final, ExitCode::Waiting),
            (T::Cancelled, S::UserCancelled, ExitCode::Interrupted),
            (T::Interrupted, S::PausedForResume, ExitCode::Interrupted),
            (T::Failed, S::PausedForResume, ExitCode::Limit),
            (T::Failed, S::Final, ExitCode::Error),
        ];
        for (terminal, stop, code) in table {
            assert_eq!(ExitCode::of_turn(terminal, stop), code, "{terminal:?} {stop:?}");
        }
    }

    #[test]
    fn only_a_completed_turn_is_a_success() {
        for terminal in
            [TurnTerminal::Failed, TurnTerminal::Blocked, TurnTerminal::Cancelled, TurnTerminal::Interrupted]
        {
            assert_ne!(ExitCode::of_turn(terminal, StopReason::Final), ExitCode::Completed, "{terminal:?}");
        }
    }
}
