//! What the command line says about the configuration.

use std::path::PathBuf;

use onward_event::Mode;

use super::budget::Budget;
use super::environment::Environment;
use super::given::{Given, Raw};
use super::keys::{Found, find};
use super::money::{MONEY, unscaled};
use super::problem;
use super::settings::Config;
use super::source::Source;
use crate::error::CliError;

/// Values of options; what was not given is absent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Overrides {
    /// `--model`.
    pub(crate) model: Option<String>,
    /// `--mode`.
    pub(crate) mode: Option<Mode>,
    /// `--data-dir`.
    pub(crate) data_dir: Option<PathBuf>,
    /// `--max-steps`.
    pub(crate) max_steps: Option<u32>,
    /// `--budget`.
    pub(crate) budget: Budget,
    /// `--sandbox`.
    pub(crate) sandbox: Option<String>,
    /// `--network`.
    pub(crate) network: Option<String>,
}

impl Overrides {
    /// Takes the options into the configuration.
    ///
    /// # Errors
    /// When a value makes no sense.
    pub(super) fn apply(&self, environment: &Environment, config: &mut Config) -> Result<(), CliError> {
        for (flag, path, value) in self.rows() {
            let Some(value) = value else { continue };
            let path: Vec<String> = path.iter().map(|segment| (*segment).to_owned()).collect();
            // Every path of the rows below is a key: a test sees to it.
            let Found::Key(key, names) = find(&path) else { continue };
            let (raw, source) = (Raw::Untyped(value), Source::Flag(flag));
            let given = Given { names: &names, raw: &raw, source: &source, environment };
            (key.set)(config, given).map_err(|wrong| problem::bad_value(&source, &path.join("."), wrong))?;
        }
        Ok(())
    }

    fn rows(&self) -> [(&'static str, &'static [&'static str], Option<String>); 9] {
        let number = |n: u64| n.to_string();
        let data_dir = self.data_dir.as_ref().map(|path| path.to_string_lossy().into_owned());
        [
            ("--model", &["model"], self.model.clone()),
            ("--mode", &["mode"], self.mode.map(|mode| mode.name().to_owned())),
            ("--data-dir", &["data_dir"], data_dir),
            ("--max-steps", &["limits", "max_steps"], self.max_steps.map(|n| n.to_string())),
            ("--budget", &["limits", "max_tokens"], self.budget.tokens.map(number)),
            ("--budget", &["limits", "max_seconds"], self.budget.seconds.map(number)),
            ("--sandbox", &["sandbox", "tier"], self.sandbox.clone()),
            ("--network", &["sandbox", "network"], self.network.clone()),
            ("--budget", &["limits", "max_cost"], self.budget.cost_micros.map(|n| unscaled(n, MONEY))),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_names_a_key() {
        for (flag, path, _) in Overrides::default().rows() {
            let path: Vec<String> = path.iter().map(|segment| (*segment).to_owned()).collect();
            assert!(matches!(find(&path), Found::Key(..)), "{flag}");
        }
    }
}
