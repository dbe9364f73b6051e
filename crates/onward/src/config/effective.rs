//! The configuration as a list, for people: every value that is in force, and where it comes from. Secrets appear as
//! the references that they are.

use std::fmt::Display;
use std::path::PathBuf;

use onward_model::MaxTokensField;
use serde::Serialize;

use super::keys::written;
use super::limits::LimitSettings;
use super::model::{ModelName, ModelSettings};
use super::money::{MONEY, TEMPERATURE, unscaled};
use super::provider::{Provider, ProviderKind};
use super::sandbox::{SandboxSettings, network_name};
use super::secret::HeaderValue;
use super::settings::{Config, ShellSettings};
use super::source::Sourced;

/// One value that is in force.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Entry {
    /// The key, as it is written in a file.
    pub(crate) key: String,
    /// The value.
    pub(crate) value: String,
    /// Where it comes from.
    pub(crate) source: String,
}

/// Every value that is in force; what is not set is left out.
pub(crate) fn entries(config: &Config) -> Vec<Entry> {
    let mut list = List(Vec::new());
    match &config.model {
        Some(model) => list.add_plain(&["model"], model),
        None => list.0.push(Entry {
            key: "model".into(),
            value: "not set".into(),
            source:
                "set it with --model, ONWARD_MODEL, or `model = \"provider/name\"` in a configuration file"
                    .into(),
        }),
    }
    list.add(&["mode"], config.mode.value.name(), &config.mode);
    if let Some(dir) = &config.data_dir {
        list.add(&["data_dir"], dir.value.display(), dir);
    }
    if let Some(tools) = &config.tools {
        list.add(&["tools", "enabled"], tools.value.join(", "), tools);
    }
    list.add(&["jobs", "at_end"], config.jobs_at_end.value.name(), &config.jobs_at_end);
    list.shell(&config.shell);
    list.sandbox(&config.sandbox);
    list.limits(&config.limits);
    config.models.iter().for_each(|(name, model)| list.model(name, model));
    config.providers.iter().for_each(|(name, provider)| list.provider(name, provider));
    list.0
}

/// The list as text: `key = value`, and where it comes from behind it.
pub(crate) fn render(entries: &[Entry]) -> String {
    let left = |entry: &Entry| format!("{} = {}", entry.key, entry.value);
    let longest = entries.iter().map(|entry| left(entry).chars().count()).max().unwrap_or(0);
    // One long value must not push every source off the screen.
    let column = longest.min(60);
    let line = |entry: &Entry| format!("{:column$}  # {}\n", left(entry), entry.source);
    entries.iter().map(line).collect()
}

struct List(Vec<Entry>);

impl List {
    fn add<T>(&mut self, path: &[&str], value: impl Display, sourced: &Sourced<T>) {
        let path: Vec<String> = path.iter().map(|segment| (*segment).to_owned()).collect();
        let (key, value, source) = (written(&path), value.to_string(), sourced.source.to_string());
        self.0.push(Entry { key, value, source });
    }

    fn add_plain<T: Display>(&mut self, path: &[&str], sourced: &Sourced<T>) {
        self.add(path, &sourced.value, sourced);
    }

    fn add_some<T: Display>(&mut self, path: &[&str], sourced: &Option<Sourced<T>>) {
        if let Some(sourced) = sourced {
            self.add_plain(path, sourced);
        }
    }

    fn add_scaled(&mut self, path: &[&str], places: u32, sourced: &Option<Sourced<u64>>) {
        if let Some(sourced) = sourced {
            self.add(path, unscaled(sourced.value, places), sourced);
        }
    }

    fn shell(&mut self, shell: &ShellSettings) {
        self.add(&["shell", "program"], shell.program.value.display(), &shell.program);
        self.add_plain(&["shell", "timeout_seconds"], &shell.timeout_seconds);
        self.add_plain(&["shell", "supervisor_margin_seconds"], &shell.supervisor_margin_seconds);
        self.add(
            &["shell", "env", "pass"],
            format!("[{}]", shell.env_pass.value.join(", ")),
            &shell.env_pass,
        );
    }

