//! `shell`: how the end of a command is told.

use std::time::Duration;

use onward_event::{Handle, OnUnknown, Recovery, Risk, Semantics, ToolStart};
use onward_port::{Attached, ToolOutcome};
use onward_tools::ToolLimits;
use serde_json::{Value, json};

use crate::desk::Desk;

fn command(text: &str) -> Value {
    json!({ "command": text })
}

/// Runs a command that is stopped as soon as the file `ready` exists.
async fn stopped_when_ready(desk: &Desk, text: &str) -> ToolOutcome {
    let (ready, cancel) = (desk.at("ready"), desk.cancel.clone());
    let stop = async {
        while !ready.exists() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        cancel.stop();
    };
    tokio::join!(desk.outcome("shell", command(text)), stop).0
}

#[tokio::test]
async fn the_end_of_a_command_is_told() {
    let desk = Desk::new();
    insta::assert_snapshot!(desk.call("shell", command("echo hello")).await, @r#"
    (ok) exit code 0
    hello
    "#);
    insta::assert_snapshot!(desk.call("shell", command("true")).await, @r#"
    (ok) exit code 0
    (no output)
    "#);
    insta::assert_snapshot!(desk.call("shell", command("echo oh >&2; exit 3")).await, @r#"
    (error exit_code) exit code 3
    oh
    "#);
    insta::assert_snapshot!(desk.call("shell", command("kill -9 $$")).await, @r#"
    (error killed_by_signal) killed by signal 9 (SIGKILL)
    (no output)
    "#);
    insta::assert_snapshot!(desk.call("shell", command("echo a; kill -TERM $$")).await, @r#"
    (error killed_by_signal) killed by signal 15 (SIGTERM)
    a
    "#);
    assert!(
        desk.call("shell", command("no-such-program")).await.starts_with("(error exit_code) exit code 127\n")
    );
}

#[tokio::test]
async fn the_plan_shows_the_command_and_the_folder() {
    let desk = Desk::new();
    std::fs::create_dir(desk.at("sub")).unwrap();
    let plan = desk.plan("shell", json!({ "command": "make\nmake install", "dir": "sub" })).await.unwrap();
    assert_eq!(plan.risk, Risk::Shell);
    assert_eq!(plan.semantics, Semantics::Possible(Recovery::Manual(OnUnknown::Ask)));
    insta::assert_snapshot!(desk.redacted(&plan.preview), @r#"
    $ make
    make install
    in <root>/sub, for at most 120 s
    "#);
    insta::assert_snapshot!(desk.call("shell", json!({ "command": "ls", "dir": "nowhere" })).await, @"(error not_found) not_found: `nowhere` does not exist; use `list` or `glob` to see what there is");
    desk.file("file", "");
    insta::assert_snapshot!(desk.call("shell", json!({ "command": "ls", "dir": "file" })).await, @"(error not_a_directory) not_a_directory: `file` is no folder; use `read` to see what is in it");
}

#[tokio::test]
async fn folder_input_and_environment_are_as_given() {
    let desk = Desk::in_folder("w", "sub", ToolLimits::default());
    std::fs::create_dir(desk.at("other")).unwrap();
    assert_eq!(desk.call("shell", command("pwd")).await, "(ok) exit code 0\n<root>/sub");
    assert_eq!(
        desk.call("shell", json!({ "command": "pwd", "dir": "../other" })).await,
        "(ok) exit code 0\n<root>/other"
    );
    assert_eq!(desk.call("shell", command("cat; echo end")).await, "(ok) exit code 0\nend");
    let environment =
        desk.call("shell", command("env | grep -v -e ^PWD= -e ^SHLVL= -e ^_= -e ^OLDPWD= | sort")).await;
    assert_eq!(environment, "(ok) exit code 0\nLC_ALL=C\nPATH=/usr/local/bin:/usr/bin:/bin");
}

#[tokio::test]
async fn output_and_errors_come_in_the_order_of_writing() {
    let desk = Desk::new();
    let text = desk.call("shell", command("for i in 1 2 3; do echo out $i; echo err $i >&2; done")).await;
    assert_eq!(text, "(ok) exit code 0\nout 1\nerr 1\nout 2\nerr 2\nout 3\nerr 3");
}

#[tokio::test]
async fn a_timeout_is_told_with_what_came_before() {
    let desk = Desk::new();
    let input = json!({ "command": "echo begun; sleep 300", "timeout_seconds": 1 });
    insta::assert_snapshot!(desk.call("shell", input).await, @r#"
    (timeout) timed out after 1 s; every process of the command was ended. What it did until then stays done
    begun
    "#);
}

#[tokio::test]
async fn a_request_to_stop_is_told_with_what_came_before() {
    let desk = Desk::new();
    let outcome = stopped_when_ready(&desk, "echo begun; touch ready; sleep 300").await;
    insta::assert_snapshot!(desk.shown(&outcome), @r#"
    (cancelled) stopped on request; every process of the command was ended. What it did until then stays done
    begun
    "#);
}

#[tokio::test]
async fn a_call_without_an_execution_runs_nothing_and_is_never_found() {
    let desk = Desk::new();
    let (input, start) = desk.start("shell", command("touch ran")).await;
    let start = ToolStart { handle: Handle::InProcess, ..start };
    let outcome = desk.run("shell", &input, &start).await;
    insta::assert_snapshot!(desk.shown(&outcome), @"(error internal) internal: it was not started under a supervisor; nothing was run");
    assert!(!desk.at("ran").exists());
    let found = desk.tool("shell").attach(&input, &start, &desk.io()).await;
    let Attached::Unknown { evidence } = found else { panic!("{found:?}") };
    assert_eq!(evidence, "it was not started under a supervisor");
}

#[tokio::test]
async fn a_shell_that_is_missing_is_said() {
    let desk = Desk::new();
    let workspace = onward_event::Workspace {
        root: desk.root.to_str().unwrap().into(),
        dir: desk.root.to_str().unwrap().into(),
    };
    let config = onward_tools::ToolsConfig {
        shell: "/no/such/shell".into(),
        ..crate::desk::config(ToolLimits::default())
    };
    let tools = onward_tools::builtin(config, &workspace).unwrap();
    let (input, start) = desk.start("shell", command("true")).await;
    let outcome = tools.get("shell").unwrap().run(&input, &start, &desk.io()).await;
    insta::assert_snapshot!(desk.shown(&outcome), @"(error not_started) not_started: the command could not be started in `<root>`: No such file or directory (os error 2); nothing was run");
}
