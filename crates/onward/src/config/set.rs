//! How each key is set: what makes sense, and what a project's file may only tighten.

use onward_event::JobsAtEnd;
use onward_model::MaxTokensField;

use super::given::{Given, Wrong};
use super::model::{ModelName, ModelSettings};
use super::money::{MONEY, TEMPERATURE, unscaled};
use super::provider::{Provider, ProviderKind, base_url};
use super::secret::{HeaderValue, SecretRef, WRITE_A_REFERENCE};
use super::settings::{Config, MODES, freedom};
use super::source::{Source, Sourced};

type Done = Result<(), Wrong>;

pub(super) fn model(config: &mut Config, given: Given<'_>) -> Done {
    let text = given.text()?;
    // What was typed as a model is shown again; what stands in a file may be a secret in the wrong place.
    let wrong = |why: String| match given.source {
        Source::Flag(_) => Wrong::is(format!("is `{text}`, which {why}")),
        Source::Default | Source::File { .. } | Source::Variable(_) => Wrong::Is(why),
    };
    let name = text.parse::<ModelName>().map_err(wrong)?;
    config.model = Some(given.sourced(name));
    Ok(())
}

pub(super) fn mode(config: &mut Config, given: Given<'_>) -> Done {
    let mode = given.one_of(MODES.map(|mode| (mode.name(), mode)))?;
    let current = config.mode.value;
    if given.source.is_project() && freedom(mode) > freedom(current) {
        return Err(Wrong::Loosens { from: current.name().into(), to: mode.name().into() });
    }
    config.mode = given.sourced(mode);
    Ok(())
}

/// What leaves less behind is the stricter.
pub(super) fn jobs_at_end(config: &mut Config, given: Given<'_>) -> Done {
    let place = |rule| JobsAtEnd::ALL.iter().position(|other| *other == rule);
    let rule = given.one_of(JobsAtEnd::ALL.map(|rule| (rule.name(), rule)))?;
    let current = config.jobs_at_end.value;
    if given.source.is_project() && place(rule) > place(current) {
        return Err(Wrong::Loosens { from: current.name().into(), to: rule.name().into() });
    }
    config.jobs_at_end = given.sourced(rule);
    Ok(())
}

pub(super) fn data_dir(config: &mut Config, given: Given<'_>) -> Done {
    config.data_dir = Some(given.sourced(given.path()?));
    Ok(())
}

pub(super) fn provider_kind(config: &mut Config, given: Given<'_>) -> Done {
    let kind = given.one_of([("chat", ProviderKind::Chat), ("scripted", ProviderKind::Scripted)])?;
    provider(config, given)?.kind = given.sourced(kind);
    Ok(())
}

pub(super) fn provider_base_url(config: &mut Config, given: Given<'_>) -> Done {
    let url = base_url(given.text()?).map_err(Wrong::Is)?;
    provider(config, given)?.base_url = Some(given.sourced(url));
    Ok(())
}

pub(super) fn provider_key(config: &mut Config, given: Given<'_>) -> Done {
    let reference = SecretRef::parse(given.text()?, given.environment)
        .ok_or_else(|| Wrong::is(format!("is no reference: {WRITE_A_REFERENCE}")))?
        .map_err(Wrong::Is)?;
    provider(config, given)?.key = Some(given.sourced(reference));
    Ok(())
}

pub(super) fn provider_header(config: &mut Config, given: Given<'_>) -> Done {
    let name = given.name(1);
    if name.is_empty() || !name.bytes().all(|c| c.is_ascii_alphanumeric() || b"-_.!#$%&'*+^`|~".contains(&c))
    {
        return Err(Wrong::is("is no name of a header"));
    }
    let value = HeaderValue::parse(name, given.text()?, given.environment).map_err(Wrong::Is)?;
    provider(config, given)?.headers.insert(name.to_owned(), given.sourced(value));
    Ok(())
}

pub(super) fn provider_script(config: &mut Config, given: Given<'_>) -> Done {
    let path = given.path()?;
    provider(config, given)?.script = Some(given.sourced(path));
    Ok(())
}

pub(super) fn provider_max_tokens_field(config: &mut Config, given: Given<'_>) -> Done {
    let field = given.one_of([
        ("max_tokens", MaxTokensField::MaxTokens),
        ("max_completion_tokens", MaxTokensField::MaxCompletionTokens),
    ])?;
    provider(config, given)?.max_tokens_field = given.sourced(field);
    Ok(())
}

pub(super) fn model_context_window(config: &mut Config, given: Given<'_>) -> Done {
    // Below this not even the instructions fit.
    let tokens = given.count(1_024)?;
    known_model(config, given)?.context_window = Some(given.sourced(tokens));
    Ok(())
}

pub(super) fn model_max_output(config: &mut Config, given: Given<'_>) -> Done {
    let tokens = given.count(1)?;
    known_model(config, given)?.max_output = Some(given.sourced(tokens));
    Ok(())
}

pub(super) fn model_temperature(config: &mut Config, given: Given<'_>) -> Done {
    let milli = given.decimal(TEMPERATURE)?;
    let milli = u32::try_from(milli).ok().filter(|milli| *milli <= 2_000);
    let milli = milli.ok_or_else(|| Wrong::is("must be a number from 0 to 2"))?;
    known_model(config, given)?.temperature_milli = Some(given.sourced(milli));
    Ok(())
}

