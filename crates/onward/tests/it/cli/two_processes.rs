//! Several processes beside one another: on one session, and each on its own.

use insta::assert_snapshot;
use onward_event::Seq;
use serde_json::{Value, json};

use crate::support::{Sandbox, eventually, message, shown_in};

#[test]
fn a_message_to_a_session_at_rest_is_worked_on() {
    let sandbox = Sandbox::new(&json!({ "final": "Done." }));
    sandbox.run(&["exec", "first"]).ended(0);
    let sent = sandbox.run(&["send", "second"]).ended(0);
    assert_eq!(sent.stdout, "Done.\n");
    let records = sandbox.records();
    assert_eq!(records.count("turn/end"), 2);
    let named = format!("{} is recorded in {}\n", message(&records, "second"), sandbox.session());
    assert!(sent.stderr.starts_with(&named), "{sent:?}");
}

#[test]
fn a_message_is_only_recorded_where_that_is_wanted() {
    let sandbox = Sandbox::new(&json!({ "final": "Done." }));
    sandbox.run(&["exec", "first"]).ended(0);
    let before = sandbox.records().0.len() as u64;
    let sent = sandbox.run(&["send", "--no-run", "second"]).ended(0);
    assert_snapshot!(sandbox.shown(&sent));
    sandbox.run(&["send", "--inject", "by the way"]).ended(0);
    let records = sandbox.records();
    let added: Vec<_> = records.0.iter().filter(|record| record.seq > Seq(before)).collect();
    assert!(added.iter().all(|record| record.event.kind() == "inbox/received"), "{added:?}");
    assert_eq!(added.len(), 2);
    assert_eq!(sandbox.run(&["resume"]).ended(0).stdout, "Done.\n");
    let records = sandbox.records();
    assert_eq!(records.count("turn/start"), 2);
    let (second, aside) = (message(&records, "second"), message(&records, "by the way"));
    assert_eq!(shown_in(&records, second), shown_in(&records, aside), "both with the next step");
    sandbox.assert_checked();
}

#[test]
fn sessions_beside_one_another_do_not_meet() {
    let script: Value = json!({ "steps": [
        { "calls": [{ "tool": "shell", "input": { "command": "echo line >> ledger" } }] },
        { "text": "Written." },
    ] });
    let sandbox = Sandbox::new(&script);
    let running: Vec<_> = (0..6).map(|_| sandbox.start(&["exec", "--mode", "auto", "write"])).collect();
    for exec in running {
        assert_eq!(exec.wait().ended(0).stdout, "Written.\n");
    }
    assert_eq!(sandbox.read("ledger"), "line\n".repeat(6));
    let checked = sandbox.run(&["check", "--all"]).ended(0);
    assert_eq!(checked.stdout.lines().count(), 6, "{checked:?}");
    eventually("all are done", || {
        let shown = sandbox.run(&["sessions"]).ended(0).stdout;
        (shown.matches("  done  ").count() == 6).then_some(())
    });
}
