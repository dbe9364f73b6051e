//! Providers: how models are reached.

use std::collections::BTreeMap;
use std::path::PathBuf;

use onward_model::{ChatConfig, MaxTokensField};
use onward_policy::suggestion;

use super::environment::Environment;
use super::proxy;
use super::secret::{HeaderValue, SecretRef};
use super::source::{Source, Sourced};
use crate::error::{CliError, ErrorKind};

/// How a provider speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProviderKind {
    /// The chat completions protocol.
    Chat,
    /// It plays a script.
    Scripted,
}

/// One provider.
#[derive(Clone, Debug)]
pub(crate) struct Provider {
    /// How it speaks.
    pub(crate) kind: Sourced<ProviderKind>,
    /// Where it is: everything before `/chat/completions`.
    pub(crate) base_url: Option<Sourced<String>>,
    /// Where its key is; none is sent when absent.
    pub(crate) key: Option<Sourced<SecretRef>>,
    /// Sent with every request.
    pub(crate) headers: BTreeMap<String, Sourced<HeaderValue>>,
    /// The script to play.
    pub(crate) script: Option<Sourced<PathBuf>>,
    /// Under which name it takes the limit of output.
    pub(crate) max_tokens_field: Sourced<MaxTokensField>,
}

/// How a provider is reached, with its secrets: for the adapter that is made from it, and nothing else.
#[derive(Clone, Debug)]
pub(crate) enum Access {
    /// Over HTTP.
    Chat(Box<ChatConfig>),
    /// By playing this file.
    Scripted(PathBuf),
}

impl Provider {
    /// A provider that nothing is said about yet.
    pub(super) fn unset() -> Self {
        Self {
            kind: Sourced::default_value(ProviderKind::Chat),
            base_url: None,
            key: None,
            headers: BTreeMap::new(),
            script: None,
            max_tokens_field: Sourced::default_value(MaxTokensField::MaxTokens),
        }
    }

    /// How it is reached, with its secrets.
    ///
    /// # Errors
    /// When something that it needs is not set, or a secret cannot be read.
    pub(super) fn access(&self, name: &str, environment: &Environment) -> Result<Access, CliError> {
        match (self.kind.value, &self.base_url, &self.script) {
            (ProviderKind::Scripted, _, Some(script)) => Ok(Access::Scripted(script.value.clone())),
            (ProviderKind::Scripted, _, None) => Err(incomplete(name, "script", "\"path/to/script.json\"")),
            (ProviderKind::Chat, Some(url), _) => {
                Ok(Access::Chat(Box::new(self.chat(name, &url.value, environment)?)))
            }
            (ProviderKind::Chat, None, _) => {
                Err(incomplete(name, "base_url", "\"http://127.0.0.1:8080/v1\""))
            }
        }
    }

    /// By what its secrets are found.
    pub(super) fn secret_references(&self) -> impl Iterator<Item = &SecretRef> {
        let headers = self.headers.values().filter_map(|header| match &header.value {
            HeaderValue::Secret(reference) => Some(reference),
            HeaderValue::Literal(_) => None,
        });
        self.key.iter().map(|key| &key.value).chain(headers)
    }

    fn chat(&self, name: &str, base_url: &str, environment: &Environment) -> Result<ChatConfig, CliError> {
        let read = |reference: &SecretRef| {
            reference.resolve(environment).map_err(|why| no_secret(name, reference, &why))
        };
        let mut config = ChatConfig::new(base_url);
        config.key = self.key.as_ref().map(|key| read(&key.value)).transpose()?;
        config.max_tokens_field = self.max_tokens_field.value;
        config.proxy = proxy::choose(base_url, environment);
        for (header, value) in &self.headers {
            let value = match &value.value {
                HeaderValue::Literal(words) => words.clone(),
                HeaderValue::Secret(reference) => read(reference)?.expose().to_owned(),
            };
            config.headers.push((header.clone(), value));
        }
        Ok(config)
    }

    /// The variables that its secrets are in.
    pub(super) fn secret_variables(&self) -> impl Iterator<Item = &str> {
        let headers = self.headers.values().filter_map(|header| match &header.value {
            HeaderValue::Secret(reference) => Some(reference),
            HeaderValue::Literal(_) => None,
        });
        self.key.iter().map(|key| &key.value).chain(headers).filter_map(|reference| match reference {
            SecretRef::Env(name) => Some(name.as_str()),
            SecretRef::File(_) => None,
        })
    }
}

