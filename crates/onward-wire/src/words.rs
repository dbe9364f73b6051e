//! The words of the protocol: every closed choice, with the log's choice that it is made from.
//!
//! They repeat the log's vocabulary on purpose: a new word in the log does not compile here until somebody has decided
//! what clients are told.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Declares an enum whose variants are written as the given words, and its conversion from the log's enum.
macro_rules! words {
    ($($(#[$doc:meta])* $name:ident from $source:ident {
        $($(#[$variant_doc:meta])* $variant:ident = $word:literal,)*
    })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
        pub enum $name {
            $($(#[$variant_doc])* #[serde(rename = $word)] $variant,)*
        }

        impl $name {
            /// The word, as it is written.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }
        }

        impl From<onward_event::$source> for $name {
            fn from(value: onward_event::$source) -> Self {
                match value { $(onward_event::$source::$variant => Self::$variant,)* }
            }
        }
    )*};
}

words! {
    /// How much is allowed without asking.
    Mode from Mode {
        /// Reading is free; everything else is asked about.
        Normal = "normal",
        /// As normal, and files of the workspace change without asking.
        AcceptEdits = "accept-edits",
        /// Nothing but what is dangerous is asked about.
        Auto = "auto",
        /// Explore and propose: nothing may change.
        Plan = "plan",
        /// Nothing may change.
        ReadOnly = "read-only",
        /// Nothing is asked about; what a rule denies stays denied.
        Bypass = "bypass",
    }

    /// When a message is handed to the model.
    Target from Target {
        /// With the next step of the open turn.
        NextStep = "next_step",
        /// In a turn of its own.
        NextTurn = "next_turn",
    }

    /// Where a message comes from.
    Origin from Origin {
        /// A person.
        User = "user",
        /// A program that speaks for a person.
        Client = "client",
        /// A job of the session, at its end.
        Job = "job",
    }

    /// Where a job stands.
    JobPhase from JobState {
        /// It runs.
        Running = "running",
        /// Nobody can tell by machine what became of it.
        Reconciling = "reconciling",
        /// Its command came to its end, whatever its exit code.
        Completed = "completed",
        /// It took too long, or could not be executed.
        Failed = "failed",
        /// It was told to stop, and nothing of it is left.
        Cancelled = "cancelled",
        /// It was cut off, and has no result.
        Interrupted = "interrupted",
    }

    /// What becomes of jobs that still run when the work on their session comes to its end.
    JobsAtEnd from JobsAtEnd {
        /// They are waited for.
        Wait = "wait",
        /// They go on, for whoever works on the session next.
        Leave = "leave",
        /// They are ended.
        Cancel = "cancel",
    }

    /// Why a job came into its phase.
    JobReason from JobReason {
        /// Its supervisor is gone and has left no result, or it ran elsewhere.
        OutcomeUnknown = "outcome_unknown",
        /// It took too long.
        TimedOut = "timed_out",
        /// It could not be executed.
        ExecutorError = "executor_error",
        /// Somebody asked for it.
        Requested = "requested",
        /// Somebody said what became of it.
        Settled = "settled",
    }

    /// Why a message is not delivered.
    CancelReason from InboxCancelReason {
        /// Its sender took it back.
        BySender = "by_sender",
        /// The turn that it started was cancelled before the model saw it.
        WithTurn = "with_turn",
        /// It was claimed again and again and never reached the model.
        Undeliverable = "undeliverable",
    }

    /// Why the runtime speaks to the model.
    NoticeReason from NoticeReason {
        /// The same call keeps failing.
        RepeatedCall = "repeated_call",
        /// The mode changed.
        ModeChanged = "mode_changed",
        /// Work was interrupted and goes on.
        Recovered = "recovered",
        /// What became of a call whose outcome was unknown.
        LateTruth = "late_truth",
        /// Nobody can tell what became of a job.
        JobUnknown = "job_unknown",
    }

    /// How the model's output ended.
    Finish from FinishReason {
        /// It had said everything.
        Stop = "stop",
        /// It wants tools to be called.
        ToolCalls = "tool_calls",
        /// It ran into the limit of output.
        Length = "length",
        /// It refused.
        Refusal = "refusal",
        /// The provider's filter cut it.
        ContentFilter = "content_filter",
    }

    /// Why an output was not accepted.
    Rejection from RejectReason {
        /// Cut off at the limit of output.
        Length = "length",
        /// The model refused.
        Refusal = "refusal",
        /// The provider's filter cut it.
        ContentFilter = "content_filter",
        /// Neither words nor calls.
        Empty = "empty",
        /// It contradicts itself, or its calls cannot be read.
        Malformed = "malformed",
    }

    /// The kind of a provider's failure.
    FailureClass from ErrorClass {
        /// Too many requests.
        RateLimited = "rate_limited",
        /// The provider has no capacity.
        Overloaded = "overloaded",
        /// A fault of the provider.
        Server = "server",
        /// The connection failed or broke.
        Network = "network",
        /// Nothing came in time.
        Timeout = "timeout",
        /// What came is not what the provider's protocol says.
        Protocol = "protocol",
        /// The key is missing or wrong.
        Auth = "auth",
        /// The provider refuses the request as such.
        InvalidRequest = "invalid_request",
        /// There is no such model.
        NotFound = "not_found",
        /// The request is larger than the model's window.
        ContextOverflow = "context_overflow",
        /// The attempt was lost inside the runtime.
        Lost = "lost",
    }

    /// How a step ended.
    StepTerminal from StepTerminal {
        /// The model called tools, and each call is answered.
        Tools = "tools",
        /// The model answered.
        Answer = "answer",
        /// No acceptable output was had.
        Failed = "failed",
        /// By an interrupt.
        Cancelled = "cancelled",
        /// By the end of its process.
        Interrupted = "interrupted",
    }

    /// How a turn ended.
    Terminal from TurnTerminal {
        /// With an accepted answer.
        Completed = "completed",
        /// By a fault or a limit.
        Failed = "failed",
        /// Something outside must happen first.
        Blocked = "blocked",
        /// By an interrupt.
        Cancelled = "cancelled",
        /// By the end of its process; the run goes on in another turn.
        Interrupted = "interrupted",
    }

    /// Why a turn stopped.
    Stop from StopReason {
        /// The model answered, and the answer was accepted.
        Final = "final",
        /// The run used up its steps.
        MaxSteps = "max_steps",
        /// The run used up its tokens, seconds or money.
        BudgetExhausted = "budget_exhausted",
        /// Too many calls in a row failed.
        RepeatedError = "repeated_error",
        /// The same call failed again and again.
        RepeatedToolCall = "repeated_tool_call",
        /// Call after call was refused.
        PermissionDenied = "permission_denied",
        /// A person interrupted.
        UserCancelled = "user_cancelled",
        /// The process ended in the middle; the run goes on by itself.
        PausedForResume = "paused_for_resume",
        /// An action may or may not have happened.
        OutcomeUnknown = "outcome_unknown",
        /// The request does not fit the model's window.
        ContextCannotFit = "context_cannot_fit",
        /// The provider could not be used.
        ModelUnavailable = "model_unavailable",
        /// The model's output was not acceptable.
        ModelOutputRejected = "model_output_rejected",
        /// A fault of the runtime itself.
        RuntimeError = "runtime_error",
    }

    /// What policy says about a call.
    Verdict from Verdict {
        /// It may run.
        Allow = "allow",
        /// A person decides.
        Ask = "ask",
        /// It may not run.
        Deny = "deny",
    }

    /// How dangerous a call is.
    Risk from Risk {
        /// It only looks.
        Read = "read",
        /// It changes files of the workspace.
        Write = "write",
        /// It runs a command.
        Shell = "shell",
        /// It speaks to other machines.
        Network = "network",
        /// It destroys, or reaches outside the workspace.
        Dangerous = "dangerous",
    }

    /// A person's answer about a call.
    ApprovalVerdict from ApprovalVerdict {
        /// It may run.
        Approve = "approve",
        /// It may not run.
        Reject = "reject",
    }

    /// How far an approval reaches.
    ApprovalScope from ApprovalScope {
        /// This call.
        Once = "once",
        /// The same call for the rest of the session.
        Session = "session",
        /// The same call for the rest of the session, and a rule of the person's own.
        Always = "always",
    }

    /// By what means a command is contained.
    Tier from Tier {
        /// Namespaces of its own, with Landlock and seccomp inside.
        Namespaces = "namespaces",
        /// Landlock and seccomp.
        Landlock = "landlock",
        /// Nothing: somebody waived it.
        None = "none",
    }

    /// What a command may change.
    FileAccess from FileAccess {
        /// Nothing but temporary files of its own.
        ReadOnly = "read_only",
        /// The workspace, without its protected names.
        WorkspaceWrite = "workspace_write",
    }

    /// Whether a command reaches the network.
    NetworkAccess from NetworkAccess {
        /// No.
        Closed = "closed",
        /// Whatever the machine reaches.
        Open = "open",
    }

    /// Who refused a call.
    DeniedBy from DeniedBy {
        /// A rule.
        Policy = "policy",
        /// The person.
        User = "user",
        /// The mode.
        Mode = "mode",
    }

    /// What was found out about a call that a crash cut off.
    Reconciled from ReconcileVerdict {
        /// It had its effect.
        Applied = "applied",
        /// It had none, and is authorised again.
        NotApplied = "not_applied",
        /// It cannot be known.
        Unknown = "unknown",
    }

    /// How somebody settled a call whose outcome was unknown.
    Settled from ResolvedVerdict {
        /// It had its effect.
        Applied = "applied",
        /// It had none.
        NotApplied = "not_applied",
        /// It stays unknown, and the run goes on all the same.
        GoOn = "go_on",
    }
}

/// How a call that ran ended. The details of an error stand beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ResultStatus {
    /// As asked.
    Ok,
    /// With an error that the model can act on.
    Error,
    /// It took too long and was ended as a whole; effects may be partial.
    Timeout,
}

/// What stopped an attempt before it ended by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StopCause {
    /// An interrupt.
    Aborted,
    /// The end of its process.
    Interrupted,
}

/// What a session waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WaitKind {
    /// A person's answer whether a call may run.
    Approval,
    /// Somebody's word on a call that may or may not have had its effect.
    Reconciliation,
    /// The end of a job that goes on.
    Job,
}
