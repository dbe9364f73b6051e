//! What is wrong with a file of rules, and what is said about it.

use onward_policy::{Layer, LayerText, LayeredPolicy};

fn told(layer: Layer, text: &str) -> String {
    match LayeredPolicy::from_texts(&[LayerText { layer, name: "policy.toml", text }]) {
        Ok(_) => format!("{text}\n  is taken\n"),
        Err(errors) => errors.to_string(),
    }
}

/// Each with what has to be said about it.
const WRONG: &[(&str, &str)] = &[
    ("id = 'a'\nefect = 'deny'\nargv = ['x']", "did you mean `effect`?"),
    ("id = 'a'\neffect = 'alow'\nargv = ['x']", "did you mean \"allow\"?"),
    ("effect = 'deny'\nargv = ['x']", "a rule needs `id`"),
    ("id = 'a b'\neffect = 'deny'\nargv = ['x']", "cannot be an id"),
    ("id = 'shell-ask'\neffect = 'deny'\nargv = ['x']", "is recorded for something that is no rule"),
    ("id = 'harmless'\neffect = 'deny'\nargv = ['x']", "is taken by the built-in rule"),
    ("id = 'a'\neffect = 'allow'\nargv = ['npm test']", "several words"),
    ("id = 'a'\neffect = 'allow'\nargv = ['npm', '*']", "`*` is no wildcard"),
    ("id = 'a'\neffect = 'allow'\nargv = ['...']", "stands for any command"),
    ("id = 'a'\neffect = 'allow'\nargv = ['npm', '...', 'x']", "nothing can follow it"),
    ("id = 'a'\neffect = 'allow'\nargv = ['npm', ['a', '...']]", "cannot be one of several words"),
    ("id = 'a'\neffect = 'allow'\nargv = []", "can match nothing"),
    ("id = 'a'\neffect = 'allow'\nargv = ['npm', []]", "can match nothing"),
    ("id = 'a'\neffect = 'allow'\nargv = 'npm'", "must be a list of words"),
    ("id = 'a'\neffect = 'deny'\nargv = ['x']\nmodes = []", "can match nothing"),
    ("id = 'a'\neffect = 'deny'\nargv = ['x']\nrisks = ['read']", "no command has such a risk"),
    ("id = 'a'\neffect = 'allow'\nargv = ['x']\nmodes = ['plan']", "can allow nothing"),
    ("id = 'a'\neffect = 'deny'\nargv = ['x']\ntool = 'write'", "runs no command"),
    ("id = 'a'\neffect = 'deny'\nread = []", "can match nothing"),
    ("id = 'a'\neffect = 'deny'\nread = ['src/**']", "paths are absolute"),
    ("id = 'a'\neffect = 'deny'\nread = ['${home}/x']", "`${workspace}`"),
    ("id = 'a'\neffect = 'deny'\nread = ['/a/../b']", "no `..`"),
    ("id = 'a'\neffect = 'deny'\nread = ['/a[']", "bad pattern"),
    ("id = 'a'\neffect = 'allow'\nwrite = ['/**']", "is no bound"),
    ("id = 'a'\neffect = 'allow'\nwrite = ['**/x']", "is no bound"),
    ("id = 'a'\neffect = 'allow'", "allows everything"),
    ("id = 'a'\neffect = 'allow'\ntool = 'shell'", "allows every command"),
    ("id = 'a'\neffect = 'allow'\ntool = 'mcp:*'", "every tool of every server"),
    ("id = 'a'\neffect = 'deny'\ntool = '*'", "`tool` cannot be"),
    ("id = 'a'\neffect = 'allow'\nargv = ['x']\nprogram = ['npm']", "not the path of a program"),
    ("id = 'a'\neffect = 'allow'\nargv = ['x']\nprogram = ['/proc/self/root/x']", "another process"),
    ("id = 'a'\neffect = 'allow'\nargv = ['x']\nnet = ['example.com:443']", "hosts are not told apart"),
    ("id = 'a'\neffect = 'deny'\nargv = ['x']\nnet = ['*']", "risks = [\"network\"]"),
    ("id = 'a'\neffect = 'deny'\nargv = ['x']\nsandbox = 'read-only'", "a denial runs nothing"),
    ("id = 'a'\neffect = 'allow'\nargv = ['x']\nsandbox = 'off'", "`sandbox` cannot be"),
    ("id = 'a'\neffect = 'ask'\nargv = ['x']\ngrantable = true", "administrator"),
    ("id = 'a'\neffect = 'allow'\nargv = ['x']\nspecial = ['harmless']", "no key `special`"),
    (
        "id = 'a'\neffect = 'allow'\nargv = ['npm', 'test']\nmatch = [['npm', 'run']]",
        "does not match `npm run`",
    ),
    (
        "id = 'a'\neffect = 'allow'\nargv = ['npm', '...']\nnot_match = [['npm', 'publish']]",
        "matches `npm publish`",
    ),
    ("id = 'a'\neffect = 'deny'\ntool = 'x'\nmatch = [['x']]", "no `argv`"),
    ("id = 'a'\neffect = 'deny'\nargv = ['x']\nreason = 3", "must be a text"),
    ("id = 'a'\neffect = 'deny'\ntool = 'shel'", "did you mean \"shell\"?"),
    ("id = 'a'\neffect = 'deny'\ntool = 'browser'", "the tools are edit, glob"),
    ("id = 'a'\neffect = 'deny'\ntool = 'jop*'", "no tool's name begins with `jop`"),
    ("id = 'a'\neffect = 'deny'\ntool = 'write'\nread = ['/etc/**']", "names no file that it reads"),
    ("id = 'a'\neffect = 'ask'\ntool = 'read'\nwrite = ['/etc/**']", "changes no file"),
    ("id = 'a'\neffect = 'deny'\ntool = 'jobs'\nread = ['/a/**']\nwrite = ['/a/**']", "names no files"),
    ("id = 'a'\neffect = 'deny'\ntool = 'read'\nrisks = ['network']", "its risk is read"),
    ("id = 'a'\neffect = 'deny'\ntool = 'edit'\nrisks = ['read', 'shell']", "its risk is write"),
    (
        "id = 'a'\neffect = 'allow'\ntool = 'write'\nwrite = ['${workspace}/**']\nmodes = ['plan']",
        "can allow nothing",
    ),
    (
        "id = 'a'\neffect = 'allow'\nargv = ['cargo', '...']\nprogram = ['/usr/bin/git']",
        "`cargo` is not the name of",
    ),
    ("id = 'a'\neffect = 'deny'\ntool = 'read'\nprogram = ['/usr/bin/git']", "runs no command"),
    ("id = 'a'\neffect = deny", "effect = \"deny\""),
    ("id: 'a'", "with `=` instead of `:`"),
    ("id = 'a'\nid = 'b'", "remove one of the two"),
    ("id = 'a\neffect = 'deny'", "close the text"),
    ("id = 'a'\nargv = ['x', 'y'", "close the list"),
    ("id = 'a'\nargv = [x]", "put each text of the list in quotes"),
    ("id = 'a'\neffect =", "write what `effect` is to be"),
    ("id = 'a'\n[[grant]", "write [[grant]] with two brackets"),
    ("id = 'a'\nthis is no line", "write key = value"),
];

