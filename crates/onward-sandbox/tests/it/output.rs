//! What a command says: in its order, of any size and kind, and bounded however much it is.

use std::fs;
use std::time::Duration;

use onward_event::Tier;
use onward_port::{Begun, Execution, ExecutionEnd, ExecutionSpec, Executor as _};

use crate::desk::{Desk, Never, block_on, desk, desks, ended, text};

/// The desks of every tier, and of a command whose containment is waived.
fn all() -> Vec<Desk> {
    let waived = desk(Tier::Namespaces).map(|mut desk| {
        desk.tier = Tier::None;
        desk
    });
    desks().into_iter().chain(waived).collect()
}

/// A script whose output is kept up to these limits.
fn limited(desk: &Desk, script: &str, kept_bytes: u64, tail_bytes: u64) -> ExecutionSpec {
    ExecutionSpec { kept_bytes, tail_bytes, ..desk.spec(&["/bin/sh", "-c", script]) }
}

#[test]
fn output_and_errors_come_in_the_order_of_writing() {
    for desk in all() {
        let result = desk.sh("for i in 1 2 3; do echo out $i; echo err $i >&2; done");
        assert_eq!(text(&result), "out 1\nerr 1\nout 2\nerr 2\nout 3\nerr 3\n", "{:?}", desk.tier);
    }
}

#[test]
fn bytes_that_are_no_text_stay_what_they_are() {
    for desk in all() {
        let result = desk.sh(r"printf 'caf\351\000end\n'");
        assert_eq!(result.kept, b"caf\xe9\0end\n", "{:?}", desk.tier);
    }
}

#[test]
fn of_a_long_output_the_beginning_and_the_end_are_kept_and_all_is_counted() {
    for desk in all() {
        let result = ended(desk.run_spec(limited(&desk, "seq 1 1000", 9, 10)));
        assert_eq!(
            (result.kept.as_slice(), result.tail.as_slice()),
            (&b"1\n2\n3\n4\n5"[..], &b"\n999\n1000\n"[..])
        );
        assert_eq!(result.total, 3_893, "{:?}", desk.tier);
    }
}

#[test]
fn an_output_without_end_is_bounded() {
    for mut desk in all() {
        desk.timeout = Duration::from_secs(1);
        let result = ended(desk.run_spec(limited(&desk, "yes", 1 << 20, 1 << 10)));
        assert_eq!(result.end, ExecutionEnd::TimedOut, "{:?}", desk.tier);
        assert_eq!((result.kept.len(), result.tail.len()), (1 << 20, 1 << 10), "{:?}", desk.tier);
        assert!(result.total > 1 << 20, "{:?}", desk.tier);
    }
}

/// What is kept is bounded in memory, too: of the supervisor, which takes it all, and of whoever asks it for the end.
#[test]
fn an_output_without_end_takes_no_memory() {
    const PLENTY: u64 = 64 << 20;
    for desk in all() {
        let spec = limited(
            &desk,
            "echo began; until test -e go; do sleep 0.02; done; yes | head -c 400000000",
            1 << 20,
            1 << 16,
        );
        let executor = desk.executor();
        block_on(async {
            assert_eq!(executor.begin("run", spec).await, Begun::Yes);
            while desk.said("run") != "began\n" {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            let pid = desk.supervisor("run");
            let (own, before) = (most_memory("self"), most_memory(&pid.to_string()));
            fs::write(desk.file("go"), "").unwrap();
            let mut most = before;
            let place = executor.place();
            let mut follow = executor.follow("run", &place, &Never);
            let result = loop {
                tokio::select! {
                    result = &mut follow => break ended(result),
                    () = tokio::time::sleep(Duration::from_millis(5)) => most = most.max(most_memory(&pid.to_string())),
                }
            };
            assert_eq!(result.total, 400_000_006, "{:?}", desk.tier);
            assert!(before > 0 && most < PLENTY, "{:?}: the supervisor took {most} bytes", desk.tier);
            let own = most_memory("self") - own;
            assert!(own < PLENTY, "{:?}: the runtime took {own} bytes more", desk.tier);
        });
        fs::remove_file(desk.file("go")).unwrap();
    }
}

/// The most memory that a process ever had; 0 when it is gone.
fn most_memory(pid: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().split(' ').next()?.parse::<u64>().ok()).unwrap_or(0) << 10
}

#[test]
fn a_writer_in_the_background_does_not_hold_the_command() {
    for desk in all() {
        let result = ended(desk.run_spec(limited(&desk, "yes & echo over", 1 << 20, 1 << 10)));
        assert_eq!((result.end, result.left_behind), (ExecutionEnd::Exited(0), true), "{:?}", desk.tier);
        assert!(result.kept.len() <= 1 << 20 && result.tail.len() <= 1 << 10, "{:?}", desk.tier);
    }
}

#[test]
fn a_command_that_is_asked_to_end_may_still_say_something() {
    for mut desk in all() {
        // Long enough for the shell to have set its trap, on a busy machine too.
        desk.timeout = Duration::from_secs(5);
        let script = "trap 'echo cleaned; exit 0' TERM; while :; do sleep 0.02; done";
        let spec = ExecutionSpec { grace: Duration::from_secs(30), ..desk.spec(&["/bin/sh", "-c", script]) };
        let result = ended(desk.run_spec(spec));
        // The shell may say, too, that a child of it was ended.
        assert_eq!(result.end, ExecutionEnd::TimedOut, "{:?}", desk.tier);
        assert!(text(&result).ends_with("cleaned\n"), "{:?}: {}", desk.tier, text(&result));
    }
}

#[test]
fn input_folder_and_environment_are_as_given() {
    for mut desk in all() {
        desk.environment.push(("GIVEN".into(), "to it".into()));
        let folder = desk.file("folder");
        fs::create_dir_all(&folder).unwrap();
        let script = "cat; pwd; env | grep -c -e ^GIVEN=to -e ^CARGO";
        let mut spec = desk.spec(&["/bin/sh", "-c", script]);
        spec.dir = folder.display().to_string();
        assert_eq!(
            text(&ended(desk.run_spec(spec))),
            format!("{}\n1\n", folder.display()),
            "{:?}",
            desk.tier
        );
    }
}

#[test]
fn what_cannot_be_started_was_not_begun() {
    for desk in all() {
        let nothing = desk.run(&["/no/such/program"]);
        assert!(matches!(&nothing, Execution::NotBegun(why) if why.contains("No such file")), "{nothing:?}");
        let mut spec = desk.spec(&["/bin/sh", "-c", "true"]);
        spec.dir = desk.file("nowhere").display().to_string();
        let nowhere = desk.run_spec(spec);
        assert!(matches!(nowhere, Execution::NotBegun(_)), "{:?}: {nowhere:?}", desk.tier);
    }
}
