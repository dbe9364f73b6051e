//! A foreground command that is sent to the background while it runs.

use serde_json::json;

use super::job::{COMMAND, assert_ended_well, began};
use crate::support::Sandbox;

#[test]
fn its_call_is_answered_with_a_job_and_the_command_runs_on() {
    let sandbox = Sandbox::new(&json!({ "steps": [
        { "calls": [{ "tool": "shell", "input": { "command": COMMAND } }] },
        { "text": "It goes on." },
    ], "final": "It ended." }));
    let exec = sandbox.start(&["exec", "--mode", "auto", "run it"]);
    began(&sandbox);
    sandbox.run(&["background"]).ended(0);
    let records = sandbox.until("turn/end", 1);
    assert_eq!((records.count("job/started"), records.count("job/phase")), (1, 0));
    // It has run since it was begun in the foreground.
    let start = records.0.iter().find(|record| record.event.kind() == "tool/start").unwrap().at;
    let list = sandbox.run(&["jobs", "--json"]).ended(0).stdout;
    let line: serde_json::Value = serde_json::from_str(list.trim()).unwrap();
    assert_eq!(line["started"], json!(start));
    let again = sandbox.run(&["background"]);
    again.ended(1);
    sandbox.write("go", "");
    assert_eq!(exec.wait().ended(0).stdout, "It goes on.\nIt ended.\n");
    assert_ended_well(&sandbox);
}