#[test]
fn what_can_match_something_is_taken() {
    for body in [
        "tool = 'mcp:github/*'",
        "tool = 'mcp:github/search'\nrisks = ['network']",
        "tool = 'job*'",
        "tool = 'edit'\nread = ['/a/**']\nwrite = ['/a/**']",
        "tool = 'shell'\nread = ['/a/**']",
        "argv = ['python3', '...']\nprogram = ['/usr/bin/python3.99']",
        "argv = ['ls', '...']\nprogram = ['/bin/busybox']",
        "argv = [['cc', 'git']]\nprogram = ['/usr/bin/git']",
        "argv = ['sh', '...']\nprogram = ['/usr/bin/sh']",
    ] {
        let said = told(Layer::User, &format!("[[rule]]\nid = 'a'\neffect = 'deny'\n{body}\n"));
        assert!(said.contains("is taken"), "{said}");
    }
}

/// A typing error and a rule that was removed look alike, and the second must not keep anybody from working.
#[test]
fn a_grant_that_answers_what_nothing_asks_is_a_warning() {
    let grant = |id: &str| format!("[[grant]]\nanswers = ['{id}']\ntool = 'shell'\nargv = ['x']\n");
    let told = |id: &str| {
        let text = grant(id);
        let policy =
            LayeredPolicy::from_texts(&[LayerText { layer: Layer::User, name: "u.toml", text: &text }]);
        policy.unwrap().warnings().iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    for id in ["shell-ask", "mixed-network-ask", "protected-names"] {
        assert!(told(id).is_empty(), "{id}");
    }
    insta::assert_snapshot!([told("shel-ask"), told("of-another-folder")].concat().join("\n"));
}

#[test]
fn every_fault_is_named_with_what_to_write_instead() {
    let mut all = Vec::new();
    for (body, expected) in WRONG {
        let said = told(Layer::User, &format!("[[rule]]\n{body}\n"));
        assert!(said.contains(expected), "{body}\n{said}");
        assert!(said.starts_with("policy.toml:"), "{said}");
        all.push(said);
    }
    insta::assert_snapshot!(all.join("\n"));
}

#[test]
fn a_project_can_only_tighten() {
    let cases = [
        ("id = 'a'\neffect = 'allow'\nargv = ['x']", "cannot allow"),
        ("id = 'a'\neffect = 'ask'\nargv = ['x']\nnet = ['*']", "cannot open the network"),
        (
            "id = 'a'\neffect = 'ask'\nargv = ['x']\nsandbox = 'workspace-write'",
            "can only narrow the sandbox",
        ),
    ];
    for (body, expected) in cases {
        let said = told(Layer::Project, &format!("[[rule]]\n{body}\n"));
        assert!(said.contains(expected), "{said}");
    }
    let grant = told(Layer::Project, "[[grant]]\nanswers = ['shell-ask']\ntool = 'shell'\nargv = ['x']\n");
    assert!(grant.contains("cannot grant"), "{grant}");
    let until = |end: &str| {
        let text = format!(
            "[[grant]]\nanswers = ['shell-ask']\ntool = 'shell'\nargv = ['x']\nvalid_until = {end}\n"
        );
        LayeredPolicy::from_texts(&[LayerText { layer: Layer::User, name: "u", text: &text }])
    };
    for end in ["2026-12-01", "2026-12-01T05:00:00", "05:00:00", "'tomorrow'", "8", "1969-01-01T00:00:00Z"] {
        let said = until(end).unwrap_err().to_string();
        assert!(said.contains("valid_until = 2026-12-01T05:00:00Z"), "{said}");
    }
    for end in ["2026-12-01T05:00:00Z", "2026-12-01 06:00:00+01:00", "'2026-12-01T05:00:00Z'"] {
        assert!(until(end).is_ok(), "{end}");
    }
    assert!(told(Layer::Project, "[[rule]]\nid = 'a'\neffect = 'deny'\nargv = ['x']\n").contains("is taken"));
}

#[test]
fn all_faults_of_all_files_are_told_at_once() {
    let user = "[[rule]]\nid = 'a'\neffect = 'no'\n\n[[rule]]\nid = 'b'\neffect = 'deny'\nargv = []\nx = 1\n[[rules]]\n";
    let project = "[[rule]]\nid = 'c'\neffect = 'ask'\nargv = ['ls']\n[[rule]]\nid = 'c'\neffect = 'ask'\nargv = ['cat']\n";
    let broken = "[[rule]\nid = ";
    let layers = [
        LayerText { layer: Layer::User, name: "user.toml", text: user },
        LayerText { layer: Layer::Project, name: "project.toml", text: project },
        LayerText { layer: Layer::Administrator, name: "administrator.toml", text: broken },
    ];
    insta::assert_snapshot!(LayeredPolicy::from_texts(&layers).unwrap_err());
}

#[test]
fn the_same_id_in_two_layers_is_refused() {
    let text = "[[rule]]\nid = 'a'\neffect = 'deny'\nargv = ['ls']\n";
    let layers = [
        LayerText { layer: Layer::Administrator, name: "admin.toml", text },
        LayerText { layer: Layer::User, name: "user.toml", text },
    ];
    let said = LayeredPolicy::from_texts(&layers).unwrap_err().to_string();
    assert!(said.contains("is taken by the administrator rule (admin.toml:1)"), "{said}");
}

#[test]
fn the_page_for_people_shows_rules_that_load() {
    let page = include_str!("../../../../docs/policy.md");
    let blocks: Vec<&str> =
        page.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(blocks.len() >= 3);
    for text in blocks {
        let layers = [LayerText { layer: Layer::User, name: "page", text }];
        assert!(
            LayeredPolicy::from_texts(&layers).is_ok(),
            "{text}\n{}",
            LayeredPolicy::from_texts(&layers).unwrap_err()
        );
    }
}
