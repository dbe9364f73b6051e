//! [`SpeakingModel`]: people speak in the middle of a reply, when so many pieces of it have arrived.

use std::sync::Arc;

use onward_event::SessionId;
use onward_port::{BoxFuture, Encoder, Model, ModelDelta, ModelFailure, ModelReply, ModelRequest};

use super::person::{PIECE, Person};

/// A model that lets a person speak after pieces of its replies.
pub(super) struct SpeakingModel {
    pub(super) inner: Arc<dyn Model>,
    pub(super) person: Arc<Person>,
    pub(super) session: SessionId,
}

impl SpeakingModel {
    async fn stream_and_speak(
        &self,
        request: ModelRequest,
        on_delta: &mut (dyn FnMut(ModelDelta) + Send),
    ) -> Result<ModelReply, ModelFailure> {
        let mut heard = |delta: ModelDelta| {
            on_delta(delta);
            self.person.hear([PIECE]);
            let (person, session) = (self.person.clone(), self.session);
            // What cannot be sent now is sent at the next occasion.
            tokio::spawn(async move { person.speak(session).await });
        };
        self.inner.stream(request, &mut heard).await
    }
}

impl Model for SpeakingModel {
    fn encoder(&self) -> &dyn Encoder {
        self.inner.encoder()
    }

    fn stream<'a>(
        &'a self,
        request: ModelRequest,
        on_delta: &'a mut (dyn FnMut(ModelDelta) + Send),
    ) -> BoxFuture<'a, Result<ModelReply, ModelFailure>> {
        Box::pin(self.stream_and_speak(request, on_delta))
    }
}
