//! SIGKILL with two calls, one finished: the result of the finished one is on the log, and stays what it was.

use onward_event::{CallId, Event, ResultStatus, text_of};
use serde_json::json;

use crate::support::{Records, Sandbox, pid_of_command};

/// Which calls are answered, how, and with which words.
fn results(records: &Records) -> Vec<(CallId, ResultStatus, String)> {
    records.all(|event| match event {
        Event::ToolResult(result) => Some((result.call, result.status.clone(), text_of(&result.content))),
        _ => None,
    })
}

/// The bytes of the last request.
fn last_request(sandbox: &Sandbox) -> String {
    let attempts = sandbox.records().all(|event| match event {
        Event::AttemptStart(start) => Some(start.attempt),
        _ => None,
    });
    let last = attempts.last().unwrap().to_string();
    sandbox.run(&["request", "show", &last]).ended(0).stdout
}

#[test]
fn its_result_is_on_the_log_and_it_is_not_done_again() {
    let wait = "echo $$ > pid; while [ ! -e go ]; do sleep 0.05; done; echo second >> ledger; echo also-done";
    let sandbox = Sandbox::new(&json!({ "steps": [
        { "calls": [
            { "tool": "shell", "input": { "command": "echo first >> ledger; echo surely-done" } },
            { "tool": "shell", "input": { "command": wait } },
        ] },
        { "text": "Both." },
    ] }));
    let exec = sandbox.start(&["exec", "--mode", "auto", "two things"]);
    sandbox.until("tool/result", 1);
    pid_of_command(&sandbox);
    exec.kill();
    let left = results(&sandbox.records());
    let [(first, ResultStatus::Ok, text)] = left.as_slice() else { panic!("{left:?}") };
    assert!(text.contains("surely-done"), "{text}");

    sandbox.write("go", "");
    assert_eq!(sandbox.run(&["resume"]).ended(0).stdout, "Both.\n");
    let records = sandbox.records();
    let now = results(&records);
    assert_eq!((now.len(), &now[0]), (2, &left[0]), "the first answer is what it was");
    assert!(now[1].0 != *first && now[1].1 == ResultStatus::Ok, "{now:?}");
    assert_eq!((records.count("tool/start"), records.count("tool/cancelled")), (2, 0));
    assert_eq!(sandbox.read("ledger"), "first\nsecond\n");
    let request = last_request(&sandbox);
    assert!(request.contains("surely-done") && request.contains("also-done"), "{request}");
    sandbox.assert_checked();
}
