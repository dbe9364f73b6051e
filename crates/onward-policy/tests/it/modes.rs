//! What each mode decides by the built-in rules alone, as a table.

use onward_event::{FileAccess, Mode, NetworkAccess, Risk, Verdict};
use onward_policy::LayeredPolicy;

use crate::support::{Allow, Ask, Deny, Desk, MODES, contained, names, open, reads, waived, writes};

/// What the six modes decide on a command in a sandbox, and the ids that decide in `normal`.
const CONTAINED: &[(&str, [Verdict; 6], &str)] = &[
    ("ls src", [Allow, Allow, Allow, Allow, Allow, Allow], "harmless"),
    ("grep -r main src | wc -l", [Allow, Allow, Allow, Allow, Allow, Allow], "harmless"),
    ("cat /etc/shadow", [Ask, Ask, Allow, Deny, Deny, Allow], "shell-ask"),
    ("git status", [Allow, Allow, Allow, Allow, Allow, Allow], "git-reads"),
    ("git log --output=src/x", [Ask, Ask, Allow, Deny, Deny, Allow], "shell-ask"),
    ("find . -name a.rs", [Allow, Allow, Allow, Allow, Allow, Allow], "search"),
    ("find . -delete", [Ask, Ask, Allow, Deny, Deny, Allow], "dangerous-ask"),
    ("cargo test --all | tail -5", [Allow, Allow, Allow, Deny, Deny, Allow], "cargo-builds"),
    ("npm run build", [Allow, Allow, Allow, Deny, Deny, Allow], "node-scripts"),
    ("pytest -q", [Allow, Allow, Allow, Deny, Deny, Allow], "python-tests"),
    ("timeout 60 cargo test", [Allow, Allow, Allow, Deny, Deny, Allow], "cargo-builds"),
    ("python3 x.py", [Allow, Allow, Allow, Deny, Deny, Allow], "scripts"),
    ("python3 -c 1", [Ask, Ask, Allow, Deny, Deny, Allow], "hidden-ask"),
    ("ruby x.rb", [Ask, Ask, Allow, Deny, Deny, Allow], "shell-ask"),
    ("git branch", [Allow, Allow, Allow, Allow, Allow, Allow], "git-list"),
    ("git branch topic", [Ask, Ask, Allow, Deny, Deny, Allow], "shell-ask"),
    ("git remote -v", [Allow, Allow, Allow, Allow, Allow, Allow], "git-remote-list"),
    ("git remote add x y", [Ask, Ask, Allow, Deny, Deny, Allow], "network-ask"),
    ("git config core.fsmonitor x", [Ask, Ask, Allow, Deny, Deny, Allow], "shell-ask"),
    ("gcc -o src/x src/x.c", [Allow, Allow, Allow, Deny, Deny, Allow], "compilers"),
    ("gcc -wrapper ./x src/x.c", [Ask, Ask, Allow, Deny, Deny, Allow], "shell-ask"),
    ("npm install left-pad", [Ask, Ask, Allow, Deny, Deny, Allow], "network-ask"),
    ("curl https://example.com", [Ask, Ask, Allow, Deny, Deny, Allow], "network-ask"),
    ("git push", [Ask, Ask, Allow, Deny, Deny, Allow], "network-ask"),
    ("git push --force", [Ask, Ask, Allow, Deny, Deny, Allow], "dangerous-ask"),
    ("rm -r src", [Ask, Ask, Allow, Deny, Deny, Allow], "dangerous-ask"),
    ("sudo ls", [Ask, Ask, Allow, Deny, Deny, Allow], "dangerous-ask"),
    ("echo x > src/new.rs", [Ask, Allow, Allow, Deny, Deny, Allow], "write-ask"),
    ("echo x > /etc/cron.d/x", [Deny, Deny, Deny, Deny, Deny, Deny], "outside-workspace"),
    ("echo x > .git/config", [Ask, Ask, Ask, Deny, Deny, Allow], "protected-names"),
    ("echo $(id)", [Ask, Ask, Allow, Deny, Deny, Allow], "opaque-ask"),
];

#[test]
fn commands_in_a_sandbox() {
    let (desk, policy) = (Desk::new(), LayeredPolicy::new());
    for (script, verdicts, by) in CONTAINED {
        for (mode, verdict) in MODES.into_iter().zip(verdicts) {
            let decision = desk.run(&policy, contained(mode), script);
            assert_eq!(decision.verdict, *verdict, "{mode:?} `{script}`: {decision:?}");
        }
        let normal = desk.run(&policy, contained(Mode::Normal), script);
        assert!(normal.rules.iter().any(|rule| rule == by), "`{script}`: {:?}", normal.rules);
    }
}

