//! How to reach a server, as plain values: the binary reads files and environment, this crate does not.

use std::fmt;
use std::time::Duration;

use onward_port::Secret;
use serde::Deserialize;

/// How to reach a server. [`ChatConfig::new`] fills in the defaults.
#[derive(Clone)]
pub struct ChatConfig {
    /// Everything before `/chat/completions`, for example `http://localhost:11434/v1`. A query is kept.
    pub base_url: String,
    /// Sent as `Authorization: Bearer …`; local servers need none.
    pub key: Option<Secret>,
    /// Sent with every request. A value whose name speaks of a key, a token or a secret is treated as one.
    pub headers: Vec<(String, String)>,
    /// The proxy to go through; none is looked for elsewhere.
    pub proxy: Option<Proxy>,
    /// How long opening a connection may take.
    pub connect_timeout: Duration,
    /// How long nothing may arrive, before the first byte of an answer and between two pieces. A local server that
    /// reads a long prompt is silent for minutes.
    pub idle_timeout: Duration,
    /// How large an answer may be, in bytes on the wire.
    pub max_response_bytes: u64,
    /// Under which name the limit of output is sent.
    pub max_tokens_field: MaxTokensField,
}

/// The name of the field that limits the output: newer models of OpenAI refuse the older one, and most other servers
/// know only that.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MaxTokensField {
    /// `max_tokens`.
    #[default]
    MaxTokens,
    /// `max_completion_tokens`.
    MaxCompletionTokens,
}

/// A proxy for HTTP and HTTPS.
#[derive(Clone, Debug)]
pub struct Proxy {
    /// `http://`, `https://` or `socks5://`; may hold a user and a password.
    pub url: Secret,
    /// Hosts that are reached directly, in the form of `NO_PROXY`: names, addresses and networks with commas between.
    pub bypass: String,
}

/// A configuration that cannot work.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadChatConfig {
    /// The base URL is none.
    #[error("the base URL of the model server {why}; write it like http://localhost:11434/v1")]
    BaseUrl {
        /// What is wrong with it.
        why: String,
    },
    /// A header has a name or a value that HTTP does not allow.
    #[error(
        "the header `{name}` cannot be sent: its name or its value has a character that HTTP does not allow"
    )]
    Header {
        /// Its name.
        name: String,
    },
    /// The key has a line break or another character that HTTP does not allow.
    #[error(
        "the key of the model server has a character that HTTP does not allow; look for a line break at its end"
    )]
    Key,
    /// The proxy's URL is none.
    #[error("the URL of the proxy cannot be used; write it like http://proxy.example:3128")]
    Proxy,
}

impl ChatConfig {
    /// Ten seconds.
    pub const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
    /// Five minutes.
    pub const IDLE_TIMEOUT: Duration = Duration::from_secs(300);
    /// 64 MiB: some fifty times the longest answer of today's models, with all that streaming adds.
    pub const MAX_RESPONSE_BYTES: u64 = 64 << 20;

    /// A server at this base URL, without a key, with the defaults for everything else.
    pub fn new(base_url: impl Into<String>) -> Self {
        Self {
            base_url: base_url.into(),
            key: None,
            headers: Vec::new(),
            proxy: None,
            connect_timeout: Self::CONNECT_TIMEOUT,
            idle_timeout: Self::IDLE_TIMEOUT,
            max_response_bytes: Self::MAX_RESPONSE_BYTES,
            max_tokens_field: MaxTokensField::default(),
        }
    }
}

impl fmt::Debug for ChatConfig {
    /// Leaves out the values of the headers and what may be a password in a URL.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let headers: Vec<_> = self.headers.iter().map(|(name, _)| name).collect();
        f.debug_struct("ChatConfig")
            .field("key", &self.key)
            .field("headers", &headers)
            .field("proxy", &self.proxy)
            .field("connect_timeout", &self.connect_timeout)
            .field("idle_timeout", &self.idle_timeout)
            .field("max_response_bytes", &self.max_response_bytes)
            .field("max_tokens_field", &self.max_tokens_field)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_shows_no_secret() {
        let mut config = ChatConfig::new("http://user:hunter2@localhost/v1");
        config.key = Some(Secret::new("hunter2".into()));
        config.headers = vec![("api-key".into(), "hunter2".into())];
        config.proxy =
            Some(Proxy { url: Secret::new("http://me:hunter2@proxy".into()), bypass: String::new() });
        let shown = format!("{config:?}");
        assert!(!shown.contains("hunter2"), "{shown}");
        assert!(shown.contains("api-key"), "{shown}");
    }
}
