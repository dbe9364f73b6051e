//! Every key there is, as a table: its path, its variable, what a project's file may do with it, and how it is set.

use super::given::{Given, Wrong};
use super::settings::Config;
use super::{sandbox, set};

/// What a project's file may do with a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProjectMay {
    /// Set it.
    Set,
    /// Set it to what is at least as strict as what holds without the file; the setter sees to it.
    Tighten,
    /// Nothing: it says where requests go, what they carry, or what runs.
    Not,
}

/// One key.
pub(super) struct Key {
    /// The segments of its path; `*` stands for a name that the person chooses.
    pub(super) path: &'static [&'static str],
    /// The variable that sets it.
    pub(super) variable: Option<&'static str>,
    /// What a project's file may do with it.
    pub(super) project: ProjectMay,
    /// Takes a value into the configuration.
    pub(super) set: fn(&mut Config, Given<'_>) -> Result<(), Wrong>,
}

/// What a path leads to.
pub(super) enum Found {
    /// A key, and what stands for its stars.
    Key(&'static Key, Vec<String>),
    /// A table with keys in it.
    Table,
    /// Nothing; these are the names that could stand in its last place.
    Nothing(Vec<&'static str>),
}

use ProjectMay::{Not, Set, Tighten};

/// The table.
pub(super) const KEYS: &[Key] = &[
    key(&["model"], Some("ONWARD_MODEL"), Set, set::model),
    key(&["mode"], Some("ONWARD_MODE"), Tighten, set::mode),
    key(&["data_dir"], Some("ONWARD_DATA_DIR"), Not, set::data_dir),
    key(&["providers", "*", "kind"], None, Not, set::provider_kind),
    key(&["providers", "*", "base_url"], None, Not, set::provider_base_url),
    key(&["providers", "*", "key"], None, Not, set::provider_key),
    key(&["providers", "*", "headers", "*"], None, Not, set::provider_header),
    key(&["providers", "*", "script"], None, Not, set::provider_script),
    key(&["providers", "*", "max_tokens_field"], None, Not, set::provider_max_tokens_field),
    key(&["models", "*", "context_window"], None, Set, set::model_context_window),
    key(&["models", "*", "max_output"], None, Set, set::model_max_output),
    key(&["models", "*", "temperature"], None, Set, set::model_temperature),
    key(&["models", "*", "reasoning_effort"], None, Set, set::model_reasoning_effort),
    key(&["models", "*", "price", "input"], None, Not, set::model_price_input),
    key(&["models", "*", "price", "cached"], None, Not, set::model_price_cached),
    key(&["models", "*", "price", "output"], None, Not, set::model_price_output),
    key(&["limits", "max_steps"], Some("ONWARD_MAX_STEPS"), Tighten, set::max_steps),
    key(&["limits", "max_tokens"], Some("ONWARD_MAX_TOKENS"), Tighten, set::max_tokens),
    key(&["limits", "max_seconds"], Some("ONWARD_MAX_SECONDS"), Tighten, set::max_seconds),
    key(&["limits", "max_cost"], Some("ONWARD_MAX_COST"), Tighten, set::max_cost),
    key(&["limits", "max_attempts"], Some("ONWARD_MAX_ATTEMPTS"), Tighten, set::max_attempts),
    key(&["limits", "max_rejections"], Some("ONWARD_MAX_REJECTIONS"), Tighten, set::max_rejections),
    key(
        &["limits", "max_repeated_calls"],
        Some("ONWARD_MAX_REPEATED_CALLS"),
        Tighten,
        set::max_repeated_calls,
    ),
    key(
        &["limits", "max_repeated_errors"],
        Some("ONWARD_MAX_REPEATED_ERRORS"),
        Tighten,
        set::max_repeated_errors,
    ),
    key(&["limits", "max_denials"], Some("ONWARD_MAX_DENIALS"), Tighten, set::max_denials),
    key(&["limits", "max_recoveries"], Some("ONWARD_MAX_RECOVERIES"), Tighten, set::max_recoveries),
    key(&["limits", "max_jobs"], Some("ONWARD_MAX_JOBS"), Tighten, set::max_jobs),
    key(&["limits", "max_queued_jobs"], Some("ONWARD_MAX_QUEUED_JOBS"), Tighten, set::max_queued_jobs),
    key(&["limits", "max_session_jobs"], Some("ONWARD_MAX_SESSION_JOBS"), Tighten, set::max_session_jobs),
    key(
        &["limits", "max_parallel_calls"],
        Some("ONWARD_MAX_PARALLEL_CALLS"),
        Tighten,
        set::max_parallel_calls,
    ),
    key(&["limits", "max_queued_calls"], Some("ONWARD_MAX_QUEUED_CALLS"), Tighten, set::max_queued_calls),
    key(&["jobs", "at_end"], Some("ONWARD_JOBS_AT_END"), Tighten, set::jobs_at_end),
    key(&["shell", "program"], Some("ONWARD_SHELL_PROGRAM"), Not, set::shell_program),
    key(&["shell", "timeout_seconds"], Some("ONWARD_SHELL_TIMEOUT_SECONDS"), Set, set::shell_timeout),
    key(
        &["shell", "supervisor_margin_seconds"],
        Some("ONWARD_SHELL_SUPERVISOR_MARGIN_SECONDS"),
        Not,
        set::shell_supervisor_margin,
    ),
    key(&["shell", "env", "pass"], None, Not, set::shell_env_pass),
    key(&["sandbox", "tier"], Some("ONWARD_SANDBOX_TIER"), Not, sandbox::tier),
    key(&["sandbox", "network"], Some("ONWARD_SANDBOX_NETWORK"), Tighten, sandbox::network),
    key(&["sandbox", "writable"], None, Not, sandbox::writable),
    key(&["sandbox", "hidden"], None, Not, sandbox::hidden),
    key(&["sandbox", "memory_mib"], Some("ONWARD_SANDBOX_MEMORY_MIB"), Tighten, sandbox::memory),
    key(&["sandbox", "processes"], Some("ONWARD_SANDBOX_PROCESSES"), Tighten, sandbox::processes),
    key(&["sandbox", "file_mib"], Some("ONWARD_SANDBOX_FILE_MIB"), Tighten, sandbox::file),
    key(&["sandbox", "open_files"], Some("ONWARD_SANDBOX_OPEN_FILES"), Tighten, sandbox::open_files),
    key(&["sandbox", "temporary_mib"], Some("ONWARD_SANDBOX_TEMPORARY_MIB"), Tighten, sandbox::temporary),
    key(&["tools", "enabled"], Some("ONWARD_TOOLS"), Tighten, set::tools_enabled),
];

const fn key(
    path: &'static [&'static str],
    variable: Option<&'static str>,
    project: ProjectMay,
    set: fn(&mut Config, Given<'_>) -> Result<(), Wrong>,
) -> Key {
    Key { path, variable, project, set }
}

/// What a path leads to.
pub(super) fn find(path: &[String]) -> Found {
    let mut is_table = false;
    let mut siblings = Vec::new();
    for key in KEYS {
        if agrees(key.path, path) {
            if key.path.len() == path.len() {
                return Found::Key(key, names(key.path, path));
            }
            is_table = true;
        }
        let parent = path.len().saturating_sub(1);
        if let (Some(sibling), true) = (key.path.get(parent), agrees(key.path, &path[..parent])) {
            siblings.push(*sibling);
        }
    }
    siblings.dedup();
    if is_table { Found::Table } else { Found::Nothing(siblings) }
}

/// The key that a variable sets.
pub(super) fn of_variable(name: &str) -> Option<&'static Key> {
    KEYS.iter().find(|key| key.variable == Some(name))
}

/// The path of a key, as it is written in a file.
pub(super) fn written(path: &[String]) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let quoted = |segment: &String| match segment.chars().all(bare) && !segment.is_empty() {
        true => segment.clone(),
        false => format!("\"{segment}\""),
    };
    path.iter().map(quoted).collect::<Vec<_>>().join(".")
}

