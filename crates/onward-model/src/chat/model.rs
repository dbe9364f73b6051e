//! [`ChatModel`]: configuration, encoder, transport and decoder put together.

use bytes::Bytes;
use onward_port::{
    BoxFuture, Capabilities, Encoder, Model, ModelDelta, ModelFailure, ModelReply, ModelRequest, NamedSecret,
    Redactor, Secret,
};
use reqwest::Url;
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};

use super::decode::{Decoder, Progress};
use super::{BadChatConfig, ChatConfig, ChatEncoder};
use crate::http::{Endpoint, EndpointProxy, Transport};
use crate::known::known_capabilities;

/// Parts of a header's name that say its value is a secret.
const SECRET_NAMES: &[&str] = &["authorization", "cookie", "key", "token", "secret", "password"];

/// A server that speaks the chat completions protocol.
pub struct ChatModel {
    encoder: ChatEncoder,
    transport: Transport,
    redactor: Redactor,
}

impl ChatModel {
    /// Checks the configuration. No connection is made and no certificate read before the first request.
    ///
    /// # Errors
    /// What in it cannot work.
    pub fn new(config: ChatConfig) -> Result<Self, BadChatConfig> {
        let endpoint = Endpoint {
            url: endpoint_url(&config.base_url)?,
            headers: headers(&config)?,
            proxy: proxy(&config)?,
            connect_timeout: config.connect_timeout,
            idle_timeout: config.idle_timeout,
            max_response_bytes: config.max_response_bytes,
        };
        Ok(Self {
            encoder: ChatEncoder::new(config.max_tokens_field),
            redactor: Redactor::new(secrets(&config)),
            transport: Transport::new(endpoint),
        })
    }

    async fn answer(
        &self,
        body: Bytes,
        on_delta: &mut (dyn FnMut(ModelDelta) + Send),
    ) -> Result<ModelReply, ModelFailure> {
        let mut body = self.transport.post(body).await?;
        let mut decoder = Decoder::new();
        loop {
            let piece = match body.next().await {
                Ok(Some(piece)) => piece,
                Ok(None) => return decoder.finish(on_delta),
                Err(failure) => return decoder.cut(failure),
            };
            match decoder.push(&piece, on_delta) {
                Ok(Progress::More) => {}
                Ok(Progress::Done) => {
                    body.drain();
                    return decoder.finish(on_delta);
                }
                Err(failure) => return Err(decoder.fail(failure)),
            }
        }
    }
}

impl Model for ChatModel {
    fn capabilities(&self, model: &str) -> Capabilities {
        known_capabilities(model)
    }

    fn encoder(&self) -> &dyn Encoder {
        &self.encoder
    }

    fn stream<'a>(
        &'a self,
        request: ModelRequest,
        on_delta: &'a mut (dyn FnMut(ModelDelta) + Send),
    ) -> BoxFuture<'a, Result<ModelReply, ModelFailure>> {
        Box::pin(async move {
            let answer = self.answer(request.body, on_delta).await;
            // The one place that every failure passes.
            answer
                .map_err(|failure| ModelFailure { message: self.redactor.string(failure.message), ..failure })
        })
    }
}

fn endpoint_url(base: &str) -> Result<Url, BadChatConfig> {
    let bad = |why: &str| BadChatConfig::BaseUrl { why: why.to_owned() };
    let mut url = Url::parse(base.trim()).map_err(|error| bad(&format!("cannot be read ({error})")))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(bad("is neither http nor https"));
    }
    let path = url.path().trim_end_matches('/').to_owned();
    if !path.ends_with("/chat/completions") {
        url.set_path(&format!("{path}/chat/completions"));
    }
    url.set_fragment(None);
    Ok(url)
}

