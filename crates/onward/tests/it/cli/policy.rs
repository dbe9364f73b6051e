//! Rules of every layer, and the commands that look at them.

use std::path::Path;

use insta::assert_snapshot;
use onward_event::Event;
use serde_json::{Value, json};

use crate::support::{Done, Sandbox, not_tested};

const NO_TOUCH: &str = "\
[[rule]]
id = \"no-touch\"
effect = \"deny\"
argv = [\"touch\", \"...\"]
reason = \"leave no marks\"
";

fn touching() -> Value {
    json!({ "steps": [
        { "calls": [{ "tool": "shell", "input": { "command": "touch mark" } }] },
        { "text": "So be it." },
    ] })
}

fn denials(sandbox: &Sandbox) -> Vec<String> {
    sandbox.records().all(|event| match event {
        Event::ToolDenied(denied) => Some(denied.content.clone()),
        _ => None,
    })
}

/// What is the same on every machine.
fn shown(sandbox: &Sandbox, done: &Done) -> String {
    super::experience::same_everywhere(&sandbox.shown(done))
}

#[test]
fn a_rule_denies_with_its_reason_and_the_model_sees_it() {
    let sandbox = Sandbox::new(&touching());
    sandbox.set_rules(NO_TOUCH);
    let done = sandbox.run(&["exec", "leave a mark"]).ended(0);
    assert_snapshot!(sandbox.shown(&done));
    let told = denials(&sandbox);
    assert!(told.len() == 1 && told[0].contains("leave no marks"), "{told:?}");
    assert!(told[0].contains("policy.toml:1"), "it is said where the rule stands: {told:?}");
    sandbox.assert_checked();
}

#[test]
fn wrong_rules_start_nothing() {
    let sandbox = Sandbox::new(&touching());
    sandbox.set_rules("[[rule]]\nid = \"a\"\neffect = \"alow\"\nargv = [\"touch\", \"*\"]\n");
    let done = sandbox.run(&["exec", "leave a mark"]).ended(2);
    assert_snapshot!(sandbox.shown(&done));
    assert_eq!(sandbox.run(&["sessions"]).ended(0).stdout, "", "no session was begun");
    let check = sandbox.run(&["policy", "check"]).ended(2);
    assert_snapshot!("check_wrong", sandbox.shown(&check));
    let check: Value =
        serde_json::from_str(&sandbox.run(&["policy", "check", "--json"]).ended(2).stdout).unwrap();
    assert_eq!((&check["faults"][0]["line"], &check["faults"][0]["column"]), (&json!(3), &json!(10)));
}

#[test]
fn wrong_rules_do_not_keep_anybody_from_looking() {
    let sandbox = Sandbox::new(&touching());
    sandbox.run(&["exec", "leave a mark"]).ended(3);
    sandbox.set_rules("[[rule]]\n");
    for look in ["sessions", "show", "log", "check"] {
        sandbox.run(&[look]).ended(0);
    }
    let refused = sandbox.run(&["approve"]).ended(2);
    assert!(refused.stderr.contains("nothing was recorded"), "{}", refused.stderr);
    assert_eq!(sandbox.records().count("approval/resolved"), 0);
}

#[test]
fn wrong_rules_do_not_keep_anybody_from_stopping() {
    let sandbox = Sandbox::new(&touching());
    sandbox.run(&["exec", "leave a mark"]).ended(3);
    sandbox.set_rules("[[rule]]\n");
    let rejected = sandbox.run(&["reject", "--feedback", "leave it"]).ended(0);
    assert_snapshot!("wrong_reject", sandbox.shown(&rejected));
    assert_eq!(sandbox.records().count("approval/resolved"), 1);
    // What is open is ended, and nothing else is done.
    let stopped = sandbox.run(&["interrupt"]).ended(0);
    assert_snapshot!("wrong_interrupt", sandbox.shown(&stopped));
    assert_eq!((sandbox.records().count("turn/end"), sandbox.records().count("tool/start")), (1, 0));
    sandbox.run(&["resume"]).ended(2);
    sandbox.set_rules("");
    sandbox.run(&["resume"]).ended(0);
    assert!(!sandbox.workspace().join("mark").exists());
    sandbox.assert_checked();
}

#[test]
fn a_job_is_ended_under_wrong_rules() {
    let sandbox = Sandbox::new(&json!({ "steps": [
        { "calls": [{ "tool": "shell", "input": { "command": "sleep 600", "background": true } }] },
        { "text": "It runs." },
    ] }));
    sandbox.run(&["exec", "--jobs", "leave", "wait"]).ended(0);
    sandbox.set_rules("[[rule]]\n");
    let job = sandbox.run(&["jobs"]).ended(0).stdout.split_whitespace().next().unwrap().to_owned();
    let ended = sandbox.run(&["jobs", "cancel", &job]).ended(0);
    assert!(ended.stderr.contains("cancelled"), "{}", ended.stderr);
    sandbox.assert_checked();
}

#[test]
fn a_monstrous_command_is_explained_in_a_few_lines() {
    let Some(sandbox) = Sandbox::contained(&json!({})) else { return };
    let many = format!("{}mkdir {}", "ls; ".repeat(20_000), "x".repeat(9_000));
    let done = sandbox.run(&["policy", "explain", &many]).ended(0);
    assert!(done.stdout.len() < 30_000, "{} bytes", done.stdout.len());
    assert_snapshot!("explain_many", shown(&sandbox, &done).replace(&"x".repeat(50), ""));
    let json = sandbox.run(&["policy", "explain", "--json", &many]).ended(0).stdout;
    let json: Value = serde_json::from_str(&json).unwrap();
    let parts = json["parts"].as_array().unwrap().len() as u64;
    assert!(parts + json["parts_left_out"].as_u64().unwrap() > 20_000, "{parts}");
    // What is signed is whole.
    let long = format!("mkdir {}", "y".repeat(3_000));
    let done = sandbox.run(&["policy", "explain", &long]).ended(0).stdout;
    assert!(done.contains(&format!("argv = [\"mkdir\", \"{}\"]", "y".repeat(3_000))), "{done}");
}

#[test]
fn a_command_without_quotes_is_told_how_to_be_given() {
    let sandbox = Sandbox::new(&json!({}));
    let told = sandbox.run(&["policy", "explain", "git", "commit", "-m", "it is $5"]).ended(2);
    assert_snapshot!(sandbox.shown(&told));
    let hint = told.stderr.split('`').nth(1).unwrap().strip_prefix("onward ").unwrap().to_owned();
    let done = sandbox.shell(&format!("\"$ONWARD\" {hint}")).ended(0);
    assert!(done.stdout.contains("git commit -m 'it is $5'"), "as it was typed: {}", done.stdout);
}

#[test]
fn a_grant_that_has_ended_is_named_and_answers_nothing() {
    let sandbox = Sandbox::new(&touching());
    let grant = |end: &str, word: &str| {
        format!(
            "[[grant]]\nanswers = [\"shell-ask\"]\ntool = \"shell\"\nargv = [\"touch\", \"{word}\"]\nsandbox = \
             \"none\"\nvalid_until = {end}\n"
        )
    };
    sandbox.set_rules(&format!(
        "{}{}",
        grant("2026-01-01T12:00:00Z", "mark"),
        grant("2999-01-01T00:00:00Z", "other")
    ));
    sandbox.run(&["exec", "leave a mark"]).ended(3);
    let explained = sandbox.run(&["policy", "explain", "touch mark"]).ended(0);
    assert_snapshot!("expired_explain", shown(&sandbox, &explained));
    let list = sandbox.run(&["policy", "list"]).ended(0).stdout;
    let grants = list[list.find("grant grant-").unwrap()..].split_once("\n\n").unwrap().0;
    assert_snapshot!("expired_list", sandbox.filtered(grants));
    let json: Value =
        serde_json::from_str(&sandbox.run(&["policy", "list", "--json"]).ended(0).stdout).unwrap();
    assert_eq!((&json["grants"][0]["expired"], &json["grants"][1]["expired"]), (&json!(true), &json!(false)));
}

#[test]
fn a_projects_rules_count_when_they_are_trusted_and_follow_the_session() {
    let sandbox = Sandbox::new(&touching());
    std::fs::create_dir(sandbox.workspace().join(".onward")).unwrap();
    sandbox.write(".onward/policy.toml", NO_TOUCH);
    sandbox.run(&["exec", "leave a mark"]).ended(3);
    assert!(denials(&sandbox).is_empty(), "what a stranger wrote has no effect");
    sandbox.run(&["trust", "--yes"]).ended(0);
    // Gone on with from another folder: the rules are those of the session's own.
    let id = sandbox.session().to_string();
    std::fs::create_dir(sandbox.path().join("elsewhere")).unwrap();
    let elsewhere = sandbox.path().join("elsewhere");
    sandbox.run(&["-C", elsewhere.to_str().unwrap(), "resume", &id]).ended(0);
    let told = denials(&sandbox);
    assert!(told.len() == 1 && told[0].contains(".onward/policy.toml:1"), "{told:?}");
    sandbox.assert_checked();
}

#[test]
fn a_project_can_loosen_nothing() {
    let sandbox = Sandbox::new(&touching());
    std::fs::create_dir(sandbox.workspace().join(".onward")).unwrap();
    sandbox.write(
        ".onward/policy.toml",
        "[[rule]]\nid = \"a\"\neffect = \"allow\"\nargv = [\"touch\", \"mark\"]\n",
    );
    let check = sandbox.run(&["policy", "check", ".onward/policy.toml"]).ended(2);
    assert_snapshot!("check_project", sandbox.shown(&check));
    sandbox.run(&["trust", "--yes"]).ended(2);
    // What is not trusted has no effect: the person is asked as ever.
    sandbox.run(&["exec", "leave a mark"]).ended(3);
    assert_eq!(sandbox.read("mark"), "");
}

/// Runs the program where `/etc/onward/policy.toml` is this; none where nobody may mount there.
fn under_administrator(sandbox: &Sandbox, rules: &str, args: &str) -> Option<Done> {
    std::fs::write(sandbox.path().join("administrator.toml"), rules).unwrap();
    let mut done = None;
    for unshare in ["unshare -m", "unshare -rm"] {
        let inside = format!(
            "mount -t tmpfs t /etc && mkdir /etc/onward && cp ../administrator.toml /etc/onward/policy.toml && \
             echo mounted && exec \"$ONWARD\" {args}"
        );
        let tried = sandbox.shell(&format!("{unshare} sh -c '{inside}'"));
        if tried.stdout.starts_with("mounted\n") {
            return Some(tried);
        }
        done = Some(tried.stderr);
    }
    not_tested("an administrator's rules", &done.unwrap_or_default());
    None
}

#[test]
fn an_administrators_rules_stand_over_everything() {
    let sandbox = Sandbox::new(&touching());
    sandbox.set_rules("[[rule]]\nid = \"t\"\neffect = \"allow\"\nargv = [\"touch\", \"mark\"]\nwrite = [\"${workspace}/**\"]\nsandbox = \"none\"\n");
    let Some(done) = under_administrator(&sandbox, NO_TOUCH, "exec --bypass-permissions mark </dev/null")
    else {
        return;
    };
    let done = done.ended(0);
    let told = denials(&sandbox);
    assert!(told.len() == 1 && told[0].contains("/etc/onward/policy.toml:1"), "{told:?} {}", done.stderr);
    assert!(!sandbox.workspace().join("mark").exists());
    let Some(wrong) = under_administrator(&sandbox, "[[rule]]\n", "exec mark </dev/null") else { return };
    assert!(wrong.ended(2).stderr.contains("/etc/onward/policy.toml:1:1"));
}

#[test]
fn what_the_rules_make_of_a_command_is_explained() {
    let Some(sandbox) = Sandbox::contained(&json!({})) else { return };
    sandbox.set_rules("[[rule]]\nid = \"look\"\neffect = \"ask\"\nargv = [\"git\", \"push\", \"...\"]\nreason = \"look first\"\n");
    sandbox.write("notes.md", "one\n");
    let explain = |args: &[&str]| {
        let done = sandbox.run(&[&["policy", "explain"][..], args].concat()).ended(0);
        format!("$ onward policy explain {}\n{}", args.join(" "), shown(&sandbox, &done))
    };
    let all = [
        explain(&["grep -rn one . && git push origin main"]),
        explain(&["make test"]),
        explain(&["rm -rf $(cat list)"]),
        explain(&["--mode", "plan", "make test"]),
        explain(&["--mode", "auto", "--sandbox", "none", "mkdir out"]),
        explain(&["--mode", "bypass", "mkdir out"]),
        explain(&["--tool", "write", "--input", "{\"path\":\"notes.md\",\"content\":\"two\\n\"}"]),
        explain(&["--tool", "read", "--input", "{\"path\":\"notes.md\"}"]),
    ];
    assert_snapshot!("explain", all.join("\n"));
    let done = sandbox.run(&["policy", "explain", "--json", "git push"]).ended(0);
    let json: Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!((&json["verdict"], &json["parts"][0]["matched"][0]["id"]), (&json!("ask"), &json!("look")));
    assert!(
        Path::new(json["parts"][0]["matched"][0]["place"].as_str().unwrap().split(':').next().unwrap())
            .is_absolute()
    );
    assert!(!sandbox.data().exists(), "a look makes no folder");
    for wrong in [&["--tool", "writ", "--input", "{}"][..], &["--tool", "write", "--input", "{"]] {
        sandbox.run(&[&["policy", "explain"][..], wrong].concat()).ended(2);
    }
}

#[test]
fn the_rules_in_force_are_listed_with_their_places() {
    let sandbox = Sandbox::new(&json!({}));
    let grant = "[[grant]]\nanswers = [\"network-ask\"]\ntool = \"shell\"\nargv = [\"git\", \"push\"]\nnet = [\"*\"]\n";
    sandbox.set_rules(&format!("{NO_TOUCH}\n{grant}"));
    let list = sandbox.run(&["policy", "list"]).ended(0);
    assert_snapshot!("list", sandbox.shown(&list));
    let json: Value =
        serde_json::from_str(&sandbox.run(&["policy", "list", "--json"]).ended(0).stdout).unwrap();
    assert_eq!(
        (json["rules"][0]["id"].as_str(), json["grants"][0]["tool"].as_str()),
        (Some("no-touch"), Some("shell"))
    );
    let wide: Vec<&str> =
        list.stdout.lines().filter(|line| line.chars().count() > 80 && !line.contains('/')).collect();
    assert!(wide.is_empty(), "{wide:#?}");
    let git = json["rules"].as_array().unwrap().iter().find(|rule| rule["id"] == "git-list").unwrap();
    assert_eq!(
        (git["argv"].as_str(), git["sandbox"].as_str(), git["modes"].as_array().map(Vec::len)),
        (Some("git branch|reflog|remote|tag|version|--version"), Some("read-only"), Some(0))
    );
    let check = sandbox.run(&["policy", "check"]).ended(0);
    assert_snapshot!("check_right", sandbox.shown(&check));
}
