//! Commands as they are contained when nobody says anything else; `onward sandbox`, `onward doctor`.

use onward_event::{ApprovalId, Event, ResultStatus};
use serde_json::json;

use crate::support::{PROGRAM, Sandbox, built_out_of_sight, eventually, records};

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
    // What stands in a file policy does not see: the sandbox alone holds it.
    for (tier, sandbox) in Sandbox::in_each_tier(&shell("sh hostile.sh")) {
        sandbox.write("hostile.sh", "echo in > inside; echo out > ../outside; touch $HOME/x; echo end");
        sandbox.run(&["exec", "--mode", "auto", "go"]).ended(0);
        assert_eq!(sandbox.read("inside"), "in\n", "{tier}");
        for name in ["outside", "home/x"] {
            assert!(!sandbox.path().join(name).exists(), "{tier}: {name}");
        }
        let tiers = sandbox.records().all(|event| match event {
            Event::ToolStart(start) => start.sandbox.as_ref().map(|sandbox| sandbox.tier.name()),
            _ => None,
        });
        assert_eq!(tiers, [tier]);
        sandbox.assert_checked();
    }
}

/// A command that answers a question of the session in which it runs could approve whatever the model wants. It knows the
/// program, the question and the folder, and runs as the person.
#[test]
fn a_command_cannot_reach_the_data_folder_nor_approve() {
    for (tier, sandbox) in Sandbox::in_each_tier(&shell("sh leave.sh")) {
        sandbox.write("leave.sh", "echo left >> ledger\n");
        sandbox.run(&["exec", "go"]).ended(3);
        let (session, asked) = (sandbox.session(), question(&sandbox));
        let data = sandbox.data().display().to_string();
        let approve = format!(
            "HOME={0}/home XDG_CONFIG_HOME={0}/home/.config ONWARD_DATA_DIR={data} {PROGRAM} approve {asked} --no-run",
            sandbox.path().display()
        );
        let line = format!(
            "{approve}; echo code $?; ls -A {data}; cat {data}/onward.db; echo x > {data}/planted; echo end"
        );
        let mut runs = Vec::new();
        for files in [&["sandbox"][..], &["sandbox", "--read-only"], &["sandbox", "--network", "open"]] {
            let words = [files, &["--", "/bin/sh", "-c", &line]].concat();
            runs.push((files.join(" "), sandbox.run(&words).stdout));
        }
        sandbox.set_script(&shell("sh hostile.sh"));
        sandbox.write("hostile.sh", &line);
        for mode in [&["--mode", "auto"][..], &["--bypass-permissions"]] {
            let done = sandbox.run(&[&["exec", "--json"], mode, &["go"]].concat()).ended(0);
            runs.push((mode.join(" "), done.stdout));
        }
        for (how, said) in runs {
            // That it was run, and refused by the program itself: not by a name that is not there.
            let refused = said.contains("code 1") && (built_out_of_sight() || !said.contains("code 12"));
            assert!(refused && said.contains("end"), "{tier}, {how}: {said}");
            assert!(!said.contains("SQLite format"), "{tier}, {how}: {said}");
        }
        assert!(!sandbox.data().join("planted").exists(), "{tier}");
        let resolved = || records(sandbox.data(), session).count("approval/resolved");
        assert_eq!((resolved(), sandbox.read("ledger").as_str()), (0, ""), "{tier}");
        // The same words outside: they would have done it.
        sandbox.shell(&approve).ended(0);
        assert_eq!(resolved(), 1, "{tier}");
    }
}

/// The only question that was asked.
fn question(sandbox: &Sandbox) -> ApprovalId {
    let asked = sandbox.records().all(|event| match event {
        Event::ApprovalRequested(asked) => Some(asked.approval),
        _ => None,
    });
    let [asked] = <[ApprovalId; 1]>::try_from(asked).unwrap();
    asked
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