/// Whether the pattern begins with this path.
fn agrees(pattern: &[&str], path: &[String]) -> bool {
    path.len() <= pattern.len()
        && pattern.iter().zip(path).all(|(segment, given)| *segment == "*" || segment == given)
}

fn names(pattern: &[&str], path: &[String]) -> Vec<String> {
    pattern.iter().zip(path).filter(|(segment, _)| **segment == "*").map(|(_, given)| given.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &[&str]) -> Found {
        find(&path.iter().map(|segment| (*segment).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn paths_lead_to_keys_tables_or_nothing() {
        assert!(matches!(found(&["providers", "mine", "headers", "X-Title"]),
            Found::Key(_, names) if names == ["mine", "X-Title"]));
        assert!(matches!(found(&["models", "a/b", "price"]), Found::Table));
        assert!(
            matches!(found(&["limits", "max_step"]), Found::Nothing(near) if near.contains(&"max_steps"))
        );
        assert!(matches!(found(&["limits", "max_steps", "x"]), Found::Nothing(near) if near.is_empty()));
        assert!(matches!(found(&["limit"]), Found::Nothing(near) if near.contains(&"limits")));
    }

    #[test]
    fn no_two_keys_share_a_path_or_a_variable() {
        for (i, key) in KEYS.iter().enumerate() {
            for other in &KEYS[i + 1..] {
                assert_ne!(key.path, other.path);
                assert!(key.variable.is_none() || key.variable != other.variable, "{:?}", key.variable);
                let (short, long) = (key.path.len().min(other.path.len()), &key.path);
                assert!(
                    key.path.len() == other.path.len() || key.path[..short] != other.path[..short],
                    "{long:?}"
                );
            }
        }
    }

    #[test]
    fn a_path_is_written_as_in_a_file() {
        assert_eq!(written(&["models".into(), "a/b.1".into(), "price".into()]), "models.\"a/b.1\".price");
    }
}
