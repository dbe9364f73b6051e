//! `onward` alone, with lines typed into a pipe: messages, questions, commands, the end.

use std::os::unix::process::ExitStatusExt as _;

use insta::assert_snapshot;
use onward_event::Event;
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::support::{Sandbox, pid_of_command, waiting_command};

fn asks_before_it_writes() -> Value {
    json!({ "steps": [
        { "text": "I write.", "calls": [{ "tool": "shell", "input": { "command": "echo one >> ledger" } }] },
        { "text": "Written." },
        { "text": "And more.", "calls": [{ "tool": "shell", "input": { "command": "echo two >> ledger" } }] },
        { "text": "More is written." },
    ] })
}

#[test]
fn a_conversation_as_it_is_seen() {
    let sandbox = Sandbox::new(&asks_before_it_writes());
    let mut talk = sandbox.start_talking(&[]);
    talk.expect("\n> ");
    talk.say("write something");
    talk.expect("shell: ");
    talk.say("yes please");
    talk.expect("that is no answer");
    talk.expect("shell: ");
    let decided = sandbox.records().count("approval/resolved");
    assert_eq!((decided, sandbox.read("ledger").as_str()), (0, ""), "words neither approve nor reject");
    talk.say("1");
    talk.expect("Written.");
    talk.expect("\n> ");
    talk.say("/mode auto");
    talk.expect("mode auto");
    talk.expect("\n> ");
    talk.say("more");
    talk.expect("More is written.");
    talk.expect("\n> ");
    talk.say("/quit");
    let done = talk.wait().ended(0);
    assert_eq!(sandbox.read("ledger"), "one\ntwo\n");
    assert_snapshot!(sandbox.shown(&done));
    sandbox.assert_checked();
}

#[test]
fn whoever_leaves_at_a_question_leaves_it_open() {
    let sandbox = Sandbox::new(&asks_before_it_writes());
    let mut talk = sandbox.start_talking(&[]);
    talk.expect("\n> ");
    talk.say("write something");
    talk.expect("shell: ");
    talk.say("wait a moment");
    talk.expect("/quit leaves, and the question stays open");
    talk.expect("shell: ");
    talk.say("/help");
    talk.expect("/mode NAME");
    talk.expect("shell: ");
    talk.say("/jobs");
    talk.expect("no jobs");
    talk.expect("shell: ");
    talk.say("/quit");
    let done = talk.wait().ended(0);
    assert!(done.stdout.contains("the question stays open: `onward approve appr_"), "{done:?}");
    assert_eq!((sandbox.records().count("approval/resolved"), sandbox.read("ledger").as_str()), (0, ""));
    sandbox.run(&["approve"]).ended(0);
    assert_eq!(sandbox.read("ledger"), "one\n");
    sandbox.assert_checked();
}

#[test]
fn a_rejection_with_words() {
    let sandbox = Sandbox::new(&asks_before_it_writes());
    let mut talk = sandbox.start_talking(&[]);
    talk.expect("\n> ");
    talk.say("write something");
    talk.expect("shell: ");
    talk.say("5");
    talk.expect("words for the model: ");
    talk.say("not today");
    talk.expect("\n> ");
    talk.end_of_input();
    talk.wait().ended(0);
    let told = sandbox.records().all(|event| match event {
        Event::ToolDenied(denied) => Some(denied.content.clone()),
        _ => None,
    });
    assert!(told.len() == 1 && told[0].contains("not today"), "{told:?}");
    assert_eq!(sandbox.read("ledger"), "");
    sandbox.assert_checked();
}

#[test]
fn a_line_in_the_middle_steers() {
    let sandbox = Sandbox::new(&waiting_command());
    let mut talk = sandbox.start_talking(&["--mode", "auto"]);
    talk.expect("\n> ");
    talk.say("wait");
    pid_of_command(&sandbox);
    talk.say("and then tell me");
    sandbox.until("inbox/received", 2);
    sandbox.write("go", "");
    talk.expect("It went.");
    talk.expect("\n> ");
    talk.say("/quit");
    talk.wait().ended(0);
    assert_eq!(sandbox.records().count("turn/start"), 1);
    sandbox.assert_checked();
}

