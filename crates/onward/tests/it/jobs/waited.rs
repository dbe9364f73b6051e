//! Waiting for the end of a job, and no longer than a limit: by the command line and by the model.

use serde_json::{Value, json};

use super::job::{COMMAND, assert_ended_well, running, script};
use super::ranges::{answered, left};
use crate::support::{Sandbox, eventually, kill_supervisor};

#[test]
fn the_limit_has_an_exit_code_of_its_own_and_changes_nothing() {
    let (sandbox, job) = left();
    let before = sandbox.records().0.len();
    let waited = sandbox.run(&["jobs", "wait", &job, "--timeout", "1s"]).ended(8);
    assert!(waited.stdout.starts_with(&format!("{job}  running")), "{waited:?}");
    assert!(waited.stderr.contains("it still runs; nothing was changed"), "{waited:?}");
    assert_eq!(sandbox.records().0.len(), before);
    sandbox.assert_checked();
}

#[test]
fn the_end_is_waited_for_while_another_process_works_on_the_session() {
    let sandbox = Sandbox::new(&script(COMMAND));
    let exec = running(&sandbox, &[]);
    let job = super::job::id(&sandbox.records());
    let waiting = sandbox.start(&["jobs", "wait", &job, "--json"]);
    sandbox.write("go", "");
    let waited = waiting.wait().ended(0);
    let line: Value = serde_json::from_str(waited.stdout.trim()).unwrap();
    assert_eq!((&line["job"], &line["phase"]), (&json!(job), &json!("completed")));
    exec.wait().ended(0);
    assert_ended_well(&sandbox);
    let again = sandbox.run(&["jobs", "wait", &job]).ended(0);
    assert!(again.stdout.contains("completed"), "{again:?}");
}

#[test]
fn the_end_is_told_also_where_nobody_works_on_the_session() {
    let (sandbox, job) = left();
    let waiting = sandbox.start(&["jobs", "wait", &job]);
    sandbox.write("go", "");
    let waited = waiting.wait().ended(0);
    let told = format!("its command has ended with exit code 0; `onward resume {}`", sandbox.session());
    assert!(waited.stderr.contains(&told), "{waited:?}");
    assert_eq!(sandbox.run(&["resume"]).ended(0).stdout, "It ended.\n");
    assert_ended_well(&sandbox);
}

#[test]
fn nobody_can_tell_what_became_of_one_whose_supervisor_was_killed() {
    let (sandbox, job) = left();
    kill_supervisor(&sandbox);
    let waited = eventually("the supervisor is gone", || {
        let waited = sandbox.run(&["jobs", "wait", &job, "--timeout", "1s"]);
        (waited.code() != 8).then_some(waited)
    });
    assert!(waited.ended(5).stderr.contains("nobody can tell by machine"));
}

#[test]
fn the_model_waits_no_longer_than_it_says() {
    let (sandbox, job) = left();
    let wait = json!({ "tool": "job_wait", "input": { "job": job, "seconds": 1 } });
    let answers = answered(&sandbox, &[wait]);
    assert!(
        answers[0].starts_with("still running after 1 s; you will be told when it ends\n"),
        "{answers:?}"
    );
    assert!(answers[0].contains(&job), "{answers:?}");
    sandbox.assert_checked();
}
