//! A model that answers at once: so many calls, then a text, and again.

use std::sync::atomic::{AtomicU64, Ordering};

use onward_event::{AcceptedPart, FinishReason, Usage, UsageSource};
use onward_model::{ChatEncoder, MaxTokensField};
use onward_port::{BoxFuture, Encoder, Model, ModelDelta, ModelFailure, ModelReply, ModelRequest, RawCall};

/// The model of one session. It counts what it was asked, so that a long history costs it nothing.
pub(crate) struct InstantModel {
    encoder: ChatEncoder,
    steps: u64,
    asked: AtomicU64,
}

impl InstantModel {
    /// Calls the tool so many times in each turn.
    pub(crate) fn new(steps: u64) -> Self {
        Self { encoder: ChatEncoder::new(MaxTokensField::MaxTokens), steps, asked: AtomicU64::new(0) }
    }

    fn reply(&self, bytes: usize) -> ModelReply {
        let asked = self.asked.fetch_add(1, Ordering::Relaxed);
        let (number, is_last) = (asked + 1, asked % (self.steps + 1) == self.steps);
        let call = RawCall {
            id: format!("call_{number}"),
            name: "noop".into(),
            arguments: format!("{{\"command\":\"echo {number}\"}}"),
        };
        ModelReply {
            finish: if is_last { FinishReason::Stop } else { FinishReason::ToolCalls },
            content: if is_last { vec![AcceptedPart::Text("done".into())] } else { Vec::new() },
            calls: if is_last { Vec::new() } else { vec![call] },
            usage: Some(Usage {
                input: bytes as u64 / 4,
                output: 20,
                source: UsageSource::Reported,
                ..Usage::default()
            }),
        }
    }
}

impl Model for InstantModel {
    fn encoder(&self) -> &dyn Encoder {
        &self.encoder
    }

    fn stream<'a>(
        &'a self,
        request: ModelRequest,
        _: &'a mut (dyn FnMut(ModelDelta) + Send),
    ) -> BoxFuture<'a, Result<ModelReply, ModelFailure>> {
        Box::pin(std::future::ready(Ok(self.reply(request.body.len()))))
    }
}