/// A command goes on until the file `go` is there, then the model hears of its end.
fn long_command() -> Value {
    let command = "echo $$ > pid; until [ -e go ]; do sleep 0.02; done; echo went >> ledger";
    json!({ "steps": [
        { "calls": [{ "tool": "shell", "input": { "command": command } }] },
        { "text": "It goes on." },
    ], "final": "It has ended." })
}

#[test]
fn a_command_is_sent_to_the_background_and_its_end_is_told_at_the_prompt() {
    let sandbox = Sandbox::new(&long_command());
    let mut talk = sandbox.start_talking(&["--mode", "auto"]);
    talk.expect("\n> ");
    talk.say("/jobs");
    talk.expect("no jobs");
    talk.expect("\n> ");
    talk.say("run it");
    pid_of_command(&sandbox);
    talk.say("/background");
    talk.expect("goes on in the background; /jobs lists jobs");
    talk.expect("It goes on.");
    talk.expect("\n> ");
    talk.say("/background");
    talk.expect("no command runs; nothing was changed");
    talk.expect("\n> ");
    talk.say("/jobs");
    talk.expect("  running  ");
    talk.expect("jobs cancel JOB` ends one");
    talk.expect("\n> ");
    sandbox.write("go", "");
    talk.expect("completed: exit code 0");
    talk.expect("It has ended.");
    talk.expect("\n> ");
    talk.say("/quit");
    let done = talk.wait().ended(0);
    assert!(!done.stdout.contains("a job goes on"), "{done:?}");
    assert_eq!(
        sandbox.records().count("inbox/received"),
        2,
        "a message and the end of the job: no command is one"
    );
    sandbox.assert_checked();
}

/// There is nothing to end in order yet, and nobody is to be kept at a prompt.
#[test]
fn before_the_first_message_a_signal_ends_it() {
    let sandbox = Sandbox::new(&long_command());
    for signal in [Signal::TERM, Signal::INT] {
        let mut talk = sandbox.start_talking(&[]);
        talk.expect("\n> ");
        talk.signal(signal);
        assert_eq!(talk.wait().status.signal(), Some(signal.as_raw()));
    }
    assert!(
        !sandbox.data().join("onward.db").exists() || sandbox.run(&["sessions", "--all"]).stdout.is_empty()
    );
}

#[test]
fn whoever_leaves_is_told_what_goes_on() {
    let sandbox = Sandbox::new(&long_command());
    let mut talk = sandbox.start_talking(&["--mode", "auto", "--jobs", "leave"]);
    talk.expect("\n> ");
    talk.say("run it");
    pid_of_command(&sandbox);
    talk.say("/background");
    talk.expect("It goes on.");
    talk.expect("\n> ");
    talk.say("/quit");
    let done = talk.wait().ended(0);
    assert!(done.stdout.contains("a job goes on under its supervisor: job_"), "{done:?}");
    sandbox.write("go", "");
    sandbox.run(&["resume"]).ended(0);
    assert_eq!(sandbox.read("ledger"), "went\n");
    sandbox.assert_checked();
}

#[test]
fn commands_in_the_middle_are_no_messages_and_leaving_waits_for_the_end() {
    let sandbox = Sandbox::new(&waiting_command());
    let mut talk = sandbox.start_talking(&["--mode", "auto"]);
    talk.expect("\n> ");
    talk.say("wait");
    pid_of_command(&sandbox);
    for (line, said) in [
        ("/mode plan", "mode plan"),
        ("/nonsense", "there is no command `/nonsense`"),
        ("/background call_01h455vb4pex5vsknk084sn02q", "no command of call_01h455vb4pex5vsknk084sn02q runs"),
        ("/quit", "leaving when this is done"),
    ] {
        talk.say(line);
        talk.expect(said);
    }
    sandbox.write("go", "");
    talk.expect("It went.");
    talk.wait().ended(0);
    assert_eq!(sandbox.records().count("inbox/received"), 1);
    sandbox.assert_checked();
}

