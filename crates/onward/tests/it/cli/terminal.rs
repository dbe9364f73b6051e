//! At a terminal: a pseudo terminal made by `script`. Colours, and Ctrl-C as the terminal sends it.

use std::process::{Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::support::{
    Done, Running, Sandbox, eventually, not_tested, one_command, pid_of_command, waiting_command,
};

/// Starts a line of shell at a terminal; `None` where there is no `script`.
fn start(sandbox: &Sandbox, line: &str, variables: &[(&str, &str)]) -> Option<Running> {
    if Command::new("script").arg("--version").output().is_err() {
        not_tested("behaviour at a terminal", "there is no `script` program");
        return None;
    }
    let mut command = sandbox.program("script", &["-qec", line, "/dev/null"]);
    command.env("TERM", "xterm").env("SHELL", "/bin/sh").envs(variables.iter().copied());
    Some(sandbox.start_command(command, Stdio::piped()))
}

fn run(sandbox: &Sandbox, line: &str, variables: &[(&str, &str)]) -> Option<Done> {
    Some(start(sandbox, line, variables)?.wait().ended(0))
}

#[test]
fn colour_only_at_a_terminal_that_wants_it() {
    let sandbox = Sandbox::new(&one_command());
    // What is typed at the terminal is no part of the task.
    let line = r#""$ONWARD" exec --mode auto ask </dev/null"#;
    let Some(plain) = run(&sandbox, line, &[]) else { return };
    assert!(plain.stdout.contains("\u{1b}[1m● shell"), "{plain:?}");
    for variable in [("NO_COLOR", "1"), ("TERM", "dumb")] {
        let done = run(&sandbox, line, &[variable]).unwrap();
        assert!(done.stdout.contains("● shell") && !done.stdout.contains('\u{1b}'), "{variable:?}: {done:?}");
    }
    for view in ["show", "log", "sessions"] {
        let line = format!("\"$ONWARD\" {view} | cat");
        let piped = run(&sandbox, &line, &[]).unwrap();
        assert!(!piped.stdout.contains('\u{1b}'), "{view}: {piped:?}");
    }
}

#[test]
fn what_comes_from_outside_cannot_steer_the_terminal() {
    let attack = "a\u{1b}]52;c;aGk=\u{7}b\u{9b}6n\u{202e}c";
    let sandbox = Sandbox::new(&json!({ "final": attack }));
    let Some(done) = run(&sandbox, r#""$ONWARD" exec speak </dev/null; "$ONWARD" show; "$ONWARD" log"#, &[])
    else {
        return;
    };
    assert!(!done.stdout.contains(['\u{7}', '\u{9b}', '\u{202e}']), "{done:?}");
    assert!(!done.stdout.contains("\u{1b}]"), "{done:?}");
    assert!(done.stdout.contains("␛]52;c;aGk=␇b"), "{done:?}");
}

#[test]
fn a_conversation_at_a_terminal_is_interrupted_and_goes_on() {
    let sandbox = Sandbox::new(&waiting_command());
    let Some(mut talk) = start(&sandbox, "echo $$ > shell; exec \"$ONWARD\" --mode auto", &[]) else {
        return;
    };
    talk.expect("\r\n> ");
    talk.say("wait");
    pid_of_command(&sandbox);
    let pid = eventually("its process", || Pid::from_raw(sandbox.read("shell").trim().parse().ok()?));
    kill_process(pid, Signal::INT).unwrap();
    talk.expect("it was interrupted");
    talk.expect("\r\n> ");
    sandbox.set_script(&json!({ "final": "never read: the script is read once" }));
    talk.say("/quit");
    talk.wait().ended(0);
    assert_eq!(sandbox.records().kinds().last(), Some(&"owner/released"));
    sandbox.assert_checked();
}

#[test]
fn what_a_command_prints_cannot_steer_the_terminal() {
    let print = r"printf 'a\033]52;c;aGk=\007b\033[6nc\033[21td\033[31mred\033[0m\r\n'
        printf '\302\2336n\302\2350;t\233c\235\220q\033Pq\033_x\033]0;never ends\n'; printf 'after it\b\b\rover\n'";
    let call = json!({ "tool": "shell", "input": { "command": print } });
    let sandbox = Sandbox::new(&json!({ "steps": [{ "calls": [call] }], "final": "done" }));
    let line =
        r#""$ONWARD" exec --mode auto ask </dev/null; "$ONWARD" show; "$ONWARD" log; "$ONWARD" log --json"#;
    for done in
        [Some(sandbox.shell(line).ended(0)), run(&sandbox, line, &[("NO_COLOR", "1")])].into_iter().flatten()
    {
        let seen = format!("{}{}", done.stdout, done.stderr).replace("\r\n", "\n");
        let control = |c: char| c.is_control() && c != '\n' && c != '\t';
        assert!(!seen.contains(control), "{seen:?}");
        for shown in ["a␛]52;c;aGk=␇b␛[6nc␛[21tdred", "<9b>6n<9d>0;t", "␛]0;never ends", "after it␈␈␍over"]
        {
            assert!(seen.contains(shown), "no {shown} in {seen}");
        }
    }
}

/// A folder whose configuration asks for a limit of its own.
fn with_project() -> Sandbox {
    let sandbox = Sandbox::new(&json!({ "final": "never asked" }));
    std::fs::create_dir(sandbox.workspace().join(".onward")).unwrap();
    sandbox.write(".onward/config.toml", "limits.max_steps = 7\n");
    sandbox
}

fn has_effect(sandbox: &Sandbox) -> bool {
    let config = sandbox.run(&["config"]).ended(0).stdout;
    let line = config.lines().find(|line| line.starts_with("limits.max_steps ")).unwrap();
    !line.contains(" 200 ")
}

/// The question what a folder's configuration may do, up to where it is typed; `None` where there is no terminal.
fn asked_for_trust(sandbox: &Sandbox) -> Option<Running> {
    let mut talk = start(sandbox, "exec \"$ONWARD\"", &[])?;
    talk.expect("limits.max_steps = 7");
    talk.expect("Let it take effect? [y/N] ");
    Some(talk)
}

fn leaves(mut talk: Running) {
    talk.expect("\r\n> ");
    talk.say("/quit");
    talk.wait().ended(0);
}

#[test]
fn only_a_yes_lets_a_folders_configuration_take_effect() {
    for (answer, effect) in [("y", true), ("yes", true), ("n", false), ("", false), ("yes, why not", false)] {
        let sandbox = with_project();
        let Some(mut talk) = asked_for_trust(&sandbox) else { return };
        assert!(!has_effect(&sandbox), "before the answer");
        talk.say(answer);
        leaves(talk);
        assert_eq!(has_effect(&sandbox), effect, "{answer:?}");
    }
}

#[test]
fn whoever_leaves_at_the_question_has_not_agreed() {
    let sandbox = with_project();
    let Some(mut talk) = asked_for_trust(&sandbox) else { return };
    // The end of input, as Ctrl-D sends it at the beginning of a line.
    talk.type_text("\u{4}");
    talk.wait();
    assert!(!has_effect(&sandbox));
}

#[test]
fn a_configuration_that_changes_is_asked_about_again() {
    let sandbox = with_project();
    let Some(mut talk) = asked_for_trust(&sandbox) else { return };
    talk.say("y");
    leaves(talk);
    // Nobody asks about what was agreed to.
    leaves(start(&sandbox, "exec \"$ONWARD\"", &[]).unwrap());
    sandbox.write(".onward/config.toml", "limits.max_steps = 7\nlimits.max_attempts = 3\n");
    assert!(!has_effect(&sandbox));
    let mut talk = asked_for_trust(&sandbox).unwrap();
    talk.say("n");
    leaves(talk);
    assert!(!has_effect(&sandbox));
}

/// What was shown is what was agreed to.
#[test]
fn a_configuration_that_changes_while_it_is_asked_about_has_no_effect() {
    let sandbox = with_project();
    let Some(mut talk) = asked_for_trust(&sandbox) else { return };
    sandbox.write(".onward/config.toml", "limits.max_steps = 8\n");
    talk.say("y");
    leaves(talk);
    assert!(!has_effect(&sandbox));
}

/// Commands that are asked about: the first waits, the second leaves a line.
fn two_questions() -> Value {
    let call = |command: &str| json!({ "calls": [{ "tool": "shell", "input": { "command": command } }] });
    json!({ "steps": [
        call("echo $$ > pid; while [ ! -e go ]; do sleep 0.05; done; echo one >> ledger"),
        call("echo two >> ledger"),
        { "text": "Done." },
    ] })
}

/// What is typed before a question is there cannot be its answer.
#[test]
fn what_was_typed_ahead_approves_nothing() {
    let sandbox = Sandbox::new(&two_questions());
    let Some(mut talk) = start(&sandbox, "exec \"$ONWARD\"", &[]) else { return };
    talk.expect("\r\n> ");
    talk.say("work");
    talk.expect("shell: ");
    talk.say("1");
    pid_of_command(&sandbox);
    talk.say("1");
    sandbox.until("inbox/received", 2);
    sandbox.write("go", "");
    sandbox.until("approval/requested", 2);
    talk.expect("shell: ");
    talk.say("/quit");
    talk.wait().ended(0);
    assert_eq!(sandbox.records().count("approval/resolved"), 1);
    assert_eq!(sandbox.read("ledger"), "one\n");
    sandbox.assert_checked();
}
