//! What a tool says about a call that has started.

use bytes::Bytes;
use onward_event::{ArtifactId, JobEnd, Part, ResultMetadata, ResultStatus};

/// A fault that the model is told, in words that it can act on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ToolFault {
    /// For programs: `not_found`, `not_unique`, `outside_workspace`, …
    pub code: String,
    /// For the model: what failed, and what would work.
    pub message: String,
}

impl ToolFault {
    /// A fault with a code and a sentence.
    pub fn new(code: impl Into<String>, message: impl Into<String>) -> Self {
        Self { code: code.into(), message: message.into() }
    }
}

/// A whole output to store beside the answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewArtifact {
    /// The id that the answer names; from [`ToolIo::artifact`].
    pub id: ArtifactId,
    /// For example `text/plain`.
    pub media_type: String,
    /// What it is.
    pub summary: String,
    /// The content.
    pub bytes: Bytes,
}

/// The answer of a call that ran.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolReport {
    /// How it ended.
    pub status: ResultStatus,
    /// What the model sees.
    pub content: Vec<Part>,
    /// What the runtime sees.
    pub metadata: ResultMetadata,
    /// Whole outputs.
    pub artifacts: Vec<NewArtifact>,
}

impl ToolReport {
    /// A text that says the call did what was asked.
    pub fn ok(text: impl Into<String>) -> Self {
        Self::with_status(ResultStatus::Ok, text)
    }

    /// A fault: code and sentence are also what the model sees.
    pub fn fault(fault: ToolFault) -> Self {
        let text = format!("{}: {}", fault.code, fault.message);
        Self::with_status(ResultStatus::Error { code: fault.code, message: fault.message }, text)
    }

    fn with_status(status: ResultStatus, text: impl Into<String>) -> Self {
        let text = text.into();
        let metadata = ResultMetadata { bytes: text.len() as u64, ..ResultMetadata::default() };
        Self { status, content: vec![Part::Text(text)], metadata, artifacts: Vec::new() }
    }
}

/// How a started call came to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToolOutcome {
    /// With an answer.
    Finished(ToolReport),
    /// It was told to stop, and is known to have stopped as a whole.
    Cancelled {
        /// What the model sees: what is known about partial effects.
        content: String,
    },
    /// It was told to stop or was lost, and nobody knows whether it goes on.
    Unknown {
        /// What the model sees: why, and what is known.
        content: String,
    },
    /// It runs under its supervisor and was begun for the background: it goes on as a job.
    InBackground {
        /// The command, shortened: for lists.
        command: String,
    },
}

/// What a tool found out about a call that an earlier process had started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reconciliation {
    /// It had its effect.
    Applied {
        /// By what it was found, for people and the log.
        evidence: String,
        /// Its answer.
        report: ToolReport,
    },
    /// It had none.
    NotApplied {
        /// By what it was found, for people and the log.
        evidence: String,
    },
    /// Nobody can know.
    Unknown {
        /// Why, and what is known.
        evidence: String,
    },
}

/// What a tool learned about a call that runs, or ran, under a supervisor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Attached {
    /// It came to its end; this is its true answer.
    Finished(ToolReport),
    /// It was told to stop, and is known to have stopped as a whole.
    Cancelled {
        /// What the model sees: what is known about partial effects.
        content: String,
    },
    /// It never began, and never will.
    NotBegun {
        /// By what that is certain.
        evidence: String,
    },
    /// Nobody can know.
    Unknown {
        /// Why, and what is known.
        evidence: String,
    },
}

/// What a tool learned about a call that goes on in the background from here on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Detached {
    /// It runs as a job, or has ended as one.
    Begun {
        /// The command, shortened: for lists.
        command: String,
    },
    /// It never began, and never will.
    NotBegun {
        /// By what that is certain.
        evidence: String,
    },
    /// Nobody can know.
    Unknown {
        /// Why, and what is known.
        evidence: String,
    },
}

/// What a tool learned about a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Followed {
    /// It came to its end.
    Ended {
        /// How.
        how: JobEnd,
        /// That in a line.
        summary: String,
        /// Its result; the whole output is an artifact, if there is any.
        report: ToolReport,
    },
    /// Nobody can know.
    Unknown {
        /// Why, and what is known.
        evidence: String,
    },
}
