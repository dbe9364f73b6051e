//! Names that mean more to a shell than a program: reserved words, builtins, variables.

/// Words of the grammar of bash, dash or zsh.
const RESERVED: &[&str] = &[
    "!",
    "{",
    "}",
    "[[",
    "]]",
    "((",
    "))",
    "case",
    "coproc",
    "do",
    "done",
    "elif",
    "else",
    "end",
    "esac",
    "fi",
    "for",
    "foreach",
    "function",
    "if",
    "in",
    "namespace",
    "nocorrect",
    "noglob",
    "repeat",
    "select",
    "then",
    "time",
    "until",
    "while",
    "-",
];

/// Builtins that run text as commands, or change what later words mean.
const SHAPING: &[&str] = &[
    ".",
    "alias",
    "autoload",
    "bind",
    "break",
    "compgen",
    "complete",
    "compopt",
    "continue",
    "declare",
    "emulate",
    "enable",
    "eval",
    "exec",
    "export",
    "fc",
    "getopts",
    "hash",
    "history",
    "let",
    "local",
    "mapfile",
    "read",
    "readarray",
    "readonly",
    "return",
    "set",
    "setopt",
    "shift",
    "shopt",
    "source",
    "trap",
    "typeset",
    "unalias",
    "unset",
    "unsetopt",
    "vared",
    "zcompile",
    "zmodload",
];

/// Builtins that have no program of that name everywhere.
const BUILTIN_ONLY: &[&str] = &[
    ":", "bg", "builtin", "caller", "cd", "command", "dirs", "disown", "exit", "fg", "jobs", "logout",
    "popd", "pushd", "suspend", "times", "type", "ulimit", "umask", "wait",
];

/// Variables by which a shell, a loader or a common tool finds or runs code. A `*` at an end stands for any rest.
const STEERING: &[&str] = &[
    "*EDITOR",
    "*PAGER",
    "*PRELOAD*",
    "*_ASKPASS",
    "*_OPTIONS",
    "*_OPTS",
    "*_RC",
    "*_WRAPPER",
    "BASH*",
    "BROWSER",
    "BUN_*",
    "CARGO_*",
    "CC",
    "CDPATH",
    "COMSPEC",
    "CXX",
    "DENO_*",
    "DYLD_*",
    "ENV",
    "FCEDIT",
    "GCONV_PATH",
    "GIT_*",
    "GLOBIGNORE",
    "GO*",
    "HISTFILE",
    "HOME",
    "IFS",
    "JAVA_*",
    "LD_*",
    "LESSCLOSE",
    "LESSOPEN",
    "LOCPATH",
    "LUA*",
    "MAKE*",
    "MALLOC_*",
    "NLSPATH",
    "NODE_*",
    "NPM_*",
    "OPENSSL_*",
    "OPTIND",
    "PATH",
    "PERL*",
    "PHP*",
    "POSIXLY_CORRECT",
    "PROMPT_COMMAND",
    "PS4",
    "PYTHON*",
    "RIPGREP_CONFIG_PATH",
    "RUBY*",
    "RUSTC*",
    "RUSTDOC*",
    "RUSTFLAGS",
    "SHELL",
    "SHELLOPTS",
    "SSH_*",
    "SSL_*",
    "SUDO_*",
    "TAR_*",
    "TMPDIR",
    "XDG_*",
    "ZDOTDIR",
    "npm_*",
];

/// Whether `name` is a word of the grammar.
pub(super) fn is_reserved(name: &str) -> bool {
    RESERVED.contains(&name)
}

/// Whether `name` is a builtin that changes the meaning of what follows.
pub(super) fn shapes(name: &str) -> bool {
    SHAPING.contains(&name)
}

/// Whether only a shell can run `name`.
pub(super) fn is_builtin_only(name: &str) -> bool {
    BUILTIN_ONLY.contains(&name)
}

/// Whether `name` changes the working directory.
pub(super) fn moves(name: &str) -> bool {
    matches!(name, "cd" | "chdir" | "pushd" | "popd")
}

/// Whether `name` is a shell, whatever folder it is in.
pub(super) fn is_shell(name: &str) -> bool {
    matches!(base(name), "sh" | "bash" | "dash" | "ash" | "zsh" | "ksh" | "mksh" | "rbash" | "yash" | "posh")
}

/// Whether setting the variable can make a program run other code.
pub(super) fn steers(variable: &str) -> bool {
    STEERING.iter().any(|pattern| match (pattern.strip_prefix('*'), pattern.strip_suffix('*')) {
        (Some(_), Some(_)) => variable.contains(pattern.trim_matches('*')),
        (Some(end), None) => variable.ends_with(end),
        (None, Some(start)) => variable.starts_with(start),
        (None, None) => variable == *pattern,
    })
}

/// Whether a variable may have this name.
pub(super) fn is_variable(name: &str) -> bool {
    let mut characters = name.chars();
    characters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && characters.all(|character| character.is_ascii_alphanumeric() || character == '_')
}

/// The last part of a path.
pub(super) fn base(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or(program)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_that_steer_programs_are_known() {
        for name in ["PATH", "LD_PRELOAD", "GIT_SSH_COMMAND", "MANPAGER", "BASH_ENV", "NODE_OPTIONS", "IFS"] {
            assert!(steers(name), "{name}");
        }
        for name in ["LANG", "NO_COLOR", "FOO", "TZ", "PATHS", "CI"] {
            assert!(!steers(name), "{name}");
        }
    }

    #[test]
    fn names_of_variables() {
        assert!(is_variable("_a1") && is_variable("A"));
        assert!(!is_variable("") && !is_variable("1a") && !is_variable("a-b") && !is_variable("ä"));
    }
}
