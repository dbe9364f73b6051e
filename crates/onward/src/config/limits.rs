//! The limits of a run, with where each comes from.

use onward_event::{Limits, ScheduleLimits};

use super::source::Sourced;

/// As [`Limits`], each with its source.
#[derive(Clone, Debug)]
pub(crate) struct LimitSettings {
    pub(crate) max_steps: Sourced<u32>,
    pub(crate) max_tokens: Option<Sourced<u64>>,
    pub(crate) max_seconds: Option<Sourced<u64>>,
    pub(crate) max_cost_micros: Option<Sourced<u64>>,
    pub(crate) max_attempts: Sourced<u32>,
    pub(crate) max_rejections: Sourced<u32>,
    pub(crate) max_repeated_calls: Sourced<u32>,
    pub(crate) max_repeated_errors: Sourced<u32>,
    pub(crate) max_denials: Sourced<u32>,
    pub(crate) max_recoveries: Sourced<u32>,
    pub(crate) max_jobs: Sourced<u32>,
    pub(crate) max_parallel_calls: Sourced<u32>,
    pub(crate) max_queued_calls: Sourced<u32>,
    pub(crate) max_queued_jobs: Sourced<u32>,
    pub(crate) max_session_jobs: Sourced<u32>,
}

impl Default for LimitSettings {
    fn default() -> Self {
        // Taken apart field by field, so that a new limit does not compile until it can be configured.
        let Limits {
            max_steps,
            max_tokens,
            max_seconds,
            max_cost_micros,
            max_attempts,
            max_rejections,
            max_repeated_calls,
            max_repeated_errors,
            max_denials,
            max_recoveries,
            max_jobs,
            schedule:
                ScheduleLimits { max_parallel_calls, max_queued_calls, max_queued_jobs, max_session_jobs },
        } = Limits::default();
        Self {
            max_steps: Sourced::default_value(max_steps),
            max_tokens: max_tokens.map(Sourced::default_value),
            max_seconds: max_seconds.map(Sourced::default_value),
            max_cost_micros: max_cost_micros.map(Sourced::default_value),
            max_attempts: Sourced::default_value(max_attempts),
            max_rejections: Sourced::default_value(max_rejections),
            max_repeated_calls: Sourced::default_value(max_repeated_calls),
            max_repeated_errors: Sourced::default_value(max_repeated_errors),
            max_denials: Sourced::default_value(max_denials),
            max_recoveries: Sourced::default_value(max_recoveries),
            max_jobs: Sourced::default_value(max_jobs),
            max_parallel_calls: Sourced::default_value(max_parallel_calls),
            max_queued_calls: Sourced::default_value(max_queued_calls),
            max_queued_jobs: Sourced::default_value(max_queued_jobs),
            max_session_jobs: Sourced::default_value(max_session_jobs),
        }
    }
}

impl LimitSettings {
    /// The values alone.
    pub(crate) fn resolve(&self) -> Limits {
        let value = |limit: &Option<Sourced<u64>>| limit.as_ref().map(|limit| limit.value);
        Limits {
            max_steps: self.max_steps.value,
            max_tokens: value(&self.max_tokens),
            max_seconds: value(&self.max_seconds),
            max_cost_micros: value(&self.max_cost_micros),
            max_attempts: self.max_attempts.value,
            max_rejections: self.max_rejections.value,
            max_repeated_calls: self.max_repeated_calls.value,
            max_repeated_errors: self.max_repeated_errors.value,
            max_denials: self.max_denials.value,
            max_recoveries: self.max_recoveries.value,
            max_jobs: self.max_jobs.value,
            schedule: ScheduleLimits {
                max_parallel_calls: self.max_parallel_calls.value,
                max_queued_calls: self.max_queued_calls.value,
                max_queued_jobs: self.max_queued_jobs.value,
                max_session_jobs: self.max_session_jobs.value,
            },
        }
    }
}
