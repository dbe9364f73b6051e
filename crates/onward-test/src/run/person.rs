//! The person of a scenario, in one life of the process: sends what is due, answers questions, settles what is
//! unknown. What was acknowledged is remembered outside of the life; what was not is sent again under the same id.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use onward_event::{
    ApprovalId, ApprovalScope, ApprovalVerdict, CallId, MessageId, Part, ResolvedVerdict, SessionId,
    SettingChange,
};
use onward_port::LogError;
use onward_runtime::Client;
use tokio_util::sync::CancellationToken;

use crate::crash::{PointKind, Points};
use crate::scenario::{After, Answer, Input, What};

/// Message ids of inputs start here, far from those that the counter gives.
const MESSAGES: u128 = 1 << 64;

/// What was acknowledged, by the place of the input in the scenario.
pub(super) type Acknowledged = Arc<Mutex<BTreeMap<usize, Option<MessageId>>>>;

pub(super) struct Person {
    pub(super) client: Client,
    pub(super) inputs: Vec<Input>,
    pub(super) acknowledged: Acknowledged,
    pub(super) points: Arc<Points>,
    /// How often each kind of event was recorded by an owner, in this life and in those before; and how many pieces of
    /// replies arrived in this one, as [`PIECE`].
    pub(super) heard: Mutex<BTreeMap<String, usize>>,
    /// When the owner is told to end; none when it was told before.
    pub(super) pause_after: Option<After>,
    /// Tells the owner to end.
    pub(super) stopper: Mutex<CancellationToken>,
    /// A person says one thing after the other.
    pub(super) mouth: tokio::sync::Mutex<()>,
}

/// What a piece of a reply is called among the events that a person can wait for.
pub(super) const PIECE: &str = "piece";

impl Person {
    /// These happened.
    pub(super) fn hear<'a>(&self, kinds: impl IntoIterator<Item = &'a str>) {
        let mut heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        for kind in kinds {
            *heard.entry(kind.to_owned()).or_default() += 1;
        }
        if self.pause_after.as_ref().is_some_and(|after| has_happened(after, &heard)) {
            self.stopper.lock().unwrap_or_else(PoisonError::into_inner).cancel();
        }
    }

    /// Whom to tell to end from now on.
    pub(super) fn attend(&self, stopper: CancellationToken) {
        let told =
            std::mem::replace(&mut *self.stopper.lock().unwrap_or_else(PoisonError::into_inner), stopper);
        if told.is_cancelled() {
            self.stopper.lock().unwrap_or_else(PoisonError::into_inner).cancel();
        }
    }

    /// Sends every input that is due and not acknowledged yet.
    pub(super) async fn speak(&self, session: SessionId) -> Result<(), LogError> {
        let _mouth = self.mouth.lock().await;
        let heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner).clone();
        for (at, input) in self.inputs.iter().enumerate() {
            if self.is_acknowledged(at) || !is_due(input, &heard) {
                continue;
            }
            let message = self.send(session, at, input).await?;
            if input.after.is_some() {
                self.points.pass(PointKind::Input, "an input").await;
            }
            self.acknowledged.lock().unwrap_or_else(PoisonError::into_inner).insert(at, message);
        }
        Ok(())
    }

    pub(super) async fn answer(
        &self,
        session: SessionId,
        approval: ApprovalId,
        answer: &Answer,
    ) -> Result<(), LogError> {
        let (verdict, scope, feedback) = match answer {
            Answer::Approve => (ApprovalVerdict::Approve, ApprovalScope::Once, None),
            Answer::Session => (ApprovalVerdict::Approve, ApprovalScope::Session, None),
            Answer::Reject(words) => (ApprovalVerdict::Reject, ApprovalScope::Once, Some(words.clone())),
        };
        self.client.resolve(session, approval, verdict, scope, feedback).await?;
        self.points.pass(PointKind::Input, "an answer").await;
        Ok(())
    }

    pub(super) async fn settle(
        &self,
        session: SessionId,
        call: CallId,
        verdict: ResolvedVerdict,
    ) -> Result<(), LogError> {
        self.client.reconcile(session, call, verdict, "the person looked".into()).await?;
        self.points.pass(PointKind::Input, "a settlement").await;
        Ok(())
    }

    fn is_acknowledged(&self, at: usize) -> bool {
        self.acknowledged.lock().unwrap_or_else(PoisonError::into_inner).contains_key(&at)
    }

    async fn send(
        &self,
        session: SessionId,
        at: usize,
        input: &Input,
    ) -> Result<Option<MessageId>, LogError> {
        match input.what() {
            What::Interrupt => {
                self.client.interrupt(session).await?;
                Ok(None)
            }
            What::Mode(mode) => {
                self.client.configure(session, SettingChange::Mode(mode)).await?;
                Ok(None)
            }
            What::Message { text, target, wakeup } => {
                let id = MessageId::from_bits(MESSAGES + at as u128);
                let content = vec![Part::text(text)];
                self.client.send_as(session, id, content, target, wakeup).await.map(Some)
            }
        }
    }
}

fn is_due(input: &Input, heard: &BTreeMap<String, usize>) -> bool {
    input.after.as_ref().is_none_or(|after| has_happened(after, heard))
}

fn has_happened(after: &After, heard: &BTreeMap<String, usize>) -> bool {
    heard.get(&after.event).is_some_and(|count| *count >= after.times)
}
