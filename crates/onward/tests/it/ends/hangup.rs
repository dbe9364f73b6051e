//! A terminal that goes away: its other end is closed, and the kernel sends SIGHUP. Nothing that was said is lost.

use std::process::{Command, Stdio};

use onward_event::{ApprovalVerdict, Event};
use serde_json::{Value, json};

use crate::support::{
    Running, Sandbox, eventually, message, not_tested, pid_of_command, shown_in, waiting_command,
};

/// A conversation at a pseudo terminal, whose other end is held by `script`.
fn talk(sandbox: &Sandbox, line: &str) -> Option<Running> {
    if Command::new("script").arg("--version").output().is_err() {
        not_tested("a terminal that goes away", "there is no `script` program");
        return None;
    }
    let mut command = sandbox.program("script", &["-qec", line, "/dev/null"]);
    command.env("TERM", "xterm").env("SHELL", "/bin/sh");
    Some(sandbox.start_command(command, Stdio::piped()))
}

/// Closes the terminal, and waits until the conversation has ended in order.
fn hang_up(sandbox: &Sandbox, talk: Running) {
    talk.kill();
    eventually("the end of the conversation", || {
        (sandbox.records().kinds().last() == Some(&"owner/released")).then_some(())
    });
}

#[test]
fn while_a_command_runs_and_a_steer_was_just_typed() {
    let sandbox = Sandbox::new(&waiting_command());
    let Some(mut talk) = talk(&sandbox, "exec \"$ONWARD\" --mode auto") else { return };
    talk.expect("\r\n> ");
    talk.say("wait");
    pid_of_command(&sandbox);
    talk.say("and mind this");
    // The terminal shows what it has taken.
    talk.expect("and mind this");
    talk.expect("\r\n");
    sandbox.until("inbox/received", 2);
    hang_up(&sandbox, talk);
    let records = sandbox.records();
    assert_eq!((records.count("turn/end"), records.count("tool/start")), (0, 1), "its turn goes on later");
    assert_eq!(sandbox.read("ledger"), "");
    sandbox.write("go", "");
    assert_eq!(sandbox.run(&["resume"]).ended(0).stdout, "It went.\n");
    let records = sandbox.records();
    shown_in(&records, message(&records, "and mind this"));
    assert_eq!((records.count("tool/start"), sandbox.read("ledger").as_str()), (1, "went\n"));
    sandbox.assert_checked();
}

fn asks() -> Value {
    json!({ "steps": [
        { "calls": [{ "tool": "shell", "input": { "command": "echo one >> ledger" } }] },
        { "text": "Written." },
    ] })
}

#[test]
fn while_a_question_is_asked() {
    let sandbox = Sandbox::new(&asks());
    let Some(mut talk) = talk(&sandbox, "exec \"$ONWARD\"") else { return };
    talk.expect("\r\n> ");
    talk.say("write");
    talk.expect("shell: ");
    hang_up(&sandbox, talk);
    let records = sandbox.records();
    assert_eq!((records.count("approval/requested"), records.count("approval/resolved")), (1, 0));
    assert_eq!(sandbox.run(&["approve"]).ended(0).stdout, "Written.\n");
    let verdicts = sandbox.records().all(|event| match event {
        Event::ApprovalResolved(answer) => Some(answer.verdict),
        _ => None,
    });
    assert_eq!((verdicts, sandbox.read("ledger").as_str()), (vec![ApprovalVerdict::Approve], "one\n"));
    sandbox.assert_checked();
}

#[test]
fn at_the_prompt() {
    let sandbox = Sandbox::new(&json!({ "final": "Heard." }));
    let Some(mut talk) = talk(&sandbox, "exec \"$ONWARD\"") else { return };
    talk.expect("\r\n> ");
    talk.say("hello");
    talk.expect("Heard.");
    talk.expect("\r\n> ");
    hang_up(&sandbox, talk);
    assert_eq!(sandbox.run(&["send", "hello again"]).ended(0).stdout, "Heard.\n");
    sandbox.assert_checked();
}
