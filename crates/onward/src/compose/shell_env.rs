//! The environment of commands: an allow-list, so that keys in the person's environment do not reach what a model runs.

use crate::config::Environment;

/// Variables that commands see: who and where, language, and where toolchains live.
const PASSED: &[&str] = &[
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "LANGUAGE",
    "TZ",
    "TMPDIR",
    "CI",
    "CARGO_HOME",
    "RUSTUP_HOME",
    "RUSTUP_TOOLCHAIN",
    "GOPATH",
    "GOROOT",
    "JAVA_HOME",
    "NODE_PATH",
    "NVM_DIR",
    "PYENV_ROOT",
    "VIRTUAL_ENV",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_RUNTIME_DIR",
];

/// The variables of a command: the passed ones, those of the language, those that the person names, and a terminal
/// that can do nothing.
pub(crate) fn shell_environment(environment: &Environment, named: &[String]) -> Vec<(String, String)> {
    let wanted = |name: &str| {
        PASSED.contains(&name) || name.starts_with("LC_") || named.iter().any(|wanted| wanted == name)
    };
    let passed = environment.vars.iter().filter(|(name, _)| wanted(name) && name.as_str() != "TERM");
    let mut all: Vec<_> = passed.map(|(name, value)| (name.clone(), value.clone())).collect();
    all.push(("TERM".into(), "dumb".into()));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_do_not_reach_commands_unless_they_are_named() {
        let pairs = [
            ("PATH", "/bin"),
            ("OPENAI_API_KEY", "k"),
            ("DEPLOY_TOKEN", "t"),
            ("LC_ALL", "C"),
            ("TERM", "xterm"),
        ];
        let vars = pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        let environment = Environment { vars, home: None, cwd: "/".into() };
        let names = |named: &[String]| -> Vec<String> {
            shell_environment(&environment, named).into_iter().map(|(name, _)| name).collect()
        };
        assert_eq!(names(&[]), ["LC_ALL", "PATH", "TERM"]);
        assert_eq!(names(&["DEPLOY_TOKEN".into()]), ["DEPLOY_TOKEN", "LC_ALL", "PATH", "TERM"]);
    }
}
