//! The inputs of decisions.

use onward_event::{
    AttemptId, CallId, ContextDigest, Digest, DocumentLoaded, JobId, MessageId, StepId, StopReason,
};

use super::{AttemptReport, Authorised, JobReport, Ran, Reconciled};
use crate::prelude::*;
use crate::session::Session;

/// An input of the owner. Clients' commands are no inputs: they are events already ([`onward_event::EventWriter`]).
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// Go on by yourself, if you can.
    Advance,
    /// The process is about to end in order: end the turn so that its run goes on with the next owner, if nothing of
    /// it is open in the world.
    Pause,
    /// A request was put together.
    Prepared(Prepared),
    /// A request could not be put together.
    PrepareFailed(PrepareFailure),
    /// An attempt came to its end.
    AttemptEnded {
        /// Which.
        attempt: AttemptId,
        /// How.
        report: AttemptReport,
    },
    /// A call was planned and judged.
    Authorised {
        /// Which.
        call: CallId,
        /// How.
        authorised: Authorised,
    },
    /// A call that this owner started came to its end.
    Ran {
        /// Which.
        call: CallId,
        /// Which start of it.
        run: u32,
        /// How.
        ran: Ran,
    },
    /// It was found out what became of a call.
    Reconciled {
        /// Which.
        call: CallId,
        /// What.
        reconciled: Reconciled,
    },
    /// A job came to its end, or nobody can tell.
    JobEnded {
        /// Which.
        job: JobId,
        /// How.
        report: JobReport,
    },
}

/// What a request was put together from; it counts only while this holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrepareBasis {
    /// Messages of the history.
    pub history: usize,
    /// Messages that the request adds to it.
    pub additions: usize,
    /// The claimed messages among those.
    pub includes: Vec<MessageId>,
}

/// A request, ready to be sent.
#[derive(Clone, Debug, PartialEq)]
pub struct Prepared {
    /// Whose.
    pub step: StepId,
    /// What it was put together from.
    pub basis: PrepareBasis,
    /// Over its bytes.
    pub digest: Digest,
    /// The stored head.
    pub head: Digest,
    /// The encoder's name and version.
    pub encoder: String,
    /// What the model sees, in figures.
    pub context: ContextDigest,
    /// Documents that the model is shown for the first time, or in a new version.
    pub documents: Vec<DocumentLoaded>,
}

/// Why a request could not be put together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrepareFailure {
    /// Whose.
    pub step: StepId,
    /// The reason that the turn ends with.
    pub stop: StopReason,
    /// Details.
    pub detail: String,
}

impl Session {
    /// What a request would be put together from now.
    pub fn prepare_basis(&self) -> PrepareBasis {
        PrepareBasis {
            history: self.history.len(),
            additions: self.state.tail.notices.len() + self.claimed().count(),
            includes: self.claimed().map(|m| m.message.id).collect(),
        }
    }
}
