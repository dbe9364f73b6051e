//! From the runtime's messages to the bytes of a request: `chat/1`.
//!
//! ```text
//! head     {"model":…,"stream":true,…,"tools":[…],"messages":[{"role":"system",…},
//! messages {"role":"user",…}   ,{"role":"assistant",…}   ,{"role":"tool",…}
//! tail     ]}
//! ```
//!
//! Parameters and tools stand before the messages, so a request repeats every byte of the one before it, less the
//! tail. The comma between the system message and the first message belongs to the head, because a message is told
//! only whether it is the first, not whether there are instructions. A request has at least one message: without any,
//! a head with instructions would end in a comma.
//!
//! Every byte of this file's output is covered by recorded digests: another output is another version.

use onward_event::{AcceptedPart, AssistantCall, Message, ModelConfig, RequestHead, Section, ToolDefinition};
use onward_port::Encoder;
use serde::Serialize;
use serde_json::Value;

use super::MaxTokensField;
use super::parts::{replayed_thoughts, said, words};

/// Where the product's own instructions come from; every other source is a document's path.
const INSTRUCTIONS: &str = "instructions";

/// Encoder `chat/1`, and `chat/1+max_completion_tokens` where the limit of output has that name.
#[derive(Clone, Copy, Debug)]
pub struct ChatEncoder {
    max_tokens_field: MaxTokensField,
}

#[derive(Serialize)]
struct Parameters<'a> {
    model: &'a str,
    stream: bool,
    stream_options: StreamOptions,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning_effort: Option<&'a str>,
    /// An empty list is refused by some servers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Tool<'a>>,
}

#[derive(Serialize)]
struct StreamOptions {
    include_usage: bool,
}

#[derive(Serialize)]
struct Tool<'a> {
    r#type: &'static str,
    function: Function<'a>,
}

#[derive(Serialize)]
struct Function<'a> {
    name: &'a str,
    description: &'a str,
    parameters: &'a Value,
}

#[derive(Serialize)]
#[serde(tag = "role", rename_all = "snake_case")]
enum Sent<'a> {
    System {
        content: String,
    },
    User {
        content: String,
    },
    Assistant {
        /// `null` beside calls, as servers write it themselves; some refuse an empty text there.
        content: Option<String>,
        #[serde(skip_serializing_if = "String::is_empty")]
        reasoning_content: String,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        tool_calls: Vec<SentCall<'a>>,
    },
    Tool {
        tool_call_id: &'a str,
        content: String,
    },
}

#[derive(Serialize)]
struct SentCall<'a> {
    id: &'a str,
    r#type: &'static str,
    function: SentFunction<'a>,
}

#[derive(Serialize)]
struct SentFunction<'a> {
    name: &'a str,
    /// JSON within JSON: that is the protocol.
    arguments: String,
}

impl ChatEncoder {
    /// The encoder for servers that know the limit of output under this name.
    pub const fn new(max_tokens_field: MaxTokensField) -> Self {
        Self { max_tokens_field }
    }
}

impl Encoder for ChatEncoder {
    fn name(&self) -> &str {
        match self.max_tokens_field {
            MaxTokensField::MaxTokens => "chat/1",
            MaxTokensField::MaxCompletionTokens => "chat/1+max_completion_tokens",
        }
    }

    fn head(&self, config: &ModelConfig, head: &RequestHead) -> Vec<u8> {
        let mut out = json(&self.parameters(config, head));
        // The object stays open for the messages.
        out.pop();
        out.extend_from_slice(br#","messages":["#);
        if !head.instructions.is_empty() {
            out.extend(json(&Sent::System { content: instructions(&head.instructions) }));
            out.push(b',');
        }
        out
    }

    fn message(&self, message: &Message, first: bool) -> Vec<u8> {
        let message = json(&sent(message));
        if first {
            return message;
        }
        let mut out = Vec::with_capacity(message.len() + 1);
        out.push(b',');
        out.extend(message);
        out
    }

    fn tail(&self) -> Vec<u8> {
        b"]}".to_vec()
    }
}

impl ChatEncoder {
    fn parameters<'a>(&self, config: &'a ModelConfig, head: &'a RequestHead) -> Parameters<'a> {
        let limit = Some(config.max_output).filter(|limit| *limit > 0);
        let (max_tokens, max_completion_tokens) = match self.max_tokens_field {
            MaxTokensField::MaxTokens => (limit, None),
            MaxTokensField::MaxCompletionTokens => (None, limit),
        };
        Parameters {
            model: &config.model,
            stream: true,
            stream_options: StreamOptions { include_usage: true },
            max_tokens,
            max_completion_tokens,
            temperature: config.temperature_milli.map(|milli| f64::from(milli) / 1000.0),
            reasoning_effort: config.reasoning_effort.as_deref(),
            tools: head.tools.iter().map(tool).collect(),
        }
    }
}

fn tool(definition: &ToolDefinition) -> Tool<'_> {
    let ToolDefinition { name, description, input_schema, .. } = definition;
    Tool { r#type: "function", function: Function { name, description, parameters: input_schema } }
}

/// One text: the sections in their order, a document within marks that name it.
fn instructions(sections: &[Section]) -> String {
    let texts = sections.iter().map(|section| match section.source.as_str() {
        INSTRUCTIONS => section.text.clone(),
        path => format!("<document path={}>\n{}\n</document>", Value::from(path), section.text),
    });
    texts.collect::<Vec<_>>().join("\n\n")
}

fn sent(message: &Message) -> Sent<'_> {
    match message {
        Message::User(content) => Sent::User { content: words(content) },
        Message::Notice(text) => Sent::User { content: format!("<notice>{text}</notice>") },
        Message::Assistant { content, calls } => assistant(content, calls),
        Message::Tool { id, content, .. } => Sent::Tool { tool_call_id: id, content: words(content) },
    }
}

fn assistant<'a>(content: &[AcceptedPart], calls: &'a [AssistantCall]) -> Sent<'a> {
    let text = said(content);
    let without_words = text.is_empty() && !calls.is_empty();
    Sent::Assistant {
        content: (!without_words).then_some(text),
        reasoning_content: if calls.is_empty() { String::new() } else { replayed_thoughts(content) },
        tool_calls: calls.iter().map(sent_call).collect(),
    }
}

fn sent_call(call: &AssistantCall) -> SentCall<'_> {
    let function = SentFunction { name: &call.name, arguments: call.input.to_string() };
    SentCall { id: &call.id, r#type: "function", function }
}

/// These shapes have string keys only, so writing them cannot fail.
fn json(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).unwrap_or_default()
}

#[cfg(test)]
#[path = "encode_tests.rs"]
mod tests;
