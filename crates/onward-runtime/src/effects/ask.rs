//! Asking the model: send the prepared request, show and keep the pieces as they arrive, bring back one report.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use onward_core::{AttemptReport, Input, Reply, Request};
use onward_event::{AttemptId, ErrorClass, Message, ModelConfig, SessionId, Usage, UsageSource};
use onward_port::{
    Blobs, Log, Model, ModelDelta, ModelFailure, ModelReply, ModelRequest, Redactor, SideChunk, ToolSet,
    estimate_tokens,
};
use tokio_util::sync::CancellationToken;

use super::{Outcome, validate};
use crate::live::{Live, LiveEvent};
use crate::owner::attempt_scope;
use crate::redact::RedactedDeltas;
use crate::request::{EncodedPrefix, EncodedRequest, load_head};

/// One attempt.
pub(crate) struct Ask {
    pub(crate) session: SessionId,
    pub(crate) attempt: AttemptId,
    pub(crate) number: u32,
    pub(crate) config: ModelConfig,
    pub(crate) model: Option<Arc<dyn Model>>,
    pub(crate) source: Source,
    pub(crate) tools: ToolSet,
    pub(crate) log: Arc<dyn Log>,
    pub(crate) live: Live,
    pub(crate) redactor: Redactor,
    pub(crate) side_interval: Duration,
    pub(crate) cancel: CancellationToken,
}

/// Where the bytes of the request come from.
pub(crate) enum Source {
    /// This owner has prepared it.
    Kept(Arc<EncodedRequest>),
    /// An earlier owner has: the same bytes are made again.
    Recorded {
        /// What is recorded of it.
        request: Request,
        /// The messages that it contains.
        history: Vec<Message>,
        /// Where its head is stored.
        blobs: Arc<dyn Blobs>,
    },
    /// The step has none.
    Missing,
}

/// What has arrived so far.
#[derive(Default)]
struct Arrived {
    text: String,
    /// Bytes of everything, for estimates.
    size: usize,
    /// Bytes of `text` that are in the side stream.
    kept: usize,
    chunks: u64,
}

impl Ask {
    pub(crate) async fn perform(self) -> Outcome {
        let report = match &self.model {
            Some(model) => match self.source.request(model.as_ref(), &self.config).await {
                Ok(request) => self.ask(model.as_ref(), &request).await,
                Err(why) => self.not_sent(why),
            },
            None => self.not_sent(format!("the provider `{}` is not configured", self.config.provider)),
        };
        Outcome::input(Input::AttemptEnded { attempt: self.attempt, report })
    }

    async fn ask(&self, model: &dyn Model, encoded: &EncodedRequest) -> AttemptReport {
        let sent = encoded.body.len();
        let (config, body) = (self.config.clone(), encoded.body.clone());
        let request = ModelRequest { config, body, number: self.number };
        let arrived = Mutex::new(Arrived::default());
        let mut deltas = RedactedDeltas::new(&self.redactor);
        let mut on_delta = |delta: ModelDelta| self.arrive(&arrived, deltas.push(delta));
        let mut stream = model.stream(request, &mut on_delta);
        let ended = loop {
            tokio::select! {
                biased;
                () = self.cancel.cancelled() => break None,
                ended = &mut stream => break Some(ended),
                () = tokio::time::sleep(self.side_interval) => self.keep(&arrived).await,
            }
        };
        drop(stream);
        self.arrive(&arrived, deltas.finish());
        let arrived = arrived.into_inner().unwrap_or_else(PoisonError::into_inner);
        match ended {
            None => {
                let usage = self.estimate(None, sent, arrived.size);
                AttemptReport::Aborted { usage, partial: arrived.text }
            }
            Some(Ok(reply)) => self.replied(reply, sent, arrived.size),
            Some(Err(failure)) => self.failed(failure, sent, arrived),
        }
    }

    /// Keeps pieces and shows them; they are redacted.
    fn arrive(&self, arrived: &Mutex<Arrived>, pieces: Vec<ModelDelta>) {
        for delta in pieces {
            arrived.lock().unwrap_or_else(PoisonError::into_inner).add(&delta);
            self.live.say(|| LiveEvent::Delta { attempt: self.attempt, delta });
        }
    }

