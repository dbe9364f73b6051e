//! The open turn and its open step.

use onward_event::{
    AttemptId, Digest, Epoch, MessageId, ModelConfig, RunId, Seq, StepId, StepTerminal, StopReason,
    Timestamp, TurnEnd, TurnId, TurnSource, Usage,
};

use serde::{Deserialize, Serialize};

use super::Call;
use crate::prelude::*;

/// The open turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    /// Its id.
    pub id: TurnId,
    /// The run that it is part of.
    pub run: RunId,
    /// What it was claimed for.
    pub source: TurnSource,
    /// The messages of its source that no request has contained yet.
    pub unread: Vec<MessageId>,
    /// The request to interrupt it, if there is one.
    pub interrupt: Option<Seq>,
    /// Its owner died in the middle: it ends interrupted once every call is answered.
    pub orphaned: bool,
    /// The open step.
    pub step: Option<Step>,
    /// How the last step ended, when none is open.
    pub last_step: Option<StepTerminal>,
    /// Why no acceptable output was had.
    pub failure: Option<(StopReason, String)>,
    /// What its attempts used.
    pub usage: Usage,
    /// The words of the last accepted output.
    pub answer: String,
}

/// The open step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// Its id.
    pub id: StepId,
    /// Counted over the run.
    pub index: u32,
    /// The record that started it.
    pub since: Seq,
    /// The messages that its first request contains.
    pub claims: Vec<MessageId>,
    /// The model, frozen.
    pub model: ModelConfig,
    /// The latest prepared request.
    pub request: Option<Request>,
    /// Attempts so far.
    pub attempts: u32,
    /// Of those, failures that may pass.
    pub failures: u32,
    /// Of those, rejected outputs.
    pub rejections: u32,
    /// Where it stands.
    pub phase: StepPhase,
}

/// A prepared request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// Its record.
    pub seq: Seq,
    /// Its digest.
    pub digest: Digest,
    /// Counted from 1 within the step.
    pub revision: u32,
    /// The stored head.
    pub head: Digest,
    /// Estimated size.
    pub tokens: u64,
}

/// Where a step stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum StepPhase {
    /// Its request is to be prepared.
    Preparing,
    /// The model is asked.
    Asking {
        /// The attempt.
        attempt: AttemptId,
        /// The record that started it.
        since: Seq,
        /// The owner's epoch.
        epoch: Epoch,
    },
    /// The same request is to be sent again.
    Retrying {
        /// Not before.
        at: Timestamp,
    },
    /// No acceptable output will be had; [`Turn::failure`] says why.
    Failed,
    /// The model has answered.
    Answered,
    /// The model has called tools.
    Calling(Vec<Call>),
}

impl Step {
    /// The calls of its accepted output.
    pub fn calls(&self) -> &[Call] {
        match &self.phase {
            StepPhase::Calling(calls) => calls,
            _ => &[],
        }
    }
}

/// How a turn ended, for those who waited for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    /// The record.
    pub seq: Seq,
    /// The run.
    pub run: RunId,
    /// As recorded.
    pub end: TurnEnd,
    /// Whether its owner died during it.
    pub orphaned: bool,
    /// Steps of the run so far.
    pub steps: u32,
    /// The words of the last accepted output.
    pub answer: String,
}
