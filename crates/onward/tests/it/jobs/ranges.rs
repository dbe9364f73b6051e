//! Parts of what a job has said, by the command line and by the model.

use onward_event::{Event, text_of};
use serde_json::{Value, json};

use super::job::{COMMAND, began, id, running, script};
use crate::support::{Sandbox, eventually};

/// A job that has said `begun`, and goes on under its supervisor.
pub(super) fn left() -> (Sandbox, String) {
    let sandbox = Sandbox::new(&script(COMMAND));
    running(&sandbox, &["--jobs", "leave"]).wait().ended(0);
    began(&sandbox);
    let job = id(&sandbox.records());
    let said = || sandbox.run(&["jobs", "output", &job]).ended(0).stdout;
    eventually("its output", || (said() == "begun\n").then_some(()));
    (sandbox, job)
}

/// What the calls of the model's next step are answered with.
pub(super) fn answered(sandbox: &Sandbox, calls: &[Value]) -> Vec<String> {
    let said = json!({ "text": "said before" });
    sandbox.set_script(&json!({ "steps": [said, said, { "calls": calls }], "final": "Done." }));
    let session = sandbox.session().to_string();
    sandbox.run(&["exec", "--session", &session, "look"]).ended(0);
    let mut all = sandbox.records().all(|event| match event {
        Event::ToolResult(result) => Some(text_of(&result.content)),
        _ => None,
    });
    all.split_off(all.len() - calls.len())
}

#[test]
fn a_range_of_bytes_is_shown_while_it_runs_and_afterwards() {
    let (sandbox, job) = left();
    let output = |range: &[&str]| sandbox.run(&[&["jobs", "output", &job], range].concat());
    let some = output(&["--offset", "2", "--limit", "3"]).ended(0);
    assert_eq!((some.stdout.as_str(), some.stderr.as_str()), ("gun", "bytes 2 to 5 of 6 so far\n"));
    assert_eq!(output(&["--offset", "2"]).ended(0).stdout, "gun\n");
    assert_eq!(output(&["--limit", "3"]).ended(0).stdout, "un\n", "what was said last");
    let none = output(&["--offset", "7"]).ended(2);
    assert!(none.stderr.contains("there is nothing at offset 7: 6 bytes were said"), "{none:?}");
    output(&["--limit", "0"]).ended(2);
    output(&["--limit", "3", "--follow"]).ended(2);
    let follow = sandbox.start(&["jobs", "output", &job, "--offset", "2", "--follow"]);
    sandbox.write("go", "");
    assert_eq!(follow.wait().ended(0).stdout, "gun\nover\n", "also where nobody records its end");
    assert_eq!(sandbox.run(&["resume"]).ended(0).stdout, "It ended.\n", "what ended meanwhile is heard of");
    let some = output(&["--offset", "4", "--limit", "4"]).ended(0);
    assert_eq!((some.stdout.as_str(), some.stderr.as_str()), ("n\nov", "bytes 4 to 8 of 11\n"));
    sandbox.assert_checked();
}

#[test]
fn the_model_reads_a_range_of_bytes() {
    let (sandbox, job) = left();
    let read = |offset: u64, limit: u64| json!({ "tool": "job_output", "input": { "job": job, "offset": offset, "limit": limit } });
    let answers = answered(&sandbox, &[read(2, 3), read(4, 100), read(7, 1)]);
    assert_eq!(answers[0], "gun\n[bytes 2 to 5 of 6; go on with offset 5]\n");
    assert_eq!(answers[1], "n\n[bytes 4 to 6 of 6; no more yet; the job is running, go on with offset 6]\n");
    assert!(answers[2].contains("there are 6 bytes so far"), "{answers:?}");
    sandbox.assert_checked();
}