/// The providers that need no configuration beyond a key.
pub(super) fn builtin_providers() -> BTreeMap<String, Provider> {
    let rows = [
        ("openai", "https://api.openai.com/v1", Some("OPENAI_API_KEY"), MaxTokensField::MaxCompletionTokens),
        ("openrouter", "https://openrouter.ai/api/v1", Some("OPENROUTER_API_KEY"), MaxTokensField::MaxTokens),
        ("ollama", "http://127.0.0.1:11434/v1", None, MaxTokensField::MaxTokens),
        ("llamacpp", "http://127.0.0.1:8080/v1", None, MaxTokensField::MaxTokens),
        ("vllm", "http://127.0.0.1:8000/v1", None, MaxTokensField::MaxTokens),
    ];
    let provider = |(name, url, key, field): (&str, &str, Option<&str>, _)| {
        let provider = Provider {
            base_url: Some(Sourced::default_value(url.to_owned())),
            key: key.map(|key| Sourced::default_value(SecretRef::Env(key.to_owned()))),
            max_tokens_field: Sourced::default_value(field),
            ..Provider::unset()
        };
        (name.to_owned(), provider)
    };
    rows.into_iter().map(provider).collect()
}

/// Checks the address of a server and brings it into the form that requests are made from.
pub(super) fn base_url(text: &str) -> Result<String, String> {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let authority = rest.and_then(|rest| rest.split(['/', '?', '#']).next()).unwrap_or_default();
    if authority.is_empty() || text.contains(|c: char| c.is_whitespace() || c.is_control()) {
        return Err("is no address of a server: write it like \"http://127.0.0.1:8080/v1\"".into());
    }
    if authority.contains('@') {
        return Err("holds a user or a password; leave them out and use `key` or `headers`".into());
    }
    Ok(text.trim_end_matches('/').to_owned())
}

/// There is no provider of this name.
pub(super) fn no_such_provider<'a>(
    name: &str,
    source: Option<&Source>,
    known: impl Iterator<Item = &'a String> + Clone,
) -> CliError {
    let place = source.map(|source| format!("{source}: ")).unwrap_or_default();
    let message = match suggestion(name, known.clone().map(String::as_str)) {
        Some(near) => format!("{place}there is no provider `{name}`; did you mean `{near}`?"),
        None => format!("{place}there is no provider `{name}`"),
    };
    let known = known.map(String::as_str).collect::<Vec<_>>().join(", ");
    CliError::new(ErrorKind::Config, message).with_hint(format!(
        "known providers: {known}\nanother one is added to your own configuration file with [providers.{name}] and its base_url"
    ))
}

fn incomplete(name: &str, key: &str, example: &str) -> CliError {
    CliError::new(ErrorKind::Config, format!("provider `{name}` has no `{key}`, so it cannot be reached"))
        .with_hint(format!("set `{key} = {example}` in [providers.{name}] of your own configuration file"))
}

fn no_secret(name: &str, reference: &SecretRef, why: &str) -> CliError {
    let message = format!("the key of provider `{name}` cannot be had: {why}; nothing was sent");
    let hint = match reference {
        SecretRef::Env(variable) => {
            format!(
                "set it with `export {variable}=…`, or say where the key is with `key` in [providers.{name}]"
            )
        }
        SecretRef::File(_) => "put the key into that file, on a line of its own".to_owned(),
    };
    CliError::new(ErrorKind::Config, message).with_hint(hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_checked() {
        assert_eq!(base_url("http://127.0.0.1:8080/v1/"), Ok("http://127.0.0.1:8080/v1".into()));
        assert_eq!(
            base_url("https://a.example/v1?api-version=1"),
            Ok("https://a.example/v1?api-version=1".into())
        );
        for bad in [
            "",
            "127.0.0.1:8080",
            "ftp://a",
            "http://",
            "http:///v1",
            "http://a b/",
            "https://u:hunter2@a/v1",
        ] {
            let error = base_url(bad).unwrap_err();
            assert!(!error.contains("hunter2"), "{error}");
        }
    }

    #[test]
    fn builtin_addresses_are_valid() {
        for (name, provider) in builtin_providers() {
            let url = provider.base_url.unwrap().value;
            assert_eq!(base_url(&url), Ok(url.clone()), "{name}");
        }
    }
}
