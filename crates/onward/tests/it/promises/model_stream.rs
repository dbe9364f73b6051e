//! SIGKILL in a model stream: the attempt is *interrupted* with its partial text and its use, and a new attempt follows.

use onward_event::{AttemptEnd, AttemptOutcome, Event, UsageSource};
use serde_json::json;

use crate::support::{Records, Sandbox};

/// How each attempt ended.
fn ends(records: &Records) -> Vec<AttemptEnd> {
    records.all(|event| match event {
        Event::AttemptEnd(end) => Some(end.clone()),
        _ => None,
    })
}

#[test]
fn what_a_model_had_said_is_kept_and_it_is_asked_again() {
    let text = (0..2000).map(|n| format!("word{n} ")).collect::<String>();
    let sandbox = Sandbox::new(&json!({ "steps": [{ "text": text, "delta_ms": 30 }] }));
    let exec = sandbox.start(&["exec", "speak at length"]);
    let (attempt, side) = sandbox.until_side();
    exec.kill();
    assert_eq!(ends(&sandbox.records()), [], "nobody was left to say how it ended");

    sandbox.set_script(&json!({ "final": "In short." }));
    let resumed = sandbox.run(&["resume"]).ended(0);
    assert_eq!(resumed.stdout, "In short.\n");
    let records = sandbox.records();
    let [first, second] = ends(&records).try_into().unwrap();
    assert_eq!((first.attempt, &first.outcome), (attempt, &AttemptOutcome::Interrupted));
    assert!(first.partial.starts_with(&side) && text.starts_with(&first.partial), "{}", first.partial);
    assert_eq!(first.usage.source, UsageSource::Estimated);
    assert!(first.usage.input > 0 && first.usage.output > 0, "what was paid for counts: {:?}", first.usage);
    assert_eq!((&second.outcome, second.partial.as_str()), (&AttemptOutcome::Accepted, ""));

    let asked = records.all(|event| match event {
        Event::AttemptStart(start) => Some(start.attempt),
        _ => None,
    });
    assert_eq!(asked, [first.attempt, second.attempt], "asked twice, and not more often");
    assert_eq!((records.count("inbox/received"), records.count("assistant/accepted")), (1, 1));
    let request = sandbox.run(&["request", "show", &asked[1].to_string()]).ended(0).stdout;
    assert!(!request.contains("word0"), "the model does not see what was not accepted");
    assert!(sandbox.run(&["show"]).ended(0).stdout.contains("In short."));
    sandbox.assert_checked();
}