/// The configured headers come last: they may replace those of the protocol.
fn headers(config: &ChatConfig) -> Result<HeaderMap, BadChatConfig> {
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(ACCEPT, HeaderValue::from_static("text/event-stream"));
    if let Some(key) = &config.key {
        let value = HeaderValue::from_str(&format!("Bearer {}", key.expose()));
        let mut value = value.map_err(|_| BadChatConfig::Key)?;
        value.set_sensitive(true);
        headers.insert(AUTHORIZATION, value);
    }
    for (name, value) in &config.headers {
        let bad = || BadChatConfig::Header { name: name.clone() };
        let header = HeaderName::from_bytes(name.as_bytes()).map_err(|_| bad())?;
        let mut value = HeaderValue::from_str(value).map_err(|_| bad())?;
        value.set_sensitive(is_secret(name));
        headers.insert(header, value);
    }
    Ok(headers)
}

fn proxy(config: &ChatConfig) -> Result<Option<EndpointProxy>, BadChatConfig> {
    let Some(proxy) = &config.proxy else { return Ok(None) };
    let url = Url::parse(proxy.url.expose()).ok().filter(Url::has_host).ok_or(BadChatConfig::Proxy)?;
    Ok(Some(EndpointProxy { url, bypass: proxy.bypass.clone() }))
}

/// What this provider knows and no message may repeat: servers quote the key that they refuse, and proxies the headers
/// that they got.
fn secrets(config: &ChatConfig) -> Vec<NamedSecret> {
    let named = |name: &str, value: &str| NamedSecret { name: name.into(), value: Secret::new(value.into()) };
    let mut secrets: Vec<_> = config.key.iter().map(|key| named("key", key.expose())).collect();
    for (name, value) in config.headers.iter().filter(|(name, _)| is_secret(name)) {
        secrets.push(named(name, value));
        // What follows the scheme in `Authorization: Scheme value`.
        secrets.extend(value.split_once(' ').map(|(_, value)| named(name, value)));
    }
    secrets.extend(config.proxy.iter().map(|proxy| named("proxy", proxy.url.expose())));
    secrets
}

fn is_secret(header: &str) -> bool {
    let header = header.to_ascii_lowercase();
    SECRET_NAMES.iter().any(|name| header.contains(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_is_added_once_and_the_query_kept() {
        for (base, expect) in [
            ("http://localhost:1/v1", "http://localhost:1/v1/chat/completions"),
            (" http://localhost:1/v1/ ", "http://localhost:1/v1/chat/completions"),
            ("https://x.example", "https://x.example/chat/completions"),
            ("https://x.example/v1/chat/completions", "https://x.example/v1/chat/completions"),
            ("https://x.example/a?api-version=7#z", "https://x.example/a/chat/completions?api-version=7"),
        ] {
            assert_eq!(endpoint_url(base).map(String::from), Ok(expect.to_owned()));
        }
    }

    #[test]
    fn a_configuration_that_cannot_work_is_refused_in_words() {
        let refused = |change: fn(&mut ChatConfig)| {
            let mut config = ChatConfig::new("http://localhost/v1");
            change(&mut config);
            ChatModel::new(config).map(|_| ()).unwrap_err()
        };
        assert!(matches!(refused(|c| c.base_url = "localhost".into()), BadChatConfig::BaseUrl { .. }));
        assert!(matches!(refused(|c| c.base_url = "ftp://localhost".into()), BadChatConfig::BaseUrl { .. }));
        let key = refused(|c| c.key = Some(Secret::new("sk-1\n".into())));
        assert_eq!(key, BadChatConfig::Key);
        assert!(!key.to_string().contains("sk-1"));
        let header = refused(|c| c.headers = vec![("x y".into(), "z".into())]);
        assert_eq!(header, BadChatConfig::Header { name: "x y".into() });
        let url = Secret::new("proxy".into());
        let proxy = super::super::Proxy { url, bypass: String::new() };
        let mut config = ChatConfig::new("http://localhost/v1");
        config.proxy = Some(proxy);
        assert_eq!(ChatModel::new(config).map(|_| ()).unwrap_err(), BadChatConfig::Proxy);
    }
}