    /// Moves what has arrived into the side stream. Losing it does no harm: it is the partial text of an attempt
    /// that a crash would interrupt.
    async fn keep(&self, arrived: &Mutex<Arrived>) {
        let chunk = {
            let mut arrived = arrived.lock().unwrap_or_else(PoisonError::into_inner);
            arrived.take_new()
        };
        if let Some(chunk) = chunk {
            let _ = self.log.put_side(self.session, attempt_scope(self.attempt), chunk).await;
        }
    }

    fn replied(&self, reply: ModelReply, sent: usize, arrived: usize) -> AttemptReport {
        let usage = self.estimate(reply.usage, sent, arrived);
        let calls =
            reply.calls.iter().map(|call| validate::call(&self.tools, &self.redactor, call)).collect();
        AttemptReport::Replied(Reply { finish: reply.finish, content: reply.content, calls, usage })
    }

    fn failed(&self, failure: ModelFailure, sent: usize, arrived: Arrived) -> AttemptReport {
        // A request that never reached the model has used nothing.
        let reached = arrived.size > 0 || failure.usage.is_some();
        let usage = if reached { self.estimate(failure.usage, sent, arrived.size) } else { Usage::default() };
        AttemptReport::Failed {
            class: failure.class,
            message: failure.message,
            retry_after_millis: failure.retry_after_millis,
            usage,
            partial: arrived.text,
        }
    }

    fn not_sent(&self, message: String) -> AttemptReport {
        AttemptReport::Failed {
            class: ErrorClass::InvalidRequest,
            message,
            retry_after_millis: None,
            usage: Usage::default(),
            partial: String::new(),
        }
    }

    /// What the provider reported, or an estimate; priced either way.
    fn estimate(&self, reported: Option<Usage>, sent: usize, arrived: usize) -> Usage {
        let usage = reported.unwrap_or(Usage {
            input: estimate_tokens(sent),
            output: estimate_tokens(arrived),
            source: UsageSource::Estimated,
            ..Usage::default()
        });
        priced(&self.config, usage)
    }
}

impl Source {
    /// The request; or why it cannot be made again as it was recorded.
    async fn request(&self, model: &dyn Model, config: &ModelConfig) -> Result<Arc<EncodedRequest>, String> {
        let (wanted, history, blobs) = match self {
            Self::Kept(request) => return Ok(request.clone()),
            Self::Recorded { request, history, blobs } => (request, history, blobs),
            Self::Missing => return Err("the prepared request cannot be made again".into()),
        };
        let head = load_head(blobs.as_ref(), wanted.head).await.map_err(|error| error.to_string())?;
        let encoder = model.encoder();
        let made = EncodedPrefix::of(encoder, config, &head, wanted.head, history).finish(encoder);
        if made.digest != wanted.digest {
            let (wanted, made) = (wanted.digest.short(), made.digest.short());
            return Err(format!("the prepared request {wanted} cannot be made again: it would be {made}"));
        }
        Ok(Arc::new(made))
    }
}

/// With the cost that the model's price gives.
pub(crate) fn priced(config: &ModelConfig, mut usage: Usage) -> Usage {
    if let Some(price) = &config.price {
        let million = |tokens: u64, price: u64| tokens.saturating_mul(price) / 1_000_000;
        let fresh = usage.input.saturating_sub(usage.cached);
        usage.cost_micros = million(fresh, price.input)
            .saturating_add(million(usage.cached, price.cached))
            .saturating_add(million(usage.output, price.output));
    }
    usage
}

impl Arrived {
    fn add(&mut self, delta: &ModelDelta) {
        match delta {
            ModelDelta::Text(text) => {
                self.text.push_str(text);
                self.size += text.len();
            }
            ModelDelta::Reasoning(text) | ModelDelta::Arguments(text) | ModelDelta::Call { name: text } => {
                self.size += text.len();
            }
        }
    }

    fn take_new(&mut self) -> Option<SideChunk> {
        let text = self.text.get(self.kept..).filter(|new| !new.is_empty())?.to_owned();
        let n = self.chunks;
        self.kept = self.text.len();
        self.chunks += 1;
        Some(SideChunk { n, text })
    }
}
