//! One command in many spellings: what is denied stays denied, and what is not understood is asked about.

use onward_event::{Mode, Verdict};
use onward_policy::{Layer, LayeredPolicy};

use crate::support::{Ask, Deny, Desk, contained, rules};

/// Looking is allowed, removing is denied, and so is whatever runs code in the tests.
const RULES: &str = "
    [[rule]]
    id = 'shows'
    effect = 'allow'
    argv = [['ls', 'cat', 'echo', 'sh', 'bash', 'sudo', 'env', 'watch', 'ionice', 'setsid', 'nice', 'timeout'], '...']
    [[rule]]
    id = 'no-rm'
    effect = 'deny'
    argv = ['rm', '...']
";

fn verdict(script: &str) -> Verdict {
    let desk = Desk::new();
    desk.run(&rules(Layer::User, RULES), contained(Mode::Normal), script).verdict
}

/// SHELL-15
#[test]
fn a_denial_holds_behind_every_wrapper() {
    for wrapper in [
        "sudo",
        "sudo -u nobody",
        "sudo -n --",
        "watch",
        "watch -n 1",
        "ionice",
        "ionice -c 3",
        "setsid",
        "setsid -f",
        "nice",
        "nice -n 5",
        "timeout 5",
        "timeout -k 1 5s",
        "nohup",
        "env",
        "env A=1",
        "env -i",
        "stdbuf -oL",
        "time",
        "command",
        "exec",
        "xargs",
        "xargs -n 1",
        "find . -exec",
        "/usr/bin/env",
        "sudo nice timeout 5",
    ] {
        assert_eq!(verdict(&format!("{wrapper} rm -r src")), Deny, "{wrapper}");
    }
    for script in ["sh -c 'rm -r src'", "bash -lc 'ls; rm -r src'", "env sh -c \"sh -c 'rm x'\"", "eval rm x"]
    {
        assert_eq!(verdict(script), Deny, "{script}");
    }
}

/// SHELL-24
#[test]
fn a_word_over_two_lines_is_one_word() {
    for script in ["r\\\nm -rf src", "r\\m -rf src", "'r'm -rf src", "r\"\"m -rf src", "ls && \\\nrm -rf src"]
    {
        assert_eq!(verdict(script), Deny, "{script:?}");
    }
}

/// SHELL-30
#[test]
fn a_text_in_a_script_is_asked_about_and_still_denied() {
    assert_eq!(verdict("cat <<END\nplain words\nEND"), Ask);
    for script in [
        "cat <<END\n$(rm -rf src)\nEND",
        "cat <<END\n`rm -rf src`\nEND",
        "cat <<A <<B\na\nA\nb\nB\nrm -rf src",
        "sh <<END\nrm -rf src\nEND",
        "cat <<'END'\nwords\nEND\nrm -rf src",
    ] {
        assert_eq!(verdict(script), Deny, "{script:?}");
    }
}

/// SHELL-31
#[test]
fn what_another_shell_would_run_is_asked_about() {
    for script in [
        "=ls",
        "echo =ls",
        "ls *(e:id:)",
        "ls **/*(.)",
        "[[ x =~ $(id) ]]",
        "[[ -v a[$(id)] ]]",
        "echo ${(e)x}",
        "echo <(id)",
        "echo $((a[$(id)]))",
        "noglob ls",
        "- ls",
    ] {
        assert!(verdict(script) >= Ask, "{script}");
    }
}

/// SHELL-39
#[test]
fn programs_that_show_help_are_asked_about() {
    let desk = Desk::new();
    let policy = LayeredPolicy::new();
    for script in [
        "man ls",
        "man -P ./evil ls",
        "man --html=./evil ls",
        "help ls",
        "info ls",
        "less README.md",
        "more README.md",
        "git help log",
        "git log --help",
        "PAGER=./evil man ls",
        "GIT_PAGER=./evil git log",
    ] {
        assert_eq!(desk.run(&policy, contained(Mode::Normal), script).verdict, Ask, "{script}");
    }
}
