//! Two processes want one session: one owns it, the other follows it and feeds it; nothing forks, nothing is mixed.

use insta::assert_snapshot;
use onward_event::{Epoch, Event, Seq};
use rustix::process::Signal;
use serde_json::json;

use super::working::Working;
use crate::support::{Records, Sandbox, message, shown_in, waiting_command};

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

/// Who owned the session in turn: under which epoch, and with which record that ended, if it ended in order. Every record
/// of an owner is of the one that owns it at that moment.
fn ownerships(records: &Records) -> Vec<(Epoch, Option<Seq>)> {
    let mut owned: Vec<(Epoch, Option<Seq>)> = Vec::new();
    for record in &records.0 {
        if let Event::OwnerAcquired(acquired) = &record.event {
            assert!(owned.last().is_none_or(|(epoch, _)| *epoch < acquired.epoch), "record {}", record.seq);
            owned.push((acquired.epoch, None));
        }
        let Some(epoch) = record.epoch else { continue };
        let last = owned.last_mut().unwrap();
        assert_eq!(*last, (epoch, None), "record {} is of somebody who owns nothing", record.seq);
        if let Event::OwnerReleased(_) = &record.event {
            last.1 = Some(record.seq);
        }
    }
    owned
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
    assert!(codes.contains(&3), "one must have come to the question: {codes:?}");
    assert!(codes.iter().all(|code| [1, 3].contains(code)), "{codes:?}");
    let records = sandbox.records();
    assert_eq!(records.count("approval/requested"), 1, "the work was done once: {codes:?}");
    // The first owner was killed. Of the others one comes after the other: nobody begins before the one before has ended,
    // nobody writes between, and each that owned it ended with the question.
    let owned = ownerships(&records);
    assert_eq!(owned.first(), Some(&(Epoch(1), None)), "{owned:?}");
    assert!(owned[1..].iter().all(|(_, released)| released.is_some()), "no two at once: {owned:?}");
    assert_eq!(owned.len() - 1, codes.iter().filter(|code| **code == 3).count(), "{owned:?} {codes:?}");
    sandbox.assert_checked();
}

#[test]
fn one_owns_it_and_the_other_follows_and_feeds_it() {
    let working = Working::start();
    let sandbox = &working.sandbox;
    let refused = sandbox.run(&["resume"]).ended(1);
    // What it is told to do instead works as it stands.
    let hint = refused.stderr.lines().find_map(|line| line.strip_prefix("hint: ")).unwrap();
    let commands: Vec<Vec<&str>> =
        hint.split('`').skip(1).step_by(2).map(|command| command.split(' ').skip(1).collect()).collect();
    let [follow, speak] = commands.as_slice() else { panic!("{hint}") };
    let mut follower = sandbox.start(follow);
    follower.expect("tool/start");
    sandbox.run(&[speak.as_slice(), &["and hurry"]].concat()).ended(0);
    follower.expect("inbox/received");
    let sandbox = working.finish();
    follower.expect("turn/end");
    follower.signal(Signal::INT);
    follower.wait().ended(0);

    let records = sandbox.records();
    let (task, fed) = (message(&records, "wait"), message(&records, "and hurry"));
    assert_eq!(shown_in(&records, task).0, shown_in(&records, fed).0, "in the turn of the one that owns it");
    assert_eq!(records.count("owner/acquired"), 1, "there was no other owner");
    assert_eq!(sandbox.run(&["sessions", "--all"]).ended(0).stdout.lines().count(), 1, "nothing forked");
}

#[test]
fn an_owner_that_only_stands_still_is_the_owner() {
    let working = Working::start();
    working.exec.signal(Signal::STOP);
    let refused = working.sandbox.run(&["resume"]);
    working.exec.signal(Signal::CONT);
    refused.ended(1);
    let sandbox = working.finish();
    assert_eq!(sandbox.records().count("owner/acquired"), 1);
}
