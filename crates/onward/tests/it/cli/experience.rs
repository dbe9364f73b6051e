//! What a person meets in a real repository when nothing is configured: what runs unasked, what is asked and how, and what
//! an answer is worth.

use insta::assert_snapshot;
use onward_event::{Event, Verdict};
use serde_json::{Value, json};

use crate::support::Sandbox;

/// A text without what differs from machine to machine: by what commands are contained, and where programs are.
pub(crate) fn same_everywhere(text: &str) -> String {
    let line = |line: &str| match line.trim_start().starts_with("program = ") {
        true => format!("{}program = \"[program]\"", &line[..line.len() - line.trim_start().len()]),
        false => line.replace("contained (landlock)", "contained (namespaces)"),
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

fn shell(command: &str) -> Value {
    json!({ "calls": [{ "tool": "shell", "input": { "command": command } }] })
}

fn steps(steps: Vec<Value>) -> Value {
    json!({ "steps": steps, "final": "That is all." })
}

/// A repository of git with a file, a test, and something to delete.
fn repository(script: &Value) -> Option<Sandbox> {
    let sandbox = Sandbox::contained(script)?;
    std::fs::remove_dir(sandbox.workspace().join(".git")).unwrap();
    sandbox.write("price.txt", "250\n");
    sandbox.write("Makefile", "test:\n\tgrep -q 250 price.txt\n");
    std::fs::create_dir(sandbox.workspace().join("build")).unwrap();
    sandbox.write("build/old", "");
    let git =
        "git init -q && git add price.txt Makefile && git -c user.name=t -c user.email=t@t commit -qm one";
    sandbox.shell(git).ended(0);
    Some(sandbox)
}

fn asked(sandbox: &Sandbox) -> Vec<Vec<String>> {
    sandbox.records().all(|event| match event {
        Event::ApprovalRequested(asked) => Some(asked.rules.clone()),
        _ => None,
    })
}

#[test]
fn reading_searching_building_and_testing_ask_nothing() {
    let commands = [
        "git status --short && git log -1 --format=%s",
        "grep -rn 250 . | head -3",
        "make test",
        "find . -name '*.txt'",
    ];
    let mut all: Vec<Value> = commands.iter().map(|command| shell(command)).collect();
    all.push(json!({ "calls": [{ "tool": "read", "input": { "path": "price.txt" } }] }));
    let Some(sandbox) = repository(&steps(all)) else { return };
    sandbox.run(&["exec", "look around"]).ended(0);
    let verdicts = sandbox.records().all(|event| match event {
        Event::PolicyDecided(decided) => Some((decided.verdict, decided.sandbox.is_some())),
        _ => None,
    });
    let contained = (Verdict::Allow, true);
    assert_eq!(verdicts, [contained, contained, contained, contained, (Verdict::Allow, false)]);
    sandbox.assert_checked();
}

#[test]
fn one_conversation_through_all_five_answers() {
    let edit = json!({ "path": "price.txt", "old": "250", "new": "300" });
    let Some(sandbox) = repository(&steps(vec![
        json!({ "text": "I change the price.", "calls": [{ "tool": "edit", "input": edit }] }),
        shell("chmod u+w price.txt"),
        shell("chmod u+w price.txt"),
        shell("mkdir -p out"),
        shell("rm -r build"),
        shell("curl https://example.org/prices"),
    ])) else {
        return;
    };
    let mut talk = sandbox.start_talking(&[]);
    talk.expect("\n> ");
    talk.say("work");
    talk.expect("edit: ");
    talk.say("1");
    talk.expect("shell: ");
    talk.say("2");
    talk.expect("mkdir -p out");
    talk.expect("shell: ");
    talk.say("3");
    talk.expect("save it, and approve? [y/N] ");
    talk.say("y");
    talk.expect("rm -r build");
    talk.expect("shell: ");
    talk.say("4");
    talk.expect("curl");
    talk.expect("shell: ");
    talk.say("5");
    talk.expect("words for the model: ");
    talk.say("use the local list");
    talk.expect("That is all.");
    talk.expect("\n> ");
    talk.end_of_input();
    let done = talk.wait().ended(0);
    assert_snapshot!(same_everywhere(&sandbox.shown(&done)));
    let questions = asked(&sandbox).into_iter().flatten().collect::<Vec<_>>();
    assert_eq!(questions, ["write-ask", "shell-ask", "shell-ask", "dangerous-ask", "network-ask"]);
    assert_eq!(sandbox.read("price.txt"), "300\n");
    assert!(sandbox.workspace().join("out").exists() && sandbox.workspace().join("build/old").exists());
    sandbox.assert_checked();

    // Another session: what was answered for good is not asked again, what was answered for the session is.
    sandbox.set_script(&steps(vec![shell("mkdir -p out"), shell("chmod u+w price.txt")]));
    sandbox.run(&["exec", "again"]).ended(3);
    assert_eq!(asked(&sandbox), [["shell-ask"]]);
    let waiting = sandbox.run(&["show"]).ended(0).stdout;
    assert!(waiting.contains("$ chmod u+w price.txt") && !waiting.contains("$ mkdir"), "{waiting}");
    let rules = std::fs::read_to_string(sandbox.rules()).unwrap();
    assert_eq!(rules.matches("[[grant]]").count(), 1, "{rules}");
}

#[test]
fn an_answer_for_good_from_another_process_counts_at_once() {
    let Some(sandbox) =
        repository(&steps(vec![shell("mkdir -p out"), shell("rmdir out"), shell("mkdir -p out")]))
    else {
        return;
    };
    let mut talk = sandbox.start_talking(&[]);
    talk.expect("\n> ");
    talk.say("work");
    talk.expect("shell: ");
    let saved = sandbox.run(&["approve", "--always"]).ended(0);
    assert_snapshot!(same_everywhere(&sandbox.shown(&saved)));
    talk.expect("rmdir out");
    talk.expect("shell: ");
    talk.say("1");
    talk.expect("That is all.");
    talk.end_of_input();
    talk.wait().ended(0);
    assert_eq!(sandbox.records().count("approval/requested"), 2, "the third call was not asked about");
    sandbox.assert_checked();
}

#[test]
fn a_script_that_is_granted_by_its_digest_can_be_read_later() {
    let Some(sandbox) = repository(&steps(vec![shell("echo \u{1b}[31m$(id) > out\necho two")])) else {
        return;
    };
    sandbox.run(&["exec", "work"]).ended(3);
    sandbox.run(&["approve", "--always", "--no-run"]).ended(0);
    let rules = std::fs::read_to_string(sandbox.rules()).unwrap();
    let said = r#"command = "echo \U0000001B[31m$(id) > out\necho two""#;
    assert!(rules.contains("text = \"blake3:") && rules.contains(said), "{rules}");
    let listed = sandbox.run(&["policy", "list"]).ended(0).stdout;
    assert!(listed.contains("command echo ␛[31m$(id) > out⏎echo two"), "{listed}");
    let other = rules.replace("echo two", "echo three");
    sandbox.set_rules(&other);
    let refused = sandbox.run(&["policy", "check"]).ended(2);
    assert!(
        format!("{refused:?}").contains("`command` is not the text that `text` is the digest of"),
        "{refused:?}"
    );
}

#[test]
fn a_file_that_changes_between_answer_and_start_is_asked_about_again() {
    let Some(sandbox) = repository(&steps(vec![shell("sh tool.sh")])) else { return };
    sandbox.write("tool.sh", "echo good > ledger\n");
    sandbox.run(&["exec", "run the tool"]).ended(3);
    sandbox.run(&["approve", "--no-run"]).ended(0);
    sandbox.write("tool.sh", "echo evil > ledger\n");
    let again = sandbox.run(&["resume"]).ended(3);
    assert_snapshot!(same_everywhere(&sandbox.shown(&again)));
    assert_eq!((sandbox.read("ledger").as_str(), asked(&sandbox).len()), ("", 2));
    let why = "tool.sh` changed since it was approved";
    for look in [&["show"][..], &["log", "--json"]] {
        let shown = sandbox.run(look).ended(0).stdout;
        assert_eq!(shown.matches(why).count(), 1, "{shown}");
    }
    sandbox.run(&["approve"]).ended(0);
    assert_eq!(sandbox.read("ledger"), "evil\n", "what was approved the second time");
    sandbox.assert_checked();
}

#[test]
fn what_a_command_writes_itself_does_not_undo_its_approval_and_a_strangers_script_does() {
    let (sort, tool) = (shell("sort -o data data"), shell("sh tool.sh >> ledger"));
    let Some(sandbox) = repository(&steps(vec![
        sort.clone(),
        shell("echo a >> data"),
        sort.clone(),
        tool.clone(),
        tool.clone(),
        // What a tool of the model puts there is no less somebody else's.
        json!({ "calls": [{ "tool": "write", "input": { "path": "tool.sh", "content": "echo evil\n" } }] }),
        tool,
    ])) else {
        return;
    };
    sandbox.write("data", "b\n");
    sandbox.write("tool.sh", "echo good\n");
    sandbox.run(&["exec", "--mode", "accept-edits", "work"]).ended(3);
    // The first answer serves the third call as well, although the data have changed twice.
    sandbox.run(&["approve", "--for-session"]).ended(3);
    assert_eq!(sandbox.read("data"), "a\nb\n");
    sandbox.run(&["approve", "--for-session"]).ended(3);
    assert_eq!((sandbox.read("ledger").as_str(), asked(&sandbox).len()), ("good\ngood\n", 3));
    let again = sandbox.run(&["show"]).ended(0).stdout;
    assert!(again.contains("tool.sh` changed since it was approved"), "{again}");
    sandbox.run(&["reject"]).ended(0);
    assert_eq!(sandbox.read("ledger"), "good\ngood\n");
    sandbox.assert_checked();
}

#[test]
fn an_approval_says_why_it_no_longer_counts() {
    let Some(sandbox) = repository(&steps(vec![shell("mkdir out")])) else { return };
    let again = |what: &str| {
        let shown = sandbox.run(&["show"]).ended(0).stdout;
        let line = shown
            .lines()
            .rfind(|line| line.contains("asked again"))
            .unwrap_or_else(|| panic!("{what}: {shown}"));
        format!("{what}:{line}\n")
    };
    sandbox.run(&["exec", "work"]).ended(3);
    let mut all = String::new();
    sandbox.run(&["approve", "--no-run"]).ended(0);
    sandbox.set_rules("[[rule]]\nid = \"look\"\neffect = \"ask\"\nargv = [\"mkdir\", \"...\"]\n");
    sandbox.run(&["resume"]).ended(3);
    all.push_str(&again("rules"));
    sandbox.run(&["approve", "--no-run"]).ended(0);
    sandbox.set_rules(
        "[[rule]]\nid = \"look\"\neffect = \"ask\"\nargv = [\"mkdir\", \"...\"]\nsandbox = \"read-only\"\n",
    );
    sandbox.run(&["resume"]).ended(3);
    all.push_str(&again("rules and sandbox"));
    sandbox.run(&["approve", "--no-run", "--valid-for", "1s"]).ended(0);
    let answered = sandbox.records().all(|event| match event {
        Event::ApprovalResolved(answer) => answer.valid_until,
        _ => None,
    });
    // Until the second that was named is over, and no longer.
    let until = std::time::UNIX_EPOCH + std::time::Duration::from_millis(answered[0].0 + 1);
    while let Ok(left) = until.duration_since(std::time::SystemTime::now()) {
        std::thread::sleep(left);
    }
    sandbox.run(&["resume"]).ended(3);
    all.push_str(&again("expired"));
    assert_snapshot!(all);
    assert!(!sandbox.workspace().join("out").exists());
    sandbox.assert_checked();
}

#[test]
fn an_answer_for_good_with_an_end_is_saved_with_it() {
    let Some(sandbox) = repository(&steps(vec![shell("mkdir -p out")])) else { return };
    sandbox.run(&["exec", "work"]).ended(3);
    let saved = sandbox.run(&["approve", "--always", "--valid-for", "8h"]).ended(0);
    assert_snapshot!(same_everywhere(&sandbox.shown(&saved)));
    let rules = std::fs::read_to_string(sandbox.rules()).unwrap();
    assert_eq!(
        (rules.matches("valid_until = 2").count(), rules.matches("[[grant]]").count()),
        (1, 1),
        "{rules}"
    );
    sandbox.run(&["policy", "check"]).ended(0);
    sandbox.run(&["exec", "again"]).ended(0);
    sandbox.assert_checked();
}

#[test]
fn without_a_person_it_ends_with_three_and_says_how_to_answer() {
    let Some(sandbox) = repository(&steps(vec![shell("make test && rm -r build")])) else { return };
    let waits = sandbox.run(&["exec", "clean up"]).ended(3);
    assert_snapshot!(same_everywhere(&sandbox.shown(&waits)));
    sandbox.run(&["approve"]).ended(0);
    assert!(!sandbox.workspace().join("build").exists());
    sandbox.assert_checked();
}
