//! The adapter for servers that speak OpenAI's chat completions protocol with streaming.
//!
//! A request goes through `encode` and `crate::http`, an answer through `crate::sse`, `decode` (framing), `wire`
//! (the shapes), `assemble` and `calls` (putting the pieces together). Servers differ in everything that the protocol
//! leaves open, and in some things that it does not; where they do, the file that deals with it says so.
//!
//! # Reasoning
//!
//! Thoughts arrive as `reasoning_content` or as `reasoning`. Servers of the first kind want the thoughts of a message
//! with tool calls back with the next request, and some refuse the request otherwise; servers of the second kind
//! ignore or refuse them. So the decoder marks thoughts of the first kind, in `AcceptedPart::Reasoning::opaque`, with
//! the name of the field in which they go back, and the encoder replays marked thoughts, and only beside calls.

mod assemble;
mod calls;
mod config;
mod decode;
mod encode;
mod finish;
mod model;
mod parts;
mod usage;
mod wire;

pub use config::{BadChatConfig, ChatConfig, MaxTokensField, Proxy};
pub use encode::ChatEncoder;
pub use model::ChatModel;

/// The field of a message in which thoughts go back to the server, and the mark of thoughts that do.
const REASONING_FIELD: &str = "reasoning_content";
