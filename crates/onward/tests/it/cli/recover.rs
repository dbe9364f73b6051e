//! `recover --dry-run`: foresight of sessions that were cut off, of one that another process works on, and of one that
//! lies where nothing can be written; and that it only looks.

use std::os::unix::fs::PermissionsExt as _;

use onward_event::{Event, Handle, Seq};
use serde_json::{Value, json};

use crate::support::{Sandbox, hanging, one_command, pid_of_command, waiting_command};

fn planned(sandbox: &Sandbox, args: &[&str]) -> Vec<Value> {
    let args = [&["recover", "--dry-run", "--json"], args].concat();
    let done = sandbox.run(&args).ended(0);
    done.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// What is said about the items of a kind.
fn then<'a>(plan: &'a [Value], item: &str) -> Vec<&'a str> {
    let lines = plan.iter().filter(|line| line["item"] == item);
    lines.map(|line| line["then"].as_str().unwrap()).collect()
}

/// The record by which the command was started, and the machine that it names.
fn started(sandbox: &Sandbox) -> (Seq, String) {
    let records = sandbox.records();
    let mut starts = records.0.iter().filter_map(|record| match &record.event {
        Event::ToolStart(start) => match &start.handle {
            Handle::Supervised { place, .. } => Some((record.seq, place.machine.clone())),
            Handle::InProcess => None,
        },
        _ => None,
    });
    starts.next().unwrap()
}

#[test]
fn a_session_that_another_process_works_on_can_be_looked_at() {
    let sandbox = Sandbox::new(&hanging());
    let exec = sandbox.start(&["exec", "first"]);
    sandbox.until("attempt/start", 1);
    let plan = planned(&sandbox, &[]);
    assert_eq!((&plan[0]["owner"], &plan[0]["within_append"]), (&json!("alive"), &json!(false)));
    assert_eq!(then(&plan, "attempt"), ["salvage"]);
    let before = sandbox.records().0.len();
    let text = sandbox.run(&["recover", "--dry-run"]).ended(0).stdout;
    assert!(text.contains("works on it: this is what would follow if it were gone"), "{text}");
    assert_eq!(sandbox.records().0.len(), before, "it only looks");
    exec.kill();
    assert_eq!(planned(&sandbox, &[])[0]["owner"], json!("dead"));
    assert_eq!(sandbox.records().0.len(), before, "it only looks");
}

#[test]
fn a_command_that_runs_on_is_found_again_as_was_foretold() {
    let sandbox = Sandbox::new(&waiting_command());
    let exec = sandbox.start(&["exec", "--mode", "auto", "wait"]);
    pid_of_command(&sandbox);
    exec.kill();
    let plan = planned(&sandbox, &[]);
    assert_eq!(then(&plan, "call"), ["attach"]);
    assert_eq!((then(&plan, "turn"), then(&plan, "step")), (vec!["interrupt"], vec!["interrupt"]));
    sandbox.write("go", "");
    sandbox.run(&["resume"]).ended(0);
    let records = sandbox.records();
    assert_eq!((records.count("tool/start"), records.count("recovery/continuation")), (1, 1));
}

#[test]
fn every_record_of_a_finished_session_can_be_looked_back_at() {
    let sandbox = Sandbox::new(&one_command());
    sandbox.run(&["exec", "--mode", "auto", "ask the shell"]).ended(0);
    let records = sandbox.records();
    let count = records.0.len() as u64;
    for at in 1..=count {
        let plan = planned(&sandbox, &["--at", &at.to_string()]);
        assert_eq!((plan[0]["after"].as_u64(), plan[0]["of"].as_u64()), (Some(at), Some(count)));
        assert_eq!(plan[1]["then"], "take_over", "{plan:?}");
    }
    let (started, machine) = started(&sandbox);
    let shown = sandbox.run(&["recover", "--dry-run", "--at", &started.to_string()]).ended(0);
    insta::assert_snapshot!(sandbox.shown(&shown).replace(&machine, "[machine]"));
    assert_eq!(then(&planned(&sandbox, &[]), "session"), ["take_over", "rest"]);
    let beyond = sandbox.run(&["recover", "--dry-run", "--at", &(count + 1).to_string()]).ended(1);
    assert!(beyond.stderr.contains(&format!("the log ends with record {count}")), "{beyond:?}");
    assert_eq!(sandbox.records().0.len() as u64, count, "it only looks");
    sandbox.run(&["recover"]).ended(2);
}

#[test]
fn a_store_that_cannot_be_written_can_be_looked_at() {
    let sandbox = Sandbox::new(&one_command());
    sandbox.run(&["exec", "--mode", "auto", "ask the shell"]).ended(0);
    let folder = sandbox.data();
    let set = |mode| std::fs::set_permissions(folder, std::fs::Permissions::from_mode(mode)).unwrap();
    set(0o500);
    let plan = planned(&sandbox, &[]);
    set(0o700);
    assert_eq!(then(&plan, "session"), ["take_over", "rest"]);
}
