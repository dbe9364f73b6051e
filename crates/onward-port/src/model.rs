//! The model: encode a request, send it, bring back one normalised reply or one classified failure (seed, section
//! 14).
//!
//! A request is `head + messages + tail`. The head (parameters, instructions, tools) and the messages that were sent
//! before keep their bytes from request to request, so that providers can reuse their cache, and so that the cost of
//! a step does not grow with the history.

use bytes::Bytes;
use onward_event::{AcceptedPart, ErrorClass, FinishReason, Message, ModelConfig, RequestHead, Usage};

use crate::BoxFuture;

/// Turns the runtime's own messages into a provider's bytes. Pure: the same input always gives the same bytes, so a
/// recorded request can be rebuilt and its digest compared.
pub trait Encoder: Send + Sync {
    /// Name and version, recorded with every request: `chat/1`. A change of the bytes is a new version.
    fn name(&self) -> &str;

    /// Everything before the first message.
    fn head(&self, config: &ModelConfig, head: &RequestHead) -> Vec<u8>;

    /// One message, with the separator that its place calls for.
    fn message(&self, message: &Message, first: bool) -> Vec<u8>;

    /// Everything after the last message.
    fn tail(&self) -> Vec<u8>;
}

/// A prepared request on its way.
#[derive(Clone, Debug)]
pub struct ModelRequest {
    /// Which model.
    pub config: ModelConfig,
    /// The bytes, as the adapter's encoder made them.
    pub body: Bytes,
    /// Which attempt at this request it is, from 1.
    pub number: u32,
}

/// A piece of a reply, for people who watch. Nothing is decided on deltas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelDelta {
    /// Words.
    Text(String),
    /// Thoughts.
    Reasoning(String),
    /// A call begins.
    Call {
        /// The tool.
        name: String,
    },
    /// A piece of the arguments of the call that began last.
    Arguments(String),
}

/// A call as the model wrote it: nothing is checked yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawCall {
    /// The provider's id; may be empty.
    pub id: String,
    /// The tool.
    pub name: String,
    /// The arguments: JSON, one hopes.
    pub arguments: String,
}

/// A stream that ended as its protocol says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelReply {
    /// How it ended.
    pub finish: FinishReason,
    /// Words and thoughts.
    pub content: Vec<AcceptedPart>,
    /// Calls, in their order.
    pub calls: Vec<RawCall>,
    /// What the provider reported; absent when it reported nothing.
    pub usage: Option<Usage>,
}

/// A request that failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ModelFailure {
    /// The kind of failure.
    pub class: ErrorClass,
    /// Details, for people; never holds a secret.
    pub message: String,
    /// When the provider said to come back, in milliseconds from now.
    pub retry_after_millis: Option<u64>,
    /// What the provider reported before the failure.
    pub usage: Option<Usage>,
}

/// What is known about a model; what is not known is absent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Capabilities {
    /// Tokens that request and answer may have together.
    pub context_window: Option<u64>,
    /// Tokens that an answer may have.
    pub max_output: Option<u64>,
}

/// One provider.
pub trait Model: Send + Sync {
    /// What this provider's model of this name can do. What a person has configured counts more.
    fn capabilities(&self, model: &str) -> Capabilities {
        let _ = model;
        Capabilities::default()
    }

    /// The encoder of its requests.
    fn encoder(&self) -> &dyn Encoder;

    /// Sends the request and reads the stream to its end, handing each piece to `on_delta` as it arrives. Dropping
    /// the future ends the request.
    fn stream<'a>(
        &'a self,
        request: ModelRequest,
        on_delta: &'a mut (dyn FnMut(ModelDelta) + Send),
    ) -> BoxFuture<'a, Result<ModelReply, ModelFailure>>;
}

/// Tokens of a text, estimated where no tokeniser is at hand: four bytes each, rounded up.
pub fn estimate_tokens(bytes: usize) -> u64 {
    (bytes as u64).div_ceil(4)
}

/// A value that must not be seen: its `Debug` hides it, and it has no `Display`.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Wraps the value.
    pub fn new(value: String) -> Self {
        Self(value)
    }

    /// The value itself, for the one place that sends it.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(…)")
    }
}
