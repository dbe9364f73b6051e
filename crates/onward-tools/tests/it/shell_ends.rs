//! `shell`: what is made of the ends that an executor reports, whatever ran.

use std::sync::Arc;

use onward_event::{FileAccess, JobEnd, NetworkAccess, Sandbox, Tier, ToolStart, Workspace};
use onward_port::{Attached, Execution, ExecutionEnd, ExecutionResult, Followed, ToolSet};
use onward_tools::{ToolLimits, ToolsConfig, builtin};
use serde_json::json;

use crate::desk::{Desk, config};
use crate::told::Told;

fn ended(end: ExecutionEnd) -> ExecutionResult {
    let kept = b"said\n".to_vec();
    ExecutionResult {
        end,
        millis: 70,
        total: 5,
        kept,
        tail: Vec::new(),
        left_behind: false,
        restored: Vec::new(),
    }
}

fn tools(desk: &Desk, execution: Execution) -> ToolSet {
    let root = desk.root.to_str().unwrap().to_owned();
    let config = ToolsConfig { executor: Arc::new(Told(execution)), ..config(ToolLimits::default()) };
    builtin(config, &Workspace { dir: root.clone(), root }).unwrap()
}

/// What the model is told of this end, of a command that was contained.
async fn told(execution: Execution) -> String {
    let desk = Desk::new();
    let tools = tools(&desk, execution);
    let (input, start) = desk.start("shell", json!({ "command": "it" })).await;
    let sandbox = Sandbox {
        tier: Tier::Namespaces,
        files: FileAccess::WorkspaceWrite,
        network: NetworkAccess::Closed,
        writable: Vec::new(),
    };
    let start = ToolStart { sandbox: Some(sandbox), ..start };
    desk.shown(&tools.get("shell").unwrap().run(&input, &start, &desk.io()).await)
}

#[tokio::test]
async fn what_was_left_in_the_background_and_what_was_put_back_is_said() {
    let left = ExecutionResult { left_behind: true, ..ended(ExecutionEnd::Exited(0)) };
    insta::assert_snapshot!(told(Execution::Ended(left)).await);
    let restored = vec![".git/config was put back".to_owned()];
    for end in [ExecutionEnd::Exited(0), ExecutionEnd::TimedOut, ExecutionEnd::Stopped] {
        let told = told(Execution::Ended(ExecutionResult { restored: restored.clone(), ..ended(end) })).await;
        assert!(told.contains("\n[.git/config was put back]\nsaid"), "{end:?}: {told}");
    }
}

#[tokio::test]
async fn the_sandbox_may_be_why_a_command_failed() {
    let denied = |end| {
        let kept = b"touch: Read-only file system\n".to_vec();
        Execution::Ended(ExecutionResult { kept, total: 29, ..ended(end) })
    };
    for (end, hinted) in [
        (ExecutionEnd::Exited(1), true),
        (ExecutionEnd::Signalled(6), true),
        (ExecutionEnd::Exited(0), false),
        (ExecutionEnd::TimedOut, false),
    ] {
        let told = told(denied(end)).await;
        assert_eq!(told.contains("[the sandbox may be why"), hinted, "{told}");
    }
}

#[tokio::test]
async fn what_was_not_begun_and_what_nobody_knows_are_told_apart() {
    insta::assert_snapshot!(told(Execution::NotBegun("there is no such program".into())).await);
    insta::assert_snapshot!(told(Execution::Unknown("its supervisor is gone".into())).await);
}

#[tokio::test]
async fn the_time_that_is_told_is_the_command_s_own() {
    let desk = Desk::new();
    let tools = tools(&desk, Execution::Ended(ended(ExecutionEnd::Exited(0))));
    let (input, start) = desk.start("shell", json!({ "command": "it" })).await;
    let found = tools.get("shell").unwrap().attach(&input, &start, &desk.io()).await;
    let Attached::Finished(report) = found else { panic!("{found:?}") };
    assert_eq!((report.metadata.millis, report.metadata.bytes), (70, 5));
}

#[tokio::test]
async fn a_job_ends_as_its_command_does() {
    let desk = Desk::new();
    for (end, how, said) in [
        (ExecutionEnd::Exited(3), JobEnd::Completed, "exit code 3"),
        (ExecutionEnd::Signalled(9), JobEnd::Completed, "killed by signal 9 (SIGKILL)"),
        (ExecutionEnd::TimedOut, JobEnd::TimedOut, "timed out after 120 s"),
        (ExecutionEnd::Stopped, JobEnd::Stopped, "stopped on request"),
    ] {
        let tools = tools(&desk, Execution::Ended(ended(end)));
        let (input, start) = desk.start("shell", json!({ "command": "it" })).await;
        let followed = tools.get("shell").unwrap().follow(&input, &start, &desk.io()).await;
        let Followed::Ended { how: found, summary, report } = followed else { panic!("{followed:?}") };
        assert_eq!(found, how);
        assert!(summary.starts_with(said), "{summary}");
        assert_eq!(report.artifacts[0].bytes.as_ref(), b"said\n", "its output is kept whole");
    }
}

#[tokio::test]
async fn where_nothing_contains_commands_none_is_planned() {
    let desk = Desk::new();
    let tools = tools(&desk, Execution::Unknown(String::new()));
    let refused = tools.get("shell").unwrap().plan(&json!({ "command": "it" })).await.unwrap_err();
    assert_eq!(refused.code, "no_sandbox");
    assert_eq!(refused.message, "nothing can contain commands here");
}
