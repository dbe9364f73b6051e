//! `recover --dry-run`: foresight of sessions that were cut off, of one that another process works on, and of one that
//! lies where nothing can be written; and that it only looks.

use std::os::unix::fs::PermissionsExt as _;

use onward_event::{Event, Handle, Seq};
use serde_json::{Value, json};

use crate::support::{
    Sandbox, change, copy_folder, cut_behind, fatal_command, hanging, kill_its_supervisor, one_command,
    pid_of_command, waiting_command,
};

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

/// What the plan says beyond its first line, which says where the log ends.
fn items(plan: &[Value]) -> &[Value] {
    &plan[1..]
}

/// Looks back at every record of a session on which nobody works: what is said is what is said of a log that really ends
/// there.
fn assert_every_record_can_be_looked_back_at(sandbox: &Sandbox) {
    let count = sandbox.records().0.len() as u64;
    let folder = sandbox.path().join("cut");
    copy_folder(sandbox.data(), &folder);
    let place = ["--data-dir", folder.to_str().unwrap(), "recover", "--dry-run", "--json"];
    for at in (1..=count).rev() {
        let plan = planned(sandbox, &["--at", &at.to_string()]);
        assert_eq!((plan[0]["after"].as_u64(), plan[0]["of"].as_u64()), (Some(at), Some(count)));
        assert_eq!(items(&plan)[0]["then"], "take_over", "{at}: {plan:?}");
        cut_behind(&folder, at);
        let cut = sandbox.run(&place).ended(0);
        let cut: Vec<Value> = cut.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!((cut[0]["after"].as_u64(), cut[0]["of"].as_u64()), (Some(at), Some(at)));
        assert_eq!(items(&plan), items(&cut), "{at} of {count}");
    }
    assert_eq!(sandbox.records().0.len() as u64, count, "it only looks");
}

#[test]
fn every_record_can_be_looked_back_at_where_a_question_was_asked() {
    let call = json!({ "tool": "shell", "input": { "command": "echo went >> ledger" } });
    let sandbox = Sandbox::new(&json!({ "steps": [{ "calls": [call] }, { "text": "It went." }] }));
    sandbox.run(&["exec", "run it"]).ended(3);
    sandbox.run(&["approve"]).ended(0);
    assert_eq!(sandbox.records().count("approval/resolved"), 1);
    assert_every_record_can_be_looked_back_at(&sandbox);
}

#[test]
fn every_record_can_be_looked_back_at_where_a_turn_was_interrupted() {
    let sandbox = Sandbox::new(&waiting_command());
    let exec = sandbox.start(&["exec", "--mode", "auto", "wait"]);
    pid_of_command(&sandbox);
    sandbox.run(&["interrupt"]).ended(0);
    exec.wait().ended(130);
    let records = sandbox.records();
    assert_eq!((records.count("interrupt/requested"), records.count("tool/cancelled")), (1, 1));
    assert_every_record_can_be_looked_back_at(&sandbox);
}

#[test]
fn every_record_can_be_looked_back_at_where_an_outcome_is_unknown() {
    let sandbox = Sandbox::new(&fatal_command());
    let exec = sandbox.start(&["exec", "--mode", "auto", "tag it"]);
    kill_its_supervisor(&sandbox);
    exec.wait().ended(5);
    let call = sandbox.records().all(|event| match event {
        Event::ToolOutcomeUnknown(unknown) => Some(unknown.call.to_string()),
        _ => None,
    });
    assert_eq!(then(&planned(&sandbox, &[]), "unknown").len(), 1);
    sandbox.run(&["reconcile", &call[0], "--applied"]).ended(0);
    assert_every_record_can_be_looked_back_at(&sandbox);
}

#[test]
fn every_record_can_be_looked_back_at_where_a_job_ran() {
    let job = json!({ "tool": "shell", "input": { "command": "echo went >> ledger", "background": true } });
    let sandbox = Sandbox::new(&json!({ "steps": [{ "calls": [job] }], "final": "It ended." }));
    sandbox.run(&["exec", "--mode", "auto", "run it"]).ended(0);
    let records = sandbox.records();
    assert_eq!((records.count("job/started"), records.count("job/phase")), (1, 1));
    assert_every_record_can_be_looked_back_at(&sandbox);
}

#[test]
fn a_damaged_record_ends_the_plan_and_hides_nothing_before_it() {
    let sandbox = Sandbox::new(&one_command());
    sandbox.run(&["exec", "--mode", "auto", "ask the shell"]).ended(0);
    let count = sandbox.records().0.len() as u64;
    let plans: Vec<Vec<Value>> =
        (1..=count).map(|at| planned(&sandbox, &["--at", &at.to_string()])).collect();
    for bad in [count, count / 2, 2] {
        let folder = sandbox.path().join(format!("damaged-{bad}"));
        copy_folder(sandbox.data(), &folder);
        change(&folder, bad, |bytes| bytes[..bytes.len() / 2].to_vec());
        let place = ["--data-dir", folder.to_str().unwrap(), "recover", "--dry-run"];
        let look = |args: &[&str]| sandbox.run(&[place.as_slice(), args].concat());
        for at in [1, 2, bad - 1] {
            if at >= bad {
                continue;
            }
            let done = look(&["--json", "--at", &at.to_string()]).ended(0);
            let lines: Vec<Value> =
                done.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            assert_eq!(items(&lines), items(&plans[at as usize - 1]), "{at} of {bad}");
        }
        // Without an end that was asked for, and beyond the damage: what is whole, and the damage by name.
        for args in [vec!["--json"], vec!["--json", "--at", &count.to_string()]] {
            let done = look(&args).ended(1);
            let lines: Vec<Value> =
                done.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            assert_eq!((lines[0]["after"].as_u64(), &lines[0]["damaged"]), (Some(bad - 1), &json!(true)));
            assert_eq!(items(&lines), items(&plans[bad as usize - 2]), "{bad}");
            assert!(done.stderr.contains(&format!("damaged at record {bad}")), "{done:?}");
        }
        if bad == 2 {
            insta::assert_snapshot!("damaged_plan", sandbox.shown(&look(&[]).ended(1)));
        }
    }
}
