//! Commands as they are contained when nobody says anything else; `onward sandbox`, `onward doctor`.

use onward_event::{Event, ResultStatus, Tier};
use serde_json::json;

use crate::support::{Sandbox, eventually};

fn contained(script: &serde_json::Value) -> Option<Sandbox> {
    Sandbox::contained(script)
}

fn shell(command: &str) -> serde_json::Value {
    json!({ "steps": [
        { "calls": [{ "tool": "shell", "input": { "command": command } }] },
        { "text": "Done." }
    ] })
}

#[test]
fn a_command_changes_the_workspace_and_nothing_else() {
    let Some(sandbox) = contained(&shell("echo in > inside; echo out > ../outside; touch $HOME/x; echo end"))
    else {
        return;
    };
    sandbox.run(&["exec", "--mode", "auto", "go"]).ended(0);
    assert_eq!(sandbox.read("inside"), "in\n");
    assert!(!sandbox.path().join("outside").exists() && !sandbox.path().join("home/x").exists());
    let tiers = sandbox.records().all(|event| match event {
        Event::ToolStart(start) => start.sandbox.as_ref().map(|sandbox| sandbox.tier),
        _ => None,
    });
    assert!(matches!(tiers.as_slice(), [Tier::Namespaces | Tier::Landlock]), "{tiers:?}");
    sandbox.assert_checked();
}

#[test]
fn a_command_cannot_reach_the_data_folder_nor_approve() {
    let script = shell(
        "ls $HOME/.local/share/onward/*; $ONWARD sessions --all; cat $HOME/.local/share/onward/*.db; echo end",
    );
    let Some(sandbox) = contained(&script) else { return };
    let done = sandbox.run(&["exec", "--mode", "auto", "--json", "go"]).ended(0);
    assert!(!done.stdout.contains("SQLite format"), "{}", done.stdout);
}

/// Each wall, with the words that real programs have for it, in each tier that the machine has.
#[test]
fn the_model_is_told_that_the_sandbox_may_be_why() {
    let walls = [
        ("touch /usr/onward-test", "`sandbox.writable = [\"/usr\"]`"),
        ("mkdir -p .git/hooks && touch .git/hooks/x", "is a protected name"),
        ("cat ~/.ssh/id", "is hidden from commands"),
        (
            "python3 -c 'import socket; socket.getaddrinfo(\"example.org\", 80)'",
            "`sandbox.network = \"open\"`",
        ),
        ("touch /tmp/onward-none/x", "`sandbox.writable = [\"/tmp/FOLDER\"]`"),
        ("dd if=/dev/zero of=/dev/null bs=128M count=1", "`sandbox.memory_mib`"),
        ("head -c 3000000 /dev/zero > big", "`sandbox.file_mib`"),
    ];
    let calls =
        walls.map(|(command, _)| json!({ "calls": [{ "tool": "shell", "input": { "command": command } }] }));
    let script =
        json!({ "steps": calls.into_iter().chain([json!({ "text": "Done." })]).collect::<Vec<_>>() });
    for tier in ["namespaces", "landlock"] {
        let sandbox = Sandbox::new(&script)
            .with_variable("ONWARD_SANDBOX_TIER", tier)
            .with_variable("ONWARD_SANDBOX_MEMORY_MIB", "64")
            .with_variable("ONWARD_SANDBOX_FILE_MIB", "1");
        if sandbox.run(&["doctor"]).code() != 0 {
            println!("not tested here: the words for walls: this machine has no tier {tier}");
            continue;
        }
        std::fs::create_dir_all(sandbox.path().join("home/.ssh")).unwrap();
        std::fs::write(sandbox.path().join("home/.ssh/id"), "secret").unwrap();
        sandbox.run(&["exec", "--bypass-permissions", "go"]);
        let told = sandbox.records().all(|event| match event {
            Event::ToolResult(result) => Some(format!("{:?}", result.content)),
            _ => None,
        });
        for ((command, words), told) in walls.iter().zip(&told) {
            println!("{tier}: {command}: {told}");
            if tier == "landlock" && *words == "is a protected name" {
                // There it can be changed, and is put back.
                continue;
            }
            let told = told.replace('\\', "");
            assert!(
                told.contains("the sandbox may be why") && told.contains(words),
                "{tier}: {command}: {told}"
            );
        }
        assert_eq!(told.len(), walls.len(), "{tier}");
    }
}

#[test]
fn any_command_runs_in_the_sandbox_and_its_code_is_passed_on() {
    let Some(sandbox) = contained(&json!({ "final": "" })) else { return };
    let done = sandbox.run(&["sandbox", "--", "sh", "-c", "echo out; echo x > a; echo x > ../b; exit 7"]);
    assert_eq!((done.code(), done.stdout.as_str()), (7, "out\n"), "{}", done.stderr);
    assert!(sandbox.read("a") == "x\n" && !sandbox.path().join("b").exists());
    let done = sandbox.run(&["sandbox", "--read-only", "--", "sh", "-c", "echo x > c || exit 9"]);
    assert_eq!(done.code(), 9);
    assert_eq!(sandbox.run(&["sandbox", "--", "sh", "-c", "kill -9 $$"]).code(), 137);
    let done = sandbox.run(&["sandbox", "--", "/absent"]);
    assert!(done.code() == 1 && done.stderr.contains("nothing was run"), "{}", done.stderr);
}

#[test]
fn the_doctor_names_the_tier_and_a_waiver() {
    let Some(sandbox) = contained(&json!({ "final": "" })) else { return };
    let said = sandbox.run(&["doctor"]).ended(0).stdout;
    for name in ["sandbox", "namespaces", "landlock", "kernel", "cgroups", "data folder", "shell", "git"] {
        assert!(said.contains(name), "{name}: {said}");
    }
    assert!(sandbox.run(&["doctor", "--sandbox", "none"]).ended(0).stdout.contains("waived"));
}

#[test]
fn a_contained_command_goes_on_when_onward_is_killed() {
    let Some(sandbox) =
        contained(&shell("touch began; until test -e go; do sleep 0.05; done; echo went > ledger"))
    else {
        return;
    };
    let exec = sandbox.start(&["exec", "--mode", "auto", "go"]);
    eventually("the command began", || sandbox.workspace().join("began").exists().then_some(()));
    exec.kill();
    sandbox.write("go", "");
    eventually("the command went on", || (sandbox.read("ledger") == "went\n").then_some(()));
    sandbox.run(&["resume"]).ended(0);
    let results = sandbox.records().all(|event| match event {
        Event::ToolResult(result) => Some(result.status.clone()),
        _ => None,
    });
    assert_eq!(results, [ResultStatus::Ok]);
    sandbox.assert_checked();
}

#[test]
fn a_command_of_ones_own_that_fails_is_told_what_the_sandbox_closed() {
    let Some(sandbox) = contained(&shell("true")) else { return };
    let mut shown = String::new();
    for words in [
        &["sandbox", "--", "touch", "/usr/onward-test"][..],
        &["sandbox", "--read-only", "--network", "open", "--", "false"],
    ] {
        let done = sandbox.run(words).ended(1);
        let own =
            done.stderr.lines().filter(|line| line.starts_with("hint: ") || line.contains("network is"));
        shown.push_str(&own.map(|line| format!("{line}\n")).collect::<String>());
    }
    insta::assert_snapshot!(shown);
    let well = sandbox.run(&["sandbox", "--", "true"]).ended(0);
    assert!(!well.stderr.contains("hint"), "{well:?}");
}
