//! Effects: what the owner performs in the world, one file each; all that is done with a started call shares one. Each
//! takes what it needs by value, and ends with an input for the core's decisions.

mod artifacts;
mod ask;
mod authorise;
mod prepare;
mod report;
mod salvage;
mod started;
mod validate;

pub(crate) use artifacts::StoredArtifacts;
pub(crate) use ask::{Ask, Source};
pub(crate) use authorise::Authorise;
pub(crate) use prepare::Prepare;
pub(crate) use report::{fault_report, report_of};
pub(crate) use salvage::salvage;
pub(crate) use started::StartedCall;

use std::sync::Arc;

use onward_core::Input;
use onward_port::{Blob, BoxFuture};
use tokio_util::sync::CancellationToken;

use crate::request::{EncodedPrefix, EncodedRequest};

/// What comes back from an effect.
pub(crate) struct Outcome {
    /// For the decision.
    pub(crate) input: Input,
    /// Content that the decision's events name.
    pub(crate) blobs: Vec<Blob>,
    /// The encoded prefix that was lent to [`Prepare`], longer now.
    pub(crate) prefix: Option<EncodedPrefix>,
    /// The request that was prepared.
    pub(crate) request: Option<Arc<EncodedRequest>>,
}

impl Outcome {
    /// Only an input.
    pub(crate) fn input(input: Input) -> Self {
        Self { input, blobs: Vec::new(), prefix: None, request: None }
    }
}

/// An effect, ready to be started, and the signal that stops it.
pub(crate) struct Task {
    pub(crate) work: BoxFuture<'static, Outcome>,
    pub(crate) cancel: CancellationToken,
}

impl Task {
    pub(crate) fn new(work: impl Future<Output = Outcome> + Send + 'static) -> Self {
        Self::stoppable(|_| work)
    }

    /// Work that listens to its signal.
    pub(crate) fn stoppable<W>(work: impl FnOnce(CancellationToken) -> W) -> Self
    where
        W: Future<Output = Outcome> + Send + 'static,
    {
        let cancel = CancellationToken::new();
        Self { work: Box::pin(work(cancel.clone())), cancel }
    }
}
