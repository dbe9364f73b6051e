//! Runs: the claimed pieces of work, counted over all their turns.

use onward_event::{AnswerStatus, CallId, Digest, MessageId, OnUnknown, RunId, Seq, TraceId, TurnId, Usage};

use serde::{Deserialize, Serialize};

use crate::prelude::*;

/// Counters of one run. Limits apply to these, so that a crash does not give a run a fresh budget.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// For tracing tools.
    pub trace: TraceId,
    /// Steps started.
    pub steps: u32,
    /// What its attempts used.
    pub usage: Usage,
    /// Milliseconds in which it was active: a turn was open, its owner alive, and not only a person waited for.
    pub active_millis: u64,
    /// Automatic continuations after a crash.
    pub recoveries: u32,
    /// The call that failed last, and how often in a row it did.
    pub repeated: Option<(Digest, u32)>,
    /// Failing calls in a row, whatever they were.
    pub errors: u32,
    /// Calls refused in a row.
    pub denials: u32,
    /// Calls refused in all.
    pub denials_in_all: u32,
}

impl Run {
    pub(crate) fn new(trace: TraceId) -> Self {
        Self {
            trace,
            steps: 0,
            usage: Usage::NONE,
            active_millis: 0,
            recoveries: 0,
            repeated: None,
            errors: 0,
            denials: 0,
            denials_in_all: 0,
        }
    }

    /// Counts an answered call. Only failing calls count, and anything else in between starts afresh: running the
    /// same failing test after each edit is work, not a fault.
    pub(crate) fn count_answer(&mut self, digest: Digest, status: AnswerStatus) {
        if status == AnswerStatus::Denied {
            self.denials = self.denials.saturating_add(1);
            self.denials_in_all = self.denials_in_all.saturating_add(1);
        } else {
            self.denials = 0;
        }
        if !matches!(status, AnswerStatus::Error | AnswerStatus::Timeout | AnswerStatus::Denied) {
            self.repeated = None;
            self.errors = 0;
            return;
        }
        self.errors = self.errors.saturating_add(1);
        self.repeated = match self.repeated {
            Some((last, n)) if last == digest => Some((digest, n.saturating_add(1))),
            _ => Some((digest, 1)),
        };
    }

    /// How often in a row the same call has failed.
    pub fn repeats(&self) -> u32 {
        self.repeated.map_or(0, |(_, n)| n)
    }
}

/// A run that goes on in a new turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Continuation {
    /// Its record; what a new turn names as its source.
    pub seq: Seq,
    /// The run.
    pub run: RunId,
    /// The turn that was interrupted.
    pub turn: TurnId,
    /// Calls that must be settled first; empty when it may go on.
    pub blocked_on: Vec<CallId>,
    /// Messages that the new turn takes over.
    pub reclaims: Vec<MessageId>,
}

/// A call whose outcome is unknown and not settled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnknownCall {
    /// The call.
    pub call: CallId,
    /// The run that it holds up.
    pub run: RunId,
    /// The tool.
    pub tool: String,
    /// The canonical input, as JSON.
    pub input: String,
    /// Why it is unknown and what is known.
    pub why: String,
    /// Whether a person is asked, or its run is held until somebody settles it from outside.
    pub then: OnUnknown,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_count_in_all_whatever_runs_in_between() {
        let mut run = Run::new(TraceId::from_bits(1));
        for _ in 0..5 {
            run.count_answer(Digest::ZERO, AnswerStatus::Denied);
            run.count_answer(Digest::ZERO, AnswerStatus::Ok);
        }
        assert_eq!((run.denials, run.denials_in_all), (0, 5));
    }
}
