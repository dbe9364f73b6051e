//! What the model says in many tests, and how such a test sees where the command is.

use rustix::process::Pid;
use serde_json::{Value, json};

use super::processes::{kill_supervisor, process_known_as};
use super::{Sandbox, eventually};

/// One command, then an answer; what is reported as used is fixed, so that it can be shown.
pub(crate) fn one_command() -> Value {
    json!({ "steps": [
        { "text": "I ask the shell.", "calls": [{ "tool": "shell", "input": { "command": "echo hello" } }],
          "usage": { "input": 100, "cached": 20, "output": 10 } },
        { "text": "It says hello.", "usage": { "input": 200, "output": 5 } },
    ] })
}

/// A model that never answers.
pub(crate) fn hanging() -> Value {
    json!({ "steps": [{ "text": "never said", "hang": true }] })
}

/// A command that says where it runs, and waits for the file `go`.
pub(crate) fn waiting_command() -> Value {
    json!({ "steps": [
        { "calls": [{ "tool": "shell", "input": {
            "command": "echo $$ > pid; while [ ! -e go ]; do sleep 0.05; done; echo went >> ledger" } }] },
        { "text": "It went." },
    ] })
}

/// The process of the waiting command.
pub(crate) fn pid_of_command(sandbox: &Sandbox) -> Pid {
    let number = eventually("the command runs", || sandbox.read("pid").trim().parse().ok());
    process_known_as(sandbox, number)
}

/// A command that has an effect and goes on, until whoever would hear of its end is killed: see [`kill_its_supervisor`].
pub(crate) fn fatal_command() -> Value {
    json!({ "steps": [
        { "text": "I tag it.",
          "calls": [{ "tool": "shell", "input": { "command": "echo tagged >> ledger; sleep 60" } }] },
        { "text": "I go on." },
    ] })
}

/// Kills the supervisor of the fatal command, once it has had its effect.
pub(crate) fn kill_its_supervisor(sandbox: &Sandbox) {
    eventually("the effect", || (sandbox.read("ledger") == "tagged\n").then_some(()));
    kill_supervisor(sandbox);
}
