//! Several processes on one session: one works, others watch, steer, and are refused.

use insta::assert_snapshot;
use onward_event::{Event, MessageId, Seq, StepId, TurnId};
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::interrupts::{pid_of_command, waiting_command};
use crate::support::{Records, Sandbox, eventually};

/// A run that waits in the middle until the test lets it go on.
struct Working {
    sandbox: Sandbox,
    exec: crate::support::Running,
}

impl Working {
    fn start() -> Self {
        let sandbox = Sandbox::new(&waiting_command());
        let exec = sandbox.start(&["exec", "--mode", "auto", "wait"]);
        pid_of_command(&sandbox);
        Self { sandbox, exec }
    }

    /// Lets it come to its end.
    fn finish(self) -> Sandbox {
        self.sandbox.write("go", "");
        self.exec.wait().ended(0);
        self.sandbox.assert_checked();
        self.sandbox
    }
}

/// The id of the message with these words.
fn message(records: &Records, words: &str) -> MessageId {
    let found = records.all(|event| match event {
        Event::InboxReceived(received) => {
            let text = onward_event::text_of(&received.message.content);
            (text == words).then_some(received.message.id)
        }
        _ => None,
    });
    assert_eq!(found.len(), 1, "`{words}` is there once");
    found[0]
}

/// The turn in which, and the step with whose request the model was shown a message.
fn shown_in(records: &Records, id: MessageId) -> (TurnId, u32) {
    let steps = records.all(|event| match event {
        Event::StepStart(start) => Some((start.step, start.turn, start.index)),
        _ => None,
    });
    let included: Vec<StepId> = records.all(|event| match event {
        Event::RequestPrepared(prepared) => prepared.includes.contains(&id).then_some(prepared.step),
        _ => None,
    });
    assert_eq!(included.len(), 1, "it is included once");
    let (_, turn, index) = steps.iter().find(|(step, ..)| *step == included[0]).unwrap();
    (*turn, *index)
}

#[test]
fn a_message_steers_the_running_turn() {
    let working = Working::start();
    let sent = working.sandbox.run(&["send", "and hurry"]).ended(0);
    assert_snapshot!(working.sandbox.shown(&sent));
    let sandbox = working.finish();
    let records = sandbox.records();
    let (first, steer) = (message(&records, "wait"), message(&records, "and hurry"));
    let (turn, index) = shown_in(&records, steer);
    assert_eq!((turn, index), (shown_in(&records, first).0, 2), "in the same turn, with its next step");
    assert_eq!(records.count("turn/start"), 1);
    assert!(sandbox.run(&["show"]).ended(0).stdout.contains("> and hurry"));
}

#[test]
fn a_follow_up_is_a_turn_of_its_own() {
    let working = Working::start();
    working.sandbox.run(&["send", "--follow-up", "then rest"]).ended(0);
    let sandbox = working.finish();
    let records = sandbox.records();
    let (first, second) = (message(&records, "wait"), message(&records, "then rest"));
    assert_ne!(shown_in(&records, first).0, shown_in(&records, second).0);
    assert_eq!(records.count("turn/start"), 2);
}

#[test]
fn who_follows_sees_every_record_as_it_comes() {
    let working = Working::start();
    let mut plain = working.sandbox.start(&["log", "--follow"]);
    let mut json = working.sandbox.start(&["log", "--follow", "--json"]);
    plain.expect("tool/start");
    json.expect("tool.started");
    let id = working.sandbox.session().to_string();
    let sandbox = working.finish();
    plain.expect("owner/released");
    json.expect("turn.ended");
    assert!(plain.is_running() && json.is_running(), "until they are told to stop");
    for (follower, args) in [(plain, vec!["log", &id]), (json, vec!["log", &id, "--json"])] {
        follower.signal(Signal::INT);
        let followed = follower.wait().ended(0);
        assert_eq!(followed.stdout, sandbox.run(&args).ended(0).stdout);
    }
}

#[test]
fn a_second_owner_is_refused() {
    let working = Working::start();
    let sandbox = &working.sandbox;
    assert!(sandbox.run(&["sessions"]).ended(0).stdout.contains("running"));
    let before = sandbox.records().0.len();
    let resume = sandbox.run(&["resume"]).ended(1);
    assert_snapshot!("second_resume", sandbox.shown(&resume));
    let id = sandbox.session().to_string();
    let mut talk = sandbox.start_talking(&["--session", &id]);
    talk.end_of_input();
    let talk = talk.wait().ended(1);
    assert_snapshot!("second_conversation", sandbox.shown(&talk));
    assert_eq!(sandbox.records().0.len(), before, "nothing was written");
    working.finish();
}

#[test]
fn of_many_that_want_to_resume_one_does() {
    let sandbox = Sandbox::new(&json!({ "steps": [{ "text": "never said", "hang": true }] }));
    let exec = sandbox.start(&["exec", "think"]);
    sandbox.until("attempt/start", 1);
    exec.kill();
    // Whoever gets it comes to a question.
    sandbox.set_script(&waiting_command());
    let rivals: Vec<_> = (0..4).map(|_| sandbox.start(&["resume"])).collect();
    let codes: Vec<i32> = rivals.into_iter().map(|rival| rival.wait().code()).collect();
    let winners = codes.iter().filter(|code| **code == 3).count();
    assert!(winners >= 1, "one must have come to the question: {codes:?}");
    assert!(codes.iter().all(|code| [1, 3].contains(code)), "{codes:?}");
    let records = sandbox.records();
    assert_eq!(records.count("approval/requested"), 1, "the work was done once: {codes:?}");
    sandbox.assert_checked();
}

#[test]
fn a_message_to_a_session_at_rest_is_worked_on() {
    let sandbox = Sandbox::new(&json!({ "final": "Done." }));
    sandbox.run(&["exec", "first"]).ended(0);
    let sent = sandbox.run(&["send", "second"]).ended(0);
    assert_eq!(sent.stdout, "Done.\n");
    assert_eq!(sandbox.records().count("turn/end"), 2);
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