#[test]
fn without_a_sandbox_only_what_looks_runs_unasked() {
    let (desk, policy) = (Desk::new(), LayeredPolicy::new());
    for (script, normal, auto) in [
        ("ls src", Allow, Allow),
        ("git status", Ask, Ask),
        ("cargo test", Ask, Ask),
        ("echo x > src/new.rs", Ask, Ask),
        ("echo $(id)", Ask, Ask),
        ("echo x > /etc/x", Deny, Deny),
    ] {
        assert_eq!(desk.run(&policy, waived(Mode::Normal), script).verdict, normal, "{script}");
        assert_eq!(desk.run(&policy, waived(Mode::Auto), script).verdict, auto, "{script}");
        assert_eq!(desk.run(&policy, waived(Mode::Plan), script).verdict, Deny, "{script}");
    }
}

#[test]
fn what_only_looks_runs_where_nothing_can_be_changed() {
    let (desk, policy) = (Desk::new(), LayeredPolicy::new());
    let files = |mode, script| desk.run(&policy, contained(mode), script).reach.files;
    assert_eq!(files(Mode::Normal, "ls src"), FileAccess::ReadOnly);
    assert_eq!(files(Mode::Plan, "git log"), FileAccess::ReadOnly);
    assert_eq!(files(Mode::Normal, "git status && ls"), FileAccess::ReadOnly);
    assert_eq!(files(Mode::Normal, "git status && cargo test"), FileAccess::WorkspaceWrite);
    assert_eq!(files(Mode::AcceptEdits, "ls > out"), FileAccess::WorkspaceWrite);
    assert_eq!(desk.run(&policy, waived(Mode::Normal), "ls").reach.files, FileAccess::WorkspaceWrite);
}

#[test]
fn the_network_is_for_what_speaks_and_only_where_there_is_one() {
    let (desk, policy) = (Desk::new(), LayeredPolicy::new());
    let network = |setting, script| desk.run(&policy, setting, script).reach.network;
    assert_eq!(network(open(Mode::Normal), "cargo test"), NetworkAccess::Closed);
    assert_eq!(network(open(Mode::Auto), "cargo test"), NetworkAccess::Closed);
    assert_eq!(network(open(Mode::Normal), "curl https://example.com"), NetworkAccess::Open);
    assert_eq!(network(open(Mode::Auto), "git push --force"), NetworkAccess::Open);
    assert_eq!(network(open(Mode::Bypass), "python3 x.py"), NetworkAccess::Open);
    assert_eq!(network(contained(Mode::Auto), "curl https://example.com"), NetworkAccess::Closed);
    assert_eq!(network(waived(Mode::Normal), "ls"), NetworkAccess::Open);
}

#[test]
fn tools_of_the_runtime() {
    let (desk, policy) = (Desk::new(), LayeredPolicy::new());
    let inside = desk.root().join("src/a.rs");
    let beside = desk.base().join("repo-evil/a.rs");
    let table = [
        (reads(&inside), [Allow, Allow, Allow, Allow, Allow, Allow]),
        (reads(&beside), [Deny, Deny, Deny, Deny, Deny, Deny]),
        (writes(&inside), [Ask, Allow, Allow, Deny, Deny, Allow]),
        (writes(&beside), [Deny, Deny, Deny, Deny, Deny, Deny]),
        (names(Risk::Read, &["art_1"]), [Allow, Allow, Allow, Allow, Allow, Allow]),
        (names(Risk::Read, &["../x"]), [Deny, Deny, Deny, Deny, Deny, Deny]),
        (names(Risk::Read, &["~/.ssh/id_ed25519"]), [Deny, Deny, Deny, Deny, Deny, Deny]),
        (names(Risk::Write, &["thing"]), [Ask, Ask, Allow, Deny, Deny, Allow]),
        (names(Risk::Network, &["example.com:443"]), [Ask, Ask, Ask, Deny, Deny, Allow]),
        (names(Risk::Dangerous, &["thing"]), [Ask, Ask, Ask, Deny, Deny, Allow]),
    ];
    for (plan, verdicts) in table {
        for (mode, verdict) in MODES.into_iter().zip(verdicts) {
            let decision = desk.call(&policy, mode, "probe", &plan);
            assert_eq!(decision.verdict, verdict, "{mode:?} {:?}: {decision:?}", plan.resources);
            assert_eq!(decision.risk, plan.risk);
            assert_eq!(decision.rendered, None);
        }
    }
}

