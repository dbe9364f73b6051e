//! The words that the runtime itself says: to the model through events, and to people at the end of a turn.
//!
//! They are made here, when an event is decided, and stored in it; a later version may word things differently
//! without changing what an old log says.

use onward_event::{InvalidCall, JobId, JobPhase, Mode, ReconciliationResolved, ResolvedVerdict, StopReason};

use crate::prelude::*;
use crate::session::{Job, UnknownCall};

pub(crate) fn mode_changed(from: Mode, to: Mode) -> String {
    let what = match to {
        Mode::Normal => "writing and commands are asked about",
        Mode::AcceptEdits => "edits in the workspace are allowed, commands are asked about",
        Mode::Auto => "edits and commands are allowed",
        Mode::Plan => "nothing may be changed: explore and propose",
        Mode::ReadOnly => "nothing may be changed",
        Mode::Bypass => "nothing is asked about",
    };
    format!("The mode changed from {} to {}: {what}.", from.name(), to.name())
}

pub(crate) fn late_truth(unknown: &UnknownCall, resolved: &ReconciliationResolved) -> String {
    let what = match resolved.verdict {
        ResolvedVerdict::Applied => "it did happen",
        ResolvedVerdict::NotApplied => "it did not happen",
        ResolvedVerdict::GoOn => {
            "nobody could find out; go on with that in mind, and check before relying on it"
        }
    };
    let how = if resolved.evidence.is_empty() {
        String::new()
    } else {
        format!(" Evidence: {}", resolved.evidence)
    };
    format!(
        "About the call of `{}` ({}) whose outcome was unknown: {what}.{how}",
        unknown.tool, unknown.input
    )
}

pub(crate) fn repeated(tool: &str, times: u32, stop: u32) -> String {
    format!(
        "The same call of `{tool}` has failed {times} times in a row. Doing it again will not help: look at the error, \
         change the input or the approach, or say what is missing. At {stop} the turn is stopped."
    )
}

pub(crate) fn invalid_call(invalid: &InvalidCall) -> String {
    format!("{}: {}", invalid.code, invalid.reasons.join("; "))
}

pub(crate) fn rejected_by_person(feedback: Option<&str>) -> String {
    match feedback {
        Some(words) => format!("denied by the person, who says: {words}"),
        None => "denied by the person. Do not try the same again; ask, or find another way.".into(),
    }
}

/// Nothing is put into the mouth of a person who was not there.
pub(crate) fn rejected_by_nobody(words: Option<&str>) -> String {
    denied(words.unwrap_or("nobody was there to approve it"))
}

pub(crate) fn denied(reason: &str) -> String {
    format!("denied: {reason}")
}

pub(crate) const CANCELLED_UNSTARTED: &str = "cancelled before it started: nothing happened.";
pub(crate) const CANCELLED_WITH_PROCESS: &str =
    "cancelled: it was interrupted together with the runtime; what it does has no lasting effect.";
pub(crate) const CANCELLED_AFTER_START: &str = "cancelled: it was interrupted together with the runtime. It had \
    started; whether it had its effect is not known. It will not be started again.";
pub(crate) const GONE: &str =
    "interrupted: the runtime ended while this call ran, and its answer is lost. It had no effects.";

/// A call that was interrupted, and went on.
pub(crate) fn not_stopped(seconds: u64) -> String {
    format!("It was told to stop and did not within {seconds} s; whether it goes on is not known.")
}

/// A call whose answer cannot be had, of a tool that only looks.
pub(crate) fn without_effects(why: &str) -> String {
    format!("{why} It changes nothing, so there is nothing to find out: only its answer is missing.")
}

/// A call that was started once, whose repetition could not even be prepared.
pub(crate) fn unknown_after_fault(fault: &str) -> String {
    format!(
        "The runtime ended while this call ran; whether it had its effect is not known, and running it again to make \
         sure is not possible: {fault}"
    )
}

/// A call that was started once, whose repetition was refused.
pub(crate) fn unknown_after_refusal(why: &str) -> String {
    format!(
        "The runtime ended while this call ran; whether it had its effect is not known, and running it again to make \
         sure was refused: {why}"
    )
}

pub(crate) const UNKNOWN_MANUAL: &str = "The runtime ended while this call ran. It had started; whether it finished, and what it \
    changed, is not known. It will not be started again by itself.";

