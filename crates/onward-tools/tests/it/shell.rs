//! `shell`: how commands end, and that nothing of them is left.

use std::path::Path;
use std::time::Duration;

use onward_event::{OnUnknown, Recovery, Risk, Semantics};
use onward_port::ToolOutcome;
use onward_tools::ToolLimits;
use serde_json::{Value, json};

use crate::desk::Desk;

fn command(text: &str) -> Value {
    json!({ "command": text })
}

/// Limits under which the tests below need not wait for long.
fn quick() -> ToolLimits {
    ToolLimits {
        kill_grace: Duration::from_millis(300),
        drain_wait: Duration::from_millis(150),
        ..ToolLimits::default()
    }
}

/// Whether a process runs: it exists, and is not a dead one that waits for its parent.
fn runs(pid: &str) -> bool {
    let stat = std::fs::read_to_string(Path::new("/proc").join(pid.trim()).join("stat")).unwrap_or_default();
    stat.rsplit_once(')').is_some_and(|(_, rest)| !rest.trim_start().starts_with('Z'))
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
    let group = desk
        .call("shell", command("read -r _ _ _ _ group _ < /proc/$$/stat; test $group = $$ && echo leads"))
        .await;
    assert_eq!(group, "(ok) exit code 0\nleads");
}

#[tokio::test]
async fn output_and_errors_come_in_the_order_of_writing() {
    let desk = Desk::new();
    let text = desk.call("shell", command("for i in 1 2 3; do echo out $i; echo err $i >&2; done")).await;
    assert_eq!(text, "(ok) exit code 0\nout 1\nerr 1\nout 2\nerr 2\nout 3\nerr 3");
}

#[tokio::test]
async fn a_timeout_ends_the_whole_group() {
    let desk = Desk::with(quick());
    let input = json!({ "command": "sleep 300 & echo $! > child; echo begun; wait", "timeout_seconds": 1 });
    insta::assert_snapshot!(desk.call("shell", input).await, @r#"
    (timeout) timed out after 1 s; every process of the command was ended. What it did until then stays done
    begun
    "#);
    assert!(!runs(&desk.text("child")));
}

#[tokio::test]
async fn a_group_that_will_not_end_is_killed() {
    let desk = Desk::with(quick());
    let text = "trap '' TERM; (trap '' TERM; while :; do sleep 0.05; done) & echo $! > child; echo $$ > self; while :; do sleep 0.05; done";
    let answer = desk.call("shell", json!({ "command": text, "timeout_seconds": 1 })).await;
    assert!(
        answer.starts_with("(timeout) timed out after 1 s; every process of the command was ended"),
        "{answer}"
    );
    assert!(!runs(&desk.text("child")) && !runs(&desk.text("self")));
}

#[tokio::test]
async fn a_stopped_process_is_ended_too() {
    let desk = Desk::with(quick());
    let input = json!({ "command": "echo $$ > self; kill -STOP $$; echo never", "timeout_seconds": 1 });
    let answer = desk.call("shell", input).await;
    assert!(answer.starts_with("(timeout)") && !answer.contains("never"), "{answer}");
    assert!(!runs(&desk.text("self")));
}

#[tokio::test]
async fn a_request_to_stop_ends_the_whole_group() {
    let desk = Desk::with(quick());
    let outcome =
        stopped_when_ready(&desk, "echo begun; sleep 300 & echo $! > child; touch ready; wait").await;
    insta::assert_snapshot!(desk.shown(&outcome), @r#"
    (cancelled) stopped on request; every process of the command was ended. What it did until then stays done
    begun
    "#);
    assert!(!runs(&desk.text("child")));
}

#[tokio::test]
async fn a_command_may_clean_up_when_it_is_stopped() {
    let desk = Desk::with(ToolLimits { kill_grace: Duration::from_secs(30), ..quick() });
    let text = "trap 'echo cleaned; exit 0' TERM; touch ready; while :; do sleep 0.02; done";
    let outcome = stopped_when_ready(&desk, text).await;
    assert!(desk.shown(&outcome).contains("cleaned"), "{outcome:?}");
}

#[tokio::test]
async fn a_background_process_that_holds_the_output_does_not_hold_the_call() {
    let desk = Desk::with(quick());
    insta::assert_snapshot!(desk.call("shell", command("sleep 300 & echo $! > child; echo done")).await, @r#"
    (ok) exit code 0; processes that it left in the background were ended
    done
    "#);
    assert!(!runs(&desk.text("child")));
}

#[tokio::test]
async fn a_silent_background_process_is_ended_too() {
    let desk = Desk::with(quick());
    let text = "sleep 300 >/dev/null 2>&1 & echo $! > child";
    insta::assert_snapshot!(desk.call("shell", command(text)).await, @r#"
    (ok) exit code 0; processes that it left in the background were ended
    (no output)
    "#);
    assert!(!runs(&desk.text("child")));
}

#[tokio::test]
async fn what_a_background_process_says_at_once_is_heard() {
    let desk = Desk::with(ToolLimits { drain_wait: Duration::from_secs(30), ..quick() });
    let answer = desk.call("shell", command("(sleep 0.1; echo late) & echo early")).await;
    assert_eq!(answer, "(ok) exit code 0\nearly\nlate");
}

#[tokio::test]
async fn a_process_that_left_the_group_is_not_overlooked() {
    let desk = Desk::with(quick());
    let text = "setsid sh -c 'echo $$ > child; touch ready; exec sleep 300' & while ! test -e ready; do sleep 0.02; done";
    insta::assert_snapshot!(desk.call("shell", command(text)).await, @r#"
    (ok) exit code 0; a process that left the command's process group holds its output open and goes on
    (no output)
    "#);
    let end = || {
        rustix::process::kill_process(
            rustix::process::Pid::from_raw(desk.text("child").trim().parse().unwrap()).unwrap(),
            rustix::process::Signal::KILL,
        )
    };
    end().unwrap();
    std::fs::remove_file(desk.at("ready")).unwrap();
    let outcome = stopped_when_ready(&desk, &format!("{text}; sleep 300")).await;
    insta::assert_snapshot!(desk.shown(&outcome), @r#"
    (unknown) stopped on request; its process group has ended, but a process that left the group holds its output open, and it is not known what that one does
    (no output)
    "#);
    end().unwrap();
}

#[tokio::test]
async fn a_call_that_nobody_waits_for_leaves_no_process() {
    let desk = Desk::new();
    {
        let call = desk.call("shell", command("echo $$ > self; touch ready; sleep 300"));
        let ready = async {
            while !desk.at("ready").exists() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::select! {
            answer = call => panic!("{answer}"),
            () = ready => {}
        }
    }
    let pid = desk.text("self");
    while runs(&pid) {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn a_shell_that_is_missing_is_said() {
    let desk = Desk::new();
    let workspace = onward_event::Workspace {
        root: desk.root.to_str().unwrap().into(),
        dir: desk.root.to_str().unwrap().into(),
    };
    let config = onward_tools::ToolsConfig { shell: "/no/such/shell".into(), ..crate::desk::config(quick()) };
    let tools = onward_tools::builtin(config, &workspace).unwrap();
    let (input, start) = desk.start("shell", command("true")).await;
    let outcome = tools.get("shell").unwrap().run(&input, &start, &desk.io()).await;
    insta::assert_snapshot!(desk.shown(&outcome), @"(error not_started) not_started: `/no/such/shell` could not be started in `<root>`: No such file or directory (os error 2); nothing was run");
}