#[test]
fn lines_through_a_pipe_are_a_conversation_that_ends() {
    let sandbox = Sandbox::new(&json!({ "final": "Heard." }));
    let done = sandbox.run_with_input(&[], "hello\n").ended(0);
    assert!(done.stdout.contains("Heard.\n") && done.stderr.is_empty(), "{done:?}");
    assert_eq!(sandbox.run_with_input(&[], "").ended(0).stderr, "");
    assert_eq!(
        sandbox.run_with_input(&[], "\n\n/nonsense\n/mode yolo\n/quit\nnever said\n").ended(0).stderr,
        ""
    );
    sandbox.run(&["check", "--all"]).ended(0);
}

#[test]
fn an_interrupted_session_is_offered() {
    let sandbox = Sandbox::new(&json!({ "steps": [{ "text": "never said", "hang": true }] }));
    let exec = sandbox.start(&["exec", "think"]);
    sandbox.until("attempt/start", 1);
    exec.kill();
    let id = sandbox.session();
    sandbox.set_script(&json!({ "final": "Here I am again." }));
    let mut talk = sandbox.start_talking(&[]);
    talk.expect("Go on with it? [Y/n] ");
    talk.say("");
    talk.expect("Here I am again.");
    talk.expect("\n> ");
    talk.end_of_input();
    let done = talk.wait().ended(0);
    assert_eq!(sandbox.session(), id, "no other was started");
    assert_snapshot!(sandbox.shown(&done));
}

#[test]
fn only_a_yes_goes_on_with_an_interrupted_session() {
    let sandbox = Sandbox::new(&json!({ "steps": [{ "text": "never said", "hang": true }] }));
    let exec = sandbox.start(&["exec", "think\nof \u{1b}[31mred"]);
    sandbox.until("attempt/start", 1);
    exec.kill();
    let asked = sandbox.run_with_input(&[], "maybe\nfix the other test\n").ended(0);
    assert_snapshot!(sandbox.shown(&asked));
    sandbox.set_script(&json!({ "final": "Something new." }));
    let declined = sandbox.run_with_input(&[], "No\nanother task\n").ended(0);
    assert!(declined.stdout.contains("Something new."), "{declined:?}");
    let tasks: Vec<Value> = sandbox
        .run(&["sessions", "--json"])
        .ended(0)
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(tasks.len(), 2, "the old one is left alone: {tasks:?}");
    assert_eq!(tasks[0]["task"], "another task");
}

#[test]
fn what_another_process_says_is_taken_up() {
    let sandbox = Sandbox::new(&json!({ "final": "Heard." }));
    let mut talk = sandbox.start_talking(&[]);
    talk.expect("\n> ");
    talk.say("hello");
    talk.expect("Heard.");
    talk.expect("\n> ");
    sandbox.run(&["send", "hello from elsewhere"]).ended(0);
    talk.expect("Heard.");
    talk.expect("\n> ");
    talk.end_of_input();
    talk.wait().ended(0);
}

#[test]
fn a_question_can_be_answered_by_another_process() {
    let sandbox = Sandbox::new(&asks_before_it_writes());
    let mut talk = sandbox.start_talking(&[]);
    talk.expect("\n> ");
    talk.say("write something");
    talk.expect("shell: ");
    sandbox.run(&["approve"]).ended(0);
    talk.expect("Written.");
    talk.expect("\n> ");
    talk.end_of_input();
    talk.wait().ended(0);
    assert_eq!(sandbox.read("ledger"), "one\n");
}