#[test]
fn a_denying_mode_is_to_blame_only_when_no_rule_denies() {
    let (desk, policy) = (Desk::new(), LayeredPolicy::new());
    let by_mode = desk.run(&policy, contained(Mode::Plan), "cargo test");
    assert!(by_mode.by_mode && by_mode.rules == ["mode-plan"], "{by_mode:?}");
    assert!(by_mode.reason.contains("describe the change"), "{}", by_mode.reason);
    let read_only = desk.call(&policy, Mode::ReadOnly, "write", &writes(&desk.root().join("x")));
    assert!(read_only.reason.contains("describe anything"), "{}", read_only.reason);
    let by_rule = desk.run(&policy, contained(Mode::Plan), "echo x > /etc/x");
    assert!(!by_rule.by_mode && by_rule.rules == ["outside-workspace"], "{by_rule:?}");
}

#[test]
fn a_reader_that_may_change_something_has_no_readers_freedom() {
    let (desk, policy) = (Desk::new(), LayeredPolicy::new());
    let mut liar = names(Risk::Write, &["thing"]);
    liar.risk = Risk::Read;
    assert_eq!(desk.call(&policy, Mode::Normal, "probe", &liar).verdict, Ask);
    let plan = desk.call(&policy, Mode::Plan, "probe", &liar);
    assert_eq!((plan.verdict, plan.by_mode), (Deny, true));
}

#[test]
fn bypass_reaches_at_least_what_auto_reaches() {
    let (desk, policy) = (Desk::new(), LayeredPolicy::new());
    for script in
        ["mkdir sub; ls", "ls; touch x", "nice touch x", "echo $(id); ls", "cat src/a.rs | tee x", "ls"]
    {
        let auto = desk.run(&policy, open(Mode::Auto), script).reach;
        let bypass = desk.run(&policy, open(Mode::Bypass), script).reach;
        assert!(
            bypass.files >= auto.files && bypass.network >= auto.network,
            "{script}: {auto:?} {bypass:?}"
        );
    }
    let reach = desk.run(&policy, open(Mode::Bypass), "mkdir sub; ls").reach;
    assert_eq!((reach.files, reach.network), (FileAccess::WorkspaceWrite, NetworkAccess::Open));
}

#[test]
fn names_that_make_programs_run_are_asked_about_in_every_mode_that_asks() {
    let (desk, policy) = (Desk::new(), LayeredPolicy::new());
    let edit = |mode, name: &str| desk.call(&policy, mode, "write", &writes(&desk.root().join(name))).verdict;
    for name in [
        ".claude/settings.json",
        ".cursor/mcp.json",
        ".VSCODE/tasks.json",
        "sub/.vscode/tasks.json",
        ".idea/x",
        ".git/hooks/x",
        "sub/.git/config",
        ".git/commondir",
        ".git/config.worktree",
        ".onward/x",
        ".mcp.json",
        ".envrc",
        ".husky/pre-commit",
        ".devcontainer/devcontainer.json",
        ".cargo/config.toml",
        ".npmrc",
        ".pre-commit-config.yaml",
        ".gitmodules",
        ".gitattributes",
        ".github/workflows/ci.yml",
        ".bashrc",
    ] {
        assert_eq!((edit(Mode::AcceptEdits, name), edit(Mode::Auto, name)), (Ask, Ask), "{name}");
    }
    for name in ["AGENTS.md", "CLAUDE.md", "sub/AGENTS.md", ".gitignore", ".github/labels.yml"] {
        assert_eq!((edit(Mode::AcceptEdits, name), edit(Mode::Auto, name)), (Allow, Allow), "{name}");
    }
    for (script, verdict) in [
        ("sed -i s/a/b/ .github/workflows/ci.yml", Ask),
        ("echo x > sub/.Husky/pre-push", Ask),
        ("git diff .github/workflows/ci.yml", Allow),
        ("cat .npmrc", Allow),
    ] {
        assert_eq!(desk.run(&policy, contained(Mode::Auto), script).verdict, verdict, "{script}");
    }
}