/// Where a turn stopped, why, and what to do next.
pub(crate) fn stopped(step: u32, stop: StopReason, detail: &str) -> String {
    let why = match stop {
        StopReason::Final => return String::new(),
        StopReason::MaxSteps => "the run has used up its steps",
        StopReason::BudgetExhausted => "the run has used up its budget",
        StopReason::RepeatedError => "too many calls in a row failed",
        StopReason::RepeatedToolCall => "the same call kept failing",
        StopReason::PermissionDenied => "call after call was refused",
        StopReason::UserCancelled => "it was interrupted",
        StopReason::PausedForResume => "its process ended in the middle",
        StopReason::OutcomeUnknown => "an action was cut off, and it is not known whether it happened",
        StopReason::ContextCannotFit => "the request does not fit the model's window",
        StopReason::ModelUnavailable => "the model could not be reached",
        StopReason::ModelOutputRejected => "the model's output could not be accepted",
        StopReason::RuntimeError => "of a fault in the runtime",
    };
    let next = match stop {
        StopReason::Final => "",
        StopReason::MaxSteps => "Send a message to go on with a fresh count, or raise --max-steps.",
        StopReason::BudgetExhausted => "Send a message to go on with a fresh budget, or raise --budget.",
        StopReason::RepeatedError | StopReason::RepeatedToolCall => {
            "Look at the errors, then send a message that says what to do differently."
        }
        StopReason::PermissionDenied => {
            "Say in a message what it may do instead, allow it (`onward policy explain` shows which rule refuses, and \
             what would allow it), or change --mode."
        }
        StopReason::UserCancelled => "The session is kept: send a message to go on.",
        StopReason::PausedForResume if detail.is_empty() => "It goes on with the next start.",
        StopReason::PausedForResume => "Find out why, then send a message to go on.",
        StopReason::OutcomeUnknown => "Find out, then settle it with `onward reconcile`.",
        StopReason::ContextCannotFit => "Start a new session, or ask for less at once.",
        StopReason::ModelUnavailable => "Check the provider and the key, then send a message to go on.",
        StopReason::ModelOutputRejected => "Send a message that asks for it in another way.",
        StopReason::RuntimeError => "The session is kept: send a message to try again.",
    };
    let detail = if detail.is_empty() { String::new() } else { format!(" ({detail})") };
    format!("Stopped at step {step}: {why}{detail}. {next}")
}

pub(crate) fn too_many_jobs(limit: u32, queued: u32) -> String {
    let queue = match queued {
        0 => String::new(),
        queued => format!(", and {queued} may wait for a place"),
    };
    format!(
        "no more than {limit} may run in the background at once{queue}: wait for one with `job_wait`, or end one with \
         `job_cancel`; `jobs` lists them. Nothing was started."
    )
}

pub(crate) fn job_budget(limit: u32) -> String {
    format!(
        "a session may begin no more than {limit} in the background in all (`limits.max_session_jobs`), and this one \
         has: run the command in the foreground. Nothing was started."
    )
}

pub(crate) fn queue_full(running: u32, queued: u32) -> String {
    format!(
        "of one answer no more than {running} may run at once and {queued} may wait for a place: make this call again \
         when those are answered, with fewer at once. Nothing was started."
    )
}

pub(crate) fn job_started(job: JobId, asked_by_person: bool) -> String {
    let why = if asked_by_person { " It was sent to the background by the person." } else { "" };
    format!(
        "The command runs in the background as {job}.{why} You will be told when it ends. `job_output` shows what it \
         says, `job_wait` waits for its end, `job_cancel` ends it."
    )
}

pub(crate) fn job_ended(job: &Job, phase: &JobPhase) -> String {
    let output = match (phase.bytes, phase.artifact) {
        (0, _) => "It said nothing.".into(),
        (bytes, Some(_)) => format!("`job_output` shows what it said ({bytes} bytes)."),
        (bytes, None) => format!("It said {bytes} bytes, which were not kept."),
    };
    let output = if phase.status.is_some() { format!(" {output}") } else { String::new() };
    let (id, state, summary) = (job.id, phase.phase.name(), &phase.summary);
    format!("The job {id} (`{}`) has ended, {state}: {summary}.{output}", job.command)
}

pub(crate) fn job_unknown(job: &Job, evidence: &str) -> String {
    format!(
        "What became of the job {} (`{}`) is not known: {evidence}. It is not started again by itself. Check what it \
         did before relying on it; a person may find out and say so.",
        job.id, job.command
    )
}

pub(crate) fn job_settled(verdict: ResolvedVerdict, evidence: &str) -> String {
    let what = match verdict {
        ResolvedVerdict::Applied => "the person says that it came to its end",
        ResolvedVerdict::NotApplied => "the person says that it had no effect",
        ResolvedVerdict::GoOn => "nobody could find out what it did",
    };
    match evidence {
        "" => what.into(),
        evidence => format!("{what} (evidence: {evidence})"),
    }
}
