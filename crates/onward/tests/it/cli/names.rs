//! Ids by their beginnings, and words that were meant otherwise.

use insta::assert_snapshot;
use serde_json::json;

use crate::support::Sandbox;

#[test]
fn a_unique_beginning_of_an_id_is_enough() {
    let ask = json!({ "calls": [{ "tool": "shell", "input": { "command": "touch asked" } }] });
    let sandbox = Sandbox::new(&json!({ "steps": [ask], "final": "Done." }));
    sandbox.run(&["exec", "run it"]).ended(3);
    sandbox.run(&["exec", "run it"]).ended(3);
    let sessions = sandbox.run(&["sessions"]).ended(0).stdout;
    let ids: Vec<&str> = sessions.lines().map(|line| line.split(' ').next().unwrap()).collect();
    let [latest, first] = ids.try_into().unwrap();
    let ambiguous = sandbox.run(&["show", "ses_0"]).ended(2);
    for id in [latest, first] {
        assert!(ambiguous.stderr.contains(id), "{ambiguous:?}");
    }
    assert!(ambiguous.stderr.contains("2 ids begin with ses_0, so nothing was done"), "{ambiguous:?}");
    let same = latest.bytes().zip(first.bytes()).take_while(|(a, b)| a == b).count();
    let shown = sandbox.run(&["show", &first[..=same]]).ended(0).stdout;
    assert!(shown.starts_with(&format!("session {first}")), "{shown}");
    let none = sandbox.run(&["show", "ses_7zz"]).ended(1);
    assert!(none.stderr.contains("no session begins with ses_7zz"), "{none:?}");

    let asked = approval(&shown);
    let other = sandbox.run(&["show", latest]).ended(0).stdout;
    let other = approval(&other);
    let same = asked.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
    sandbox.run(&["approve", &asked[..same]]).ended(2);
    sandbox.run(&["approve", &asked[..=same]]).ended(0);
    assert!(sandbox.run(&["show", first]).ended(0).stdout.contains("Done."));
    let log = sandbox.run(&["log", first]).ended(0).stdout;
    let attempt = log.split_whitespace().find(|word| word.starts_with("att_")).unwrap();
    sandbox.run(&["request", "show", &attempt[..24]]).ended(0);
}

#[test]
fn a_beginning_of_nothing_says_where_names_are_listed() {
    let sandbox = Sandbox::new(&json!({ "final": "Done." }));
    sandbox.run(&["exec", "say it"]).ended(0);
    for (words, told) in [
        (&["show", "ses_zzz"][..], "no session begins with `ses_zzz`; `onward sessions --all` lists them"),
        (&["jobs", "cancel", "job_zz"], "no job begins with `job_zz`; `onward jobs --all` lists them"),
        (&["reconcile", "job_zz"], "no job begins with `job_zz`; `onward jobs --all` lists them"),
        (&["request", "show", "att_zz"], "no attempt begins with `att_zz`"),
        (&["approve", "appr_zz"], "no question begins with `appr_zz`"),
    ] {
        let refused = sandbox.run(words).ended(2).stderr;
        assert!(refused.contains(told) && !refused.contains("26 characters"), "{refused}");
    }
    let none = sandbox.run(&["jobs", "output", "job_7z"]).ended(1).stderr;
    assert_eq!(none, "error: no job begins with job_7z\nhint: `onward jobs --all` lists them\n");
}

/// The id of the approval that a view of a session asks for.
fn approval(shown: &str) -> &str {
    shown.split_whitespace().find(|word| word.starts_with("appr_")).unwrap()
}

#[test]
fn a_task_that_is_taken_for_a_command_is_told_how_to_be_given() {
    let sandbox = Sandbox::bare();
    let mut shown = String::new();
    for words in
        [&["fix the test"][..], &["fix", "the", "test"], &["exec", "fix", "the", "test"], &["send", "a", "b"]]
    {
        let done = sandbox.run(words).ended(2);
        shown.push_str(&format!("{words:?}\n{}\n", done.stderr));
    }
    assert_snapshot!(shown);
}

#[test]
fn a_model_that_is_none_is_shown_again() {
    let sandbox = Sandbox::bare();
    let done = sandbox.run(&["exec", "--model", "gpt-5", "hello"]).ended(2);
    assert!(done.stderr.contains("`gpt-5`"), "{done:?}");
}

#[test]
fn without_a_model_the_configuration_says_how_to_set_one() {
    let sandbox = Sandbox::bare();
    let config = sandbox.run(&["config"]).ended(0).stdout;
    let line = config.lines().find(|line| line.starts_with("model")).unwrap();
    assert!(line.contains("not set") && line.contains("--model"), "{line}");
}

#[test]
fn a_tool_is_named_once_and_a_script_ends() {
    let sandbox = Sandbox::new(&json!({}));
    sandbox.set_config(&format!(
        "{}\n[tools]\nenabled = [\"read\", \"shell\", \"read\"]\n",
        sandbox.scripted_config()
    ));
    let twice = sandbox.run(&["exec", "hello"]).ended(2);
    assert!(twice.stderr.contains("`tools.enabled` has `read` twice"), "{twice:?}");
    sandbox.set_config(
        "model = \"scripted/test\"\n[providers.scripted]\nkind = \"scripted\"\nscript = \"/dev/zero\"\n",
    );
    let endless = sandbox.run(&["exec", "hello"]).ended(2);
    assert!(endless.stderr.contains("it is longer than 16 MiB"), "{endless:?}");
}
