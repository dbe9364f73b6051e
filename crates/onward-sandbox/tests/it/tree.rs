//! The process tree: it ends as a whole, with its command, its time, its supervisor; never with the runtime.

use std::fs;
use std::future::Future;
use std::pin::Pin;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use onward_event::Tier;
use onward_port::{Cancel, Execution, ExecutionEnd, Executor as _};

use crate::desk::{Desk, Never, block_on, desk, desks, ended, host, succeeded, test_name, text};

/// Cancels when a file is there.
#[derive(Debug)]
struct When(std::path::PathBuf);

impl Cancel for When {
    fn is_cancelled(&self) -> bool {
        self.0.exists()
    }

    fn cancelled(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(async {
            while !self.0.exists() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        })
    }
}

/// Something that goes on for ever and can be seen to: it writes a file again and again. It leaves its session and its
/// parent, and hears of no request to end.
const STUBBORN: &str =
    "setsid sh -c 'trap \"\" TERM HUP INT; (while :; do date +%s%N > beat; sleep 0.02; done) & wait' &";

/// Whether somebody still writes.
fn beats(desk: &Desk) -> bool {
    let read = || fs::read_to_string(desk.file("beat")).unwrap_or_default();
    let before = read();
    sleep(Duration::from_millis(300));
    read() != before
}

/// PROC-01.
#[test]
fn a_cancelled_command_leaves_nobody() {
    for desk in desks() {
        let script = format!("{STUBBORN} sleep 0.2; touch started; sleep 100");
        let cancel = When(desk.file("started"));
        let result = ended(desk.run_until(&["/bin/sh", "-c", &script], &cancel));
        assert_eq!(result.end, ExecutionEnd::Stopped, "{:?}", desk.tier);
        assert!(!beats(&desk), "{:?}", desk.tier);
    }
}

/// PROC-03.
#[test]
fn a_command_whose_time_is_over_leaves_nobody() {
    for mut desk in desks() {
        desk.timeout = Duration::from_secs(1);
        let result = desk.sh(&format!("{STUBBORN} sleep 300 & wait"));
        assert_eq!(result.end, ExecutionEnd::TimedOut, "{:?}", desk.tier);
        assert!(!beats(&desk), "{:?}", desk.tier);
    }
}

/// PROC-02.
#[test]
fn what_a_command_leaves_in_the_background_ends_with_it() {
    for desk in desks() {
        let result = desk.sh(&format!("{STUBBORN} sleep 0.1; echo done; exit 3"));
        assert_eq!(result.end, ExecutionEnd::Exited(3), "{:?}", desk.tier);
        assert!(result.left_behind && text(&result).contains("done"), "{:?}: {result:?}", desk.tier);
        assert!(!beats(&desk), "{:?}", desk.tier);
        let result = desk.sh("true");
        assert!(!result.left_behind, "{:?}", desk.tier);
    }
}

#[test]
fn a_silent_process_in_the_background_is_ended_too() {
    for desk in desks() {
        let result = desk.sh("(while :; do date +%s%N > beat; sleep 0.02; done) >/dev/null 2>&1 & sleep 0.1");
        assert!(result.left_behind && result.total == 0, "{:?}: {result:?}", desk.tier);
        assert!(!beats(&desk), "{:?}", desk.tier);
    }
}

#[test]
fn what_a_process_in_the_background_says_at_once_is_heard() {
    for desk in desks() {
        let result = desk.sh("(echo late) & echo early; wait");
        let mut said: Vec<_> = text(&result).lines().map(str::to_owned).collect();
        said.sort();
        assert_eq!(
            (said, result.left_behind),
            (vec!["early".into(), "late".into()], false),
            "{:?}",
            desk.tier
        );
    }
}

#[test]
fn a_stopped_process_is_ended_too() {
    for mut desk in desks() {
        desk.timeout = Duration::from_secs(1);
        let result = desk.sh("kill -STOP $$; echo never");
        assert_eq!((result.end, result.total), (ExecutionEnd::TimedOut, 0), "{:?}", desk.tier);
    }
}

#[test]
fn ends_are_told_as_they_are() {
    for desk in desks() {
        for (script, end) in [
            ("exit 0", ExecutionEnd::Exited(0)),
            ("exit 137", ExecutionEnd::Exited(137)),
            ("kill -9 $$", ExecutionEnd::Signalled(9)),
            ("kill -TERM $$", ExecutionEnd::Signalled(15)),
        ] {
            assert_eq!(desk.sh(script).end, end, "{:?}: {script}", desk.tier);
        }
    }
}

#[test]
fn orphans_are_collected_while_the_command_runs() {
    let Some(desk) = desk(Tier::Namespaces) else { return };
    let result = desk.sh("for i in 1 2 3 4 5; do sh -c 'true &' ; done; sleep 0.3; grep -l 'State:.Z' /proc/[0-9]*/status; echo end");
    assert_eq!(text(&result), "end\n");
}

/// Starts a supervisor as the runtime does, and gives its process.
fn supervised(desk: &Desk, name: &str, script: &str) -> u32 {
    let executor = desk.executor();
    let spec = desk.spec(&["/bin/sh", "-c", script]);
    let begun = block_on(executor.begin(name, spec));
    assert_eq!(begun, onward_port::Begun::Yes);
    desk.supervisor(name)
}

fn until(what: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(30);
    while !what() {
        assert!(Instant::now() < deadline, "{} waits in vain", test_name());
        sleep(Duration::from_millis(10));
    }
}

fn kill(pid: u32) {
    let pid = rustix::process::Pid::from_raw(pid.cast_signed()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
}

#[test]
fn a_killed_supervisor_takes_a_namespace_with_it() {
    let Some(desk) = desk(Tier::Namespaces) else { return };
    let supervisor = supervised(&desk, "killed", &format!("{STUBBORN} sleep 100"));
    until(|| desk.file("beat").exists());
    kill(supervisor);
    until(|| !beats(&desk));
    let executor = desk.executor();
    let found = block_on(executor.follow("killed", &executor.place(), &Never));
    assert!(matches!(found, Execution::Unknown(_)), "{found:?}");
}

/// A runtime that dies leaves the command running, and the next one gets its true end.
#[test]
fn a_killed_runtime_leaves_the_command_running() {
    for desk in desks() {
        // The executor is dropped with its runtime, as in a process that is gone.
        supervised(&desk, "outlives", "until test -e go; do sleep 0.02; done; echo went; exit 7");
        fs::write(desk.file("go"), "").unwrap();
        let executor = desk.executor();
        let result = ended(block_on(executor.attach("outlives", &executor.place(), &Never)));
        assert_eq!(
            (result.end, text(&result).as_str()),
            (ExecutionEnd::Exited(7), "went\n"),
            "{:?}",
            desk.tier
        );
    }
}

/// A launcher without an order, or with half of one, runs nothing and ends.
#[test]
fn a_launcher_without_an_order_ends() {
    let status = Command::new(host()).arg(onward_sandbox::LAUNCHER).stdin(Stdio::null()).status().unwrap();
    assert!(!status.success());
    for desk in desks() {
        assert!(succeeded(&desk.sh("true")));
    }
}
