//! An outcome that is unknown is settled by the person, in the conversation, who sees what is known.

use onward_event::{Event, ResolvedVerdict};

use crate::support::{Running, Sandbox, fatal_command, kill_its_supervisor};

/// A conversation that asks what became of a call.
fn asked(sandbox: &Sandbox) -> Running {
    let mut talk = sandbox.start_talking(&["--mode", "auto"]);
    talk.expect("\n> ");
    talk.say("tag the release");
    kill_its_supervisor(sandbox);
    talk.expect("nobody can tell by machine what became of this");
    talk.expect("echo tagged");
    talk.expect("its supervisor was killed while it ran");
    talk.expect("what became of it: ");
    talk
}

fn settled(sandbox: &Sandbox) -> Vec<(ResolvedVerdict, String)> {
    sandbox.records().all(|event| match event {
        Event::ReconciliationResolved(resolved) => Some((resolved.verdict, resolved.evidence.clone())),
        _ => None,
    })
}

#[test]
fn the_person_says_what_happened_and_the_work_goes_on() {
    for (line, verdict, evidence) in [
        ("1 the tag is there", ResolvedVerdict::Applied, "the tag is there"),
        ("2", ResolvedVerdict::NotApplied, ""),
        ("3", ResolvedVerdict::GoOn, ""),
    ] {
        let sandbox = Sandbox::new(&fatal_command());
        let mut talk = asked(&sandbox);
        talk.say("yes");
        talk.expect("that is no answer");
        assert_eq!(settled(&sandbox), []);
        talk.say(line);
        talk.expect("I go on.");
        talk.expect("\n> ");
        talk.say("/quit");
        talk.wait().ended(0);
        assert_eq!(settled(&sandbox), [(verdict, evidence.to_owned())]);
        assert_eq!(sandbox.read("ledger"), "tagged\n", "it is not run again");
        sandbox.assert_checked();
    }
}

#[test]
fn what_is_left_open_is_asked_again_by_the_next_conversation_and_seen_in_every_view() {
    let sandbox = Sandbox::new(&fatal_command());
    let mut talk = asked(&sandbox);
    talk.say("4");
    talk.expect("it stays open");
    talk.expect("\n> ");
    talk.say("/quit");
    talk.wait().ended(5);
    assert_eq!(settled(&sandbox), []);

    let said = |args: &[&str]| sandbox.run(args).ended(0).stdout;
    assert!(said(&["sessions"]).contains("outcome unknown"), "{}", said(&["sessions"]));
    assert!(said(&["sessions", "--json"]).contains(r#""standing":"outcome_unknown""#));
    assert!(said(&["show"]).contains("its supervisor was killed while it ran"));
    assert!(said(&["log"]).contains("unknown: It was started; its supervisor was killed"));
    assert!(said(&["log", "--json"]).contains("outcome_unknown"));

    let mut talk = sandbox.start_talking(&[]);
    talk.expect("has an action of unknown outcome");
    talk.expect("Go on with it? [Y/n] ");
    talk.say("y");
    talk.expect("what became of it: ");
    talk.end_of_input();
    talk.wait().ended(5);
}