pub(super) fn model_reasoning_effort(config: &mut Config, given: Given<'_>) -> Done {
    let effort = given.text()?;
    if effort.is_empty() {
        return Err(Wrong::is("must not be empty; leave it out for the provider's default"));
    }
    known_model(config, given)?.reasoning_effort = Some(given.sourced(effort.to_owned()));
    Ok(())
}

pub(super) fn model_price_input(config: &mut Config, given: Given<'_>) -> Done {
    let price = given.sourced(given.decimal(MONEY)?);
    known_model(config, given)?.price.input = Some(price);
    Ok(())
}

pub(super) fn model_price_cached(config: &mut Config, given: Given<'_>) -> Done {
    let price = given.sourced(given.decimal(MONEY)?);
    known_model(config, given)?.price.cached = Some(price);
    Ok(())
}

pub(super) fn model_price_output(config: &mut Config, given: Given<'_>) -> Done {
    let price = given.sourced(given.decimal(MONEY)?);
    known_model(config, given)?.price.output = Some(price);
    Ok(())
}

/// The setter of each of these limits, with the least that it may be.
macro_rules! small_limits {
    ($($name:ident from $least:literal;)*) => {$(
        pub(super) fn $name(config: &mut Config, given: Given<'_>) -> Done {
            small_limit(&mut config.limits.$name, $least, given)
        }
    )*};
}

small_limits! {
    max_steps from 1;
    max_attempts from 1;
    max_rejections from 1;
    max_repeated_calls from 1;
    max_repeated_errors from 1;
    max_denials from 1;
    max_recoveries from 0;
    max_jobs from 0;
    max_queued_jobs from 0;
    max_session_jobs from 0;
    max_parallel_calls from 1;
    max_queued_calls from 0;
}

pub(super) fn max_tokens(config: &mut Config, given: Given<'_>) -> Done {
    limit(&mut config.limits.max_tokens, given.count(1)?, |n| n.to_string(), given)
}

pub(super) fn max_seconds(config: &mut Config, given: Given<'_>) -> Done {
    limit(&mut config.limits.max_seconds, given.count(1)?, |n| n.to_string(), given)
}

pub(super) fn max_cost(config: &mut Config, given: Given<'_>) -> Done {
    let cost = given.decimal(MONEY)?;
    if cost == 0 {
        return Err(Wrong::is("must be more than nothing"));
    }
    limit(&mut config.limits.max_cost_micros, cost, |n| unscaled(n, MONEY), given)
}

pub(super) fn shell_program(config: &mut Config, given: Given<'_>) -> Done {
    let path = given.path()?;
    config.shell.program = given.sourced(path);
    Ok(())
}

pub(super) fn shell_timeout(config: &mut Config, given: Given<'_>) -> Done {
    config.shell.timeout_seconds = given.sourced(given.count(1)?);
    Ok(())
}

pub(super) fn shell_env_pass(config: &mut Config, given: Given<'_>) -> Done {
    let names = given.list()?;
    if names.iter().any(|name| name.is_empty() || name.contains(['=', '\0'])) {
        return Err(Wrong::is("must be a list of names of environment variables"));
    }
    config.shell.env_pass = given.sourced(names);
    Ok(())
}

pub(super) fn shell_supervisor_margin(config: &mut Config, given: Given<'_>) -> Done {
    config.shell.supervisor_margin_seconds = given.sourced(given.count(1)?);
    Ok(())
}

pub(super) fn tools_enabled(config: &mut Config, given: Given<'_>) -> Done {
    let names = given.list()?;
    if names.iter().any(String::is_empty) {
        return Err(Wrong::is("must be a list of names of tools"));
    }
    if let Some((_, twice)) = names.iter().enumerate().find(|(i, name)| names[..*i].contains(name)) {
        return Err(Wrong::is(format!("has `{twice}` twice")));
    }
    if let (true, Some(current)) = (given.source.is_project(), &config.tools)
        && let Some(more) = names.iter().find(|name| !current.value.contains(name))
    {
        return Err(Wrong::Loosens { from: current.value.join(", "), to: format!("{more} as well") });
    }
    config.tools = Some(given.sourced(names));
    Ok(())
}

fn provider<'c>(config: &'c mut Config, given: Given<'_>) -> Result<&'c mut Provider, Wrong> {
    let name = given.name(0);
    if name.is_empty() || !name.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'-' || c == b'_') {
        return Err(Wrong::is("is under a name that no provider can have: letters, digits, `-` and `_`"));
    }
    Ok(config.providers.entry(name.to_owned()).or_insert_with(Provider::unset))
}

fn known_model<'c>(config: &'c mut Config, given: Given<'_>) -> Result<&'c mut ModelSettings, Wrong> {
    let name = given.name(0).parse::<ModelName>();
    let name = name.map_err(|why| Wrong::is(format!("is under a name that {why}")))?;
    Ok(config.models.entry(name).or_default())
}

fn small_limit(slot: &mut Sourced<u32>, least: u64, given: Given<'_>) -> Done {
    let value = given.count(least)?;
    let value = u32::try_from(value).map_err(|_| Wrong::is(format!("must be at most {}", u32::MAX)))?;
    *slot = given.at_most(slot.value, value, |n| n.to_string())?;
    Ok(())
}

fn limit(slot: &mut Option<Sourced<u64>>, value: u64, show: fn(u64) -> String, given: Given<'_>) -> Done {
    *slot = Some(match slot {
        Some(current) => given.at_most(current.value, value, show)?,
        None => given.sourced(value),
    });
    Ok(())
}
