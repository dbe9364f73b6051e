//! No room for the log: nothing is done that is not recorded, the error says what and where, and the session goes on
//! when there is room again.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::support::{Sandbox, SmallDisk, eventually, not_tested};

/// Thinks for a while, says so much that it does not fit into what a full disk has left, and then runs a command.
fn long_thought(millis: u64) -> Value {
    json!({ "steps": [
        { "text": "long ".repeat(60_000), "delay_ms": millis,
          "calls": [{ "tool": "shell", "input": { "command": "echo ran >> ledger" } }] },
        { "text": "Done." },
    ] })
}

#[test]
fn a_full_disk_ends_the_run_and_room_lets_it_go_on() {
    let Some(disk) = SmallDisk::mount("a full disk under a running session") else { return };
    let sandbox = Sandbox::new(&long_thought(0)).with_data(disk.path().join("sessions"));
    // The disk must be full before the thought ends; on a slow machine that takes a longer thought.
    for millis in [2_000, 10_000, 40_000] {
        sandbox.set_script(&long_thought(millis));
        let exec = sandbox.start(&["exec", "--mode", "auto", "think, then run"]);
        sandbox.until("attempt/start", 1);
        disk.fill();
        if sandbox.records().count("attempt/end") > 0 {
            disk.make_room();
            exec.wait();
            std::fs::remove_dir_all(sandbox.data()).unwrap();
            continue;
        }
        let done = exec.wait().ended(1);
        assert!(
            done.stderr.contains(&disk.path().join("sessions/onward.db").display().to_string()),
            "{done:?}"
        );
        let shown = sandbox.shown(&done).replace(disk.path().to_str().unwrap(), "[disk]");
        assert_snapshot!("full", shown);
        let left = sandbox.records();
        assert_eq!((left.count("tool/start"), sandbox.read("ledger").as_str()), (0, ""));

        let refused = sandbox.run(&["send", "hello?"]).ended(1);
        let shown = sandbox.shown(&refused).replace(disk.path().to_str().unwrap(), "[disk]");
        assert_snapshot!("nothing_is_acknowledged", shown);

        disk.make_room();
        sandbox.set_script(&long_thought(0));
        assert_eq!(sandbox.run(&["resume"]).ended(0).stdout, "Done.\n");
        assert_eq!(sandbox.read("ledger"), "ran\n");
        assert_eq!(sandbox.records().count("inbox/received"), 1, "what was refused was not taken");
        sandbox.assert_checked();
        return;
    }
    not_tested("a full disk under a running session", "this machine was too slow to fill it in 40 s");
}

#[test]
fn a_disk_that_is_full_from_the_start_takes_no_session() {
    let Some(disk) = SmallDisk::mount("a disk that is full from the start") else { return };
    let sandbox = Sandbox::new(&long_thought(0)).with_data(disk.path().join("sessions"));
    disk.fill();
    let done = sandbox.run(&["exec", "--mode", "auto", "run"]).ended(1);
    let shown = sandbox.shown(&done).replace(disk.path().to_str().unwrap(), "[disk]");
    assert_snapshot!(shown);
    disk.make_room();
    sandbox.run(&["exec", "--mode", "auto", "run"]).ended(0);
    sandbox.run(&["check", "--all"]).ended(0);
}

/// A command that ends when the disk is full: its supervisor waits for room, and so does whoever waits for it, who says
/// so and goes on by itself.
#[test]
fn a_result_that_finds_no_room_is_waited_for_with_words() {
    let Some(disk) = SmallDisk::mount("a result that finds no room") else { return };
    let command = "touch ready; until [ -e go ]; do sleep 0.02; done; echo over";
    let sandbox = Sandbox::new(&json!({ "steps": [
        { "calls": [{ "tool": "shell", "input": { "command": command } }] }, { "text": "It ended." },
    ] }))
    .with_data(disk.path().join("sessions"))
    // The end of a containment gives back the room of its notes, in which the result would fit.
    .with_variable("ONWARD_SANDBOX_TIER", "none");
    sandbox.run(&["exec", "run it"]).ended(3);
    let exec = sandbox.start(&["approve"]);
    eventually("the command runs", || sandbox.workspace().join("ready").exists().then_some(()));
    disk.fill();
    sandbox.write("go", "");
    eventually("a word about it", || exec.stderr().contains("waiting: a command has ended").then_some(()));
    disk.make_room();
    assert_eq!(exec.wait().ended(0).stdout, "It ended.\n");
    sandbox.assert_checked();
}

/// The limit on the size of a file, which every user can set, in place of a full disk: the answer does not fit, so the
/// command that it calls for is not run, and what is said to a full store is not acknowledged.
#[test]
fn a_file_that_may_not_grow_ends_the_run_and_room_lets_it_go_on() {
    let mut script = long_thought(0);
    script["steps"].as_array_mut().unwrap().insert(0, json!({ "text": "Hello." }));
    let sandbox = Sandbox::new(&script);
    sandbox.run(&["exec", "--mode", "auto", "greet me"]).ended(0);
    let limited = |kib: u64, command: &str| {
        // Blocks of 512 bytes. Without the signal, a write that is too much is an error as it is on a full disk.
        sandbox.shell(&format!(r#"trap "" XFSZ; ulimit -f {}; exec "$ONWARD" {command}"#, kib * 2))
    };
    // The answer has 300 kB, and what comes before it a fraction of that.
    let done = limited(256, "send run");
    assert_eq!(done.code(), 1, "{done:?}");
    assert!(done.stderr.contains("onward.db") && !done.stderr.contains("panicked"), "{done:?}");
    let left = sandbox.records();
    assert_eq!((left.count("tool/start"), sandbox.read("ledger").as_str()), (0, ""), "{:?}", left.kinds());
    assert_eq!(
        left.count("attempt/start"),
        2,
        "the model was asked, and its answer did not fit: {:?}",
        left.kinds()
    );

    let refused = limited(1, "send --no-run hello?");
    assert_eq!(refused.code(), 1, "{refused:?}");
    assert!(!refused.stderr.contains("is recorded"), "{refused:?}");
    assert_eq!(sandbox.read("ledger"), "");

    assert_eq!(sandbox.run(&["resume"]).ended(0).stdout, "Done.\n");
    assert_eq!(sandbox.read("ledger"), "ran\n");
    assert_eq!(sandbox.records().count("inbox/received"), 2, "what was refused was not taken");
    sandbox.assert_checked();
}

#[test]
fn files_that_may_not_grow_from_the_start_take_no_session() {
    let sandbox = Sandbox::new(&long_thought(0));
    let refused = sandbox.shell(r#"trap "" XFSZ; ulimit -f 1; exec "$ONWARD" exec --mode auto run"#);
    assert_eq!(refused.code(), 1, "{refused:?}");
    assert!(refused.stderr.contains("onward.db") && !refused.stderr.contains("panicked"), "{refused:?}");
    assert_eq!(sandbox.read("ledger"), "");
    sandbox.run(&["exec", "--mode", "auto", "run"]).ended(0);
    assert_eq!(sandbox.read("ledger"), "ran\n");
    sandbox.run(&["check", "--all"]).ended(0);
}
