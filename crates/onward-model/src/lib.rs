//! Model adapters: everything that knows how a provider speaks.
//!
//! - [`ChatModel`] speaks the chat completions protocol with streaming: OpenAI, Ollama, llama.cpp, vLLM, OpenRouter
//!   and the many others that imitate it.
//! - [`ScriptedModel`] plays a script instead of asking anybody: for tests, demonstrations, and for trying things
//!   without a key.
//!
//! Encoders and decoders do no I/O and know no clock: bytes in, values out. `http` is the only place of the project
//! that opens an HTTP connection to a model, and the only one that chooses a TLS provider. Nothing here retries: a
//! failure is classified and handed back, and whether to try again is the runtime's decision, on the log.

mod chat;
mod classify;
mod error_info;
mod http;
mod known;
mod quote;
mod retry_after;
mod scripted;
mod sse;

use onward_port::Encoder;

pub use chat::{BadChatConfig, ChatConfig, ChatEncoder, ChatModel, MaxTokensField, Proxy};
pub use known::known_capabilities;
pub use scripted::{Script, ScriptError, ScriptedEncoder, ScriptedModel};

/// The encoder that an earlier request was made with, by the name that its record holds ([`Encoder::name`]); `None`
/// for a name that this version does not know. With it a recorded request is rebuilt without any configuration.
pub fn encoder(name: &str) -> Option<&'static dyn Encoder> {
    const KNOWN: &[&dyn Encoder] = &[
        &ChatEncoder::new(MaxTokensField::MaxTokens),
        &ChatEncoder::new(MaxTokensField::MaxCompletionTokens),
        &ScriptedEncoder,
    ];
    KNOWN.iter().copied().find(|encoder| encoder.name() == name)
}
