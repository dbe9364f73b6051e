//! The `ONWARD_…` variables: one for each key that has no name of the person's in its path.

use super::environment::Environment;
use super::given::{Given, Raw};
use super::keys::{KEYS, of_variable, written};
use super::problem;
use super::settings::Config;
use super::source::Source;
use crate::error::CliError;

const PREFIX: &str = "ONWARD_";

/// Takes the variables into the configuration, and gives those whose values make no sense. An empty one counts as not
/// set.
pub(super) fn apply(environment: &Environment, config: &mut Config) -> Vec<CliError> {
    let mut faults = Vec::new();
    for (name, key) in environment.vars.keys().filter_map(|name| Some((name, of_variable(name)?))) {
        let Some(value) = environment.var(name) else { continue };
        let (raw, source) = (Raw::Untyped(value.to_owned()), Source::Variable(name.clone()));
        let given = Given { names: &[], raw: &raw, source: &source, environment };
        let path: Vec<String> = key.path.iter().map(|segment| (*segment).to_owned()).collect();
        if let Err(wrong) = (key.set)(config, given) {
            faults.push(problem::bad_value(&source, &written(&path), wrong));
        }
    }
    faults
}

/// The first variable with our prefix that means nothing: it is a slip, and ignoring it would do something else than
/// the person said. A variable that the configuration itself names (a key is in it, or commands see it) has a meaning.
pub(super) fn unknown(environment: &Environment, config: &Config) -> Option<CliError> {
    let is_named = |name: &str| {
        config.shell.env_pass.value.iter().any(|passed| passed == name)
            || config
                .providers
                .values()
                .any(|provider| provider.secret_variables().any(|secret| secret == name))
    };
    let mut ours = environment.vars.keys().filter(|name| name.starts_with(PREFIX));
    let unknown = ours.find(|name| of_variable(name).is_none() && !is_named(name))?;
    Some(problem::unknown_variable(unknown, &names()))
}

/// Every variable that is read, in the order of the table.
pub(super) fn names() -> Vec<&'static str> {
    KEYS.iter().filter_map(|key| key.variable).collect()
}
