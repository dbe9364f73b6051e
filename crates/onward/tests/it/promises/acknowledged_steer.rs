//! SIGKILL after a steer was acknowledged: the text is in the log, and is delivered, once.

use onward_event::{Event, text_of};

use super::working::Working;
use crate::support::{Sandbox, hanging, message, shown_in};

/// It is in the log now, whoever lives.
fn assert_recorded(sandbox: &Sandbox, words: &str) {
    let texts = sandbox.records().all(|event| match event {
        Event::InboxReceived(received) => Some(text_of(&received.message.content)),
        _ => None,
    });
    assert!(texts.iter().any(|text| text == words), "{texts:?}");
}

/// The model was shown it, once, in the run of the task.
fn assert_delivered(sandbox: &Sandbox, words: &str) {
    let records = sandbox.records();
    let (step_turn, _) = shown_in(&records, message(&records, words));
    let turns = records.all(|event| match event {
        Event::TurnStart(start) => Some((start.turn, start.run)),
        _ => None,
    });
    let run = |turn| turns.iter().find(|(found, _)| *found == turn).map(|(_, run)| *run);
    assert_eq!(run(step_turn), turns.first().map(|(_, run)| *run), "it steers the task that ran");
    let attempts = records.all(|event| match event {
        Event::AttemptStart(start) => Some(start.attempt.to_string()),
        _ => None,
    });
    let request = sandbox.run(&["request", "show", attempts.last().unwrap()]).ended(0).stdout;
    assert_eq!(request.matches(words).count(), 1, "{request}");
    sandbox.assert_checked();
}

#[test]
fn while_a_command_runs() {
    let Working { sandbox, exec } = Working::start();
    sandbox.run(&["send", "and mind the gap"]).ended(0);
    exec.kill();
    assert_recorded(&sandbox, "and mind the gap");
    sandbox.write("go", "");
    assert_eq!(sandbox.run(&["resume"]).ended(0).stdout, "It went.\n");
    assert_delivered(&sandbox, "and mind the gap");
}

#[test]
fn while_the_model_is_asked() {
    let sandbox = Sandbox::new(&hanging());
    let exec = sandbox.start(&["exec", "think of a number"]);
    sandbox.until("attempt/start", 1);
    sandbox.run(&["send", "and mind the gap"]).ended(0);
    exec.kill();
    assert_recorded(&sandbox, "and mind the gap");
    sandbox.set_script(&serde_json::json!({ "final": "Both." }));
    assert_eq!(sandbox.run(&["resume"]).ended(0).stdout, "Both.\n");
    assert_delivered(&sandbox, "think of a number");
    assert_delivered(&sandbox, "and mind the gap");
}

#[test]
fn by_an_owner_that_is_killed_once_more_before_it_could_deliver_it() {
    let Working { sandbox, exec } = Working::start();
    sandbox.run(&["send", "and mind the gap"]).ended(0);
    exec.kill();
    let second = sandbox.start(&["resume"]);
    sandbox.until("owner/acquired", 2);
    second.kill();
    sandbox.write("go", "");
    assert_eq!(sandbox.run(&["resume"]).ended(0).stdout, "It went.\n");
    assert_delivered(&sandbox, "and mind the gap");
}
