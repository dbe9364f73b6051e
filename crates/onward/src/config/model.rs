//! Models: how they are named, and what is known about them.

use std::fmt;
use std::str::FromStr;

use onward_event::{ModelConfig, Price};
use onward_model::known_capabilities;

use super::environment::Environment;
use super::paths;
use super::source::Sourced;
use crate::error::{CliError, ErrorKind};

/// Tokens of request and answer together, for a model that nothing is known about.
pub(super) const CONTEXT_WINDOW: u64 = 128_000;
/// Tokens of an answer, for a model that nothing is known about.
pub(super) const MAX_OUTPUT: u64 = 8_192;

/// A model by provider and name, written `provider/name`. The name may have slashes of its own.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ModelName {
    /// The configured provider.
    pub(crate) provider: String,
    /// The provider's name for the model.
    pub(crate) name: String,
}

/// What is known about a model.
#[derive(Clone, Debug, Default)]
pub(crate) struct ModelSettings {
    /// Tokens of request and answer together.
    pub(crate) context_window: Option<Sourced<u64>>,
    /// Tokens of an answer.
    pub(crate) max_output: Option<Sourced<u64>>,
    /// Sampling temperature, in thousandths.
    pub(crate) temperature_milli: Option<Sourced<u32>>,
    /// How hard it should think, in the provider's own word.
    pub(crate) reasoning_effort: Option<Sourced<String>>,
    /// What tokens cost.
    pub(crate) price: PriceSettings,
}

/// What a million tokens cost, in millionths of a currency unit.
#[derive(Clone, Debug, Default)]
pub(crate) struct PriceSettings {
    /// Of requests.
    pub(crate) input: Option<Sourced<u64>>,
    /// Of requests, read from the provider's cache; as `input` when absent.
    pub(crate) cached: Option<Sourced<u64>>,
    /// Of answers.
    pub(crate) output: Option<Sourced<u64>>,
}

impl fmt::Display for ModelName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.provider, self.name)
    }
}

impl FromStr for ModelName {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let is_word =
            |text: &str| !text.is_empty() && !text.contains(|c: char| c.is_whitespace() || c.is_control());
        match text.split_once('/') {
            Some((provider, name)) if is_word(provider) && is_word(name) => {
                Ok(Self { provider: provider.into(), name: name.into() })
            }
            _ => Err("is no model: write `provider/name`, as in `openai/gpt-5` or `ollama/qwen3`".into()),
        }
    }
}

impl ModelSettings {
    /// With everything that is not known filled in.
    ///
    /// # Errors
    /// When the figures contradict each other.
    pub(super) fn resolve(&self, model: &ModelName) -> Result<ModelConfig, CliError> {
        let known = known_capabilities(&model.name);
        let window = self.context_window.as_ref().map(|tokens| tokens.value);
        let context_window = window.or(known.context_window).unwrap_or(CONTEXT_WINDOW);
        let max_output = match &self.max_output {
            Some(tokens) => tokens.value,
            // A small window must not be eaten by an answer that nobody asked to be that long.
            None => known.max_output.unwrap_or(MAX_OUTPUT).min(context_window / 2),
        };
        if max_output >= context_window {
            return Err(no_room(model, max_output, context_window));
        }
        Ok(ModelConfig {
            provider: model.provider.clone(),
            model: model.name.clone(),
            context_window,
            max_output,
            temperature_milli: self.temperature_milli.as_ref().map(|milli| milli.value),
            reasoning_effort: self.reasoning_effort.as_ref().map(|effort| effort.value.clone()),
            price: self.price.resolve(model)?,
        })
    }
}

impl PriceSettings {
    fn resolve(&self, model: &ModelName) -> Result<Option<Price>, CliError> {
        match (&self.input, &self.cached, &self.output) {
            (None, None, None) => Ok(None),
            (Some(input), cached, Some(output)) => {
                let cached = cached.as_ref().unwrap_or(input);
                Ok(Some(Price { input: input.value, cached: cached.value, output: output.value }))
            }
            (Some(given), _, _) | (_, Some(given), _) | (_, _, Some(given)) => {
                let message = format!("{}: the price of `{model}` is not whole", given.source);
                Err(CliError::new(ErrorKind::Config, message)
                    .with_hint("give `input` and `output`, and `cached` if it differs from `input`"))
            }
        }
    }
}

/// No model is set.
pub(super) fn no_model(environment: &Environment) -> CliError {
    let file =
        paths::user_file(environment).map_or("your config.toml".into(), |path| path.display().to_string());
    CliError::new(ErrorKind::Config, "no model is set, so nothing was started").with_hint(format!(
        "set one with `--model provider/name`, with ONWARD_MODEL, or with `model = \"provider/name\"` in {file}\n\
         for example `--model openai/gpt-5` (with OPENAI_API_KEY) or `--model ollama/qwen3` (local, no key)\n\
         `onward demo` shows how it works and needs no model"
    ))
}

fn no_room(model: &ModelName, max_output: u64, context_window: u64) -> CliError {
    let message = format!(
        "`{model}` has no room for a request: its answers may have {max_output} tokens of a window of {context_window}"
    );
    CliError::new(ErrorKind::Config, message)
        .with_hint(format!("set `max_output` below `context_window` in [models.\"{model}\"]"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_is_named_by_its_provider() {
        let name: ModelName = "openrouter/meta/llama:free".parse().unwrap();
        assert_eq!((name.provider.as_str(), name.name.as_str()), ("openrouter", "meta/llama:free"));
        assert_eq!(name.to_string(), "openrouter/meta/llama:free");
        for bad in ["", "gpt-5", "/gpt-5", "openai/", "open ai/gpt", "openai/gpt\n5"] {
            assert!(bad.parse::<ModelName>().unwrap_err().contains("provider/name"), "{bad:?}");
        }
    }

    #[test]
    fn a_small_window_keeps_room_for_the_request() {
        let small =
            ModelSettings { context_window: Some(Sourced::default_value(4_096)), ..ModelSettings::default() };
        let config = small.resolve(&"ollama/tiny".parse().unwrap()).unwrap();
        assert_eq!((config.context_window, config.max_output), (4_096, 2_048));
    }
}