    fn sandbox(&mut self, sandbox: &SandboxSettings) {
        let paths = |paths: &[PathBuf]| {
            let texts: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
            format!("[{}]", texts.join(", "))
        };
        self.add_plain(&["sandbox", "tier"], &sandbox.tier);
        self.add(&["sandbox", "network"], network_name(sandbox.network.value), &sandbox.network);
        self.add(&["sandbox", "writable"], paths(&sandbox.writable.value), &sandbox.writable);
        self.add(&["sandbox", "hidden"], paths(&sandbox.hidden.value), &sandbox.hidden);
        self.add_plain(&["sandbox", "memory_mib"], &sandbox.memory_mib);
        self.add_plain(&["sandbox", "processes"], &sandbox.processes);
        self.add_plain(&["sandbox", "file_mib"], &sandbox.file_mib);
        self.add_plain(&["sandbox", "open_files"], &sandbox.open_files);
        self.add_plain(&["sandbox", "temporary_mib"], &sandbox.temporary_mib);
    }

    fn limits(&mut self, limits: &LimitSettings) {
        self.add_plain(&["limits", "max_steps"], &limits.max_steps);
        self.add_some(&["limits", "max_tokens"], &limits.max_tokens);
        self.add_some(&["limits", "max_seconds"], &limits.max_seconds);
        self.add_scaled(&["limits", "max_cost"], MONEY, &limits.max_cost_micros);
        self.add_plain(&["limits", "max_attempts"], &limits.max_attempts);
        self.add_plain(&["limits", "max_rejections"], &limits.max_rejections);
        self.add_plain(&["limits", "max_repeated_calls"], &limits.max_repeated_calls);
        self.add_plain(&["limits", "max_repeated_errors"], &limits.max_repeated_errors);
        self.add_plain(&["limits", "max_denials"], &limits.max_denials);
        self.add_plain(&["limits", "max_recoveries"], &limits.max_recoveries);
        self.add_plain(&["limits", "max_jobs"], &limits.max_jobs);
        self.add_plain(&["limits", "max_queued_jobs"], &limits.max_queued_jobs);
        self.add_plain(&["limits", "max_session_jobs"], &limits.max_session_jobs);
        self.add_plain(&["limits", "max_parallel_calls"], &limits.max_parallel_calls);
        self.add_plain(&["limits", "max_queued_calls"], &limits.max_queued_calls);
    }

    fn model(&mut self, name: &ModelName, model: &ModelSettings) {
        let name = name.to_string();
        let temperature = model.temperature_milli.as_ref();
        self.add_some(&["models", &name, "context_window"], &model.context_window);
        self.add_some(&["models", &name, "max_output"], &model.max_output);
        if let Some(milli) = temperature {
            self.add(&["models", &name, "temperature"], unscaled(milli.value.into(), TEMPERATURE), milli);
        }
        self.add_some(&["models", &name, "reasoning_effort"], &model.reasoning_effort);
        self.add_scaled(&["models", &name, "price", "input"], MONEY, &model.price.input);
        self.add_scaled(&["models", &name, "price", "cached"], MONEY, &model.price.cached);
        self.add_scaled(&["models", &name, "price", "output"], MONEY, &model.price.output);
    }

    fn provider(&mut self, name: &str, provider: &Provider) {
        let kind = match provider.kind.value {
            ProviderKind::Chat => "chat",
            ProviderKind::Scripted => "scripted",
        };
        self.add(&["providers", name, "kind"], kind, &provider.kind);
        self.add_some(&["providers", name, "base_url"], &provider.base_url);
        self.add_some(&["providers", name, "key"], &provider.key);
        for (header, value) in &provider.headers {
            let shown = match &value.value {
                HeaderValue::Literal(words) => words.clone(),
                HeaderValue::Secret(reference) => reference.to_string(),
            };
            self.add(&["providers", name, "headers", header], shown, value);
        }
        if let Some(script) = &provider.script {
            self.add(&["providers", name, "script"], script.value.display(), script);
        }
        if provider.kind.value == ProviderKind::Chat {
            let field = match provider.max_tokens_field.value {
                MaxTokensField::MaxTokens => "max_tokens",
                MaxTokensField::MaxCompletionTokens => "max_completion_tokens",
            };
            self.add(&["providers", name, "max_tokens_field"], field, &provider.max_tokens_field);
        }
    }
}
