//! Properties: whatever is added, in whatever order, nothing that was refused or asked about becomes less so, unless by
//! an allow of those who may allow.

use onward_event::{Mode, Verdict};
use onward_policy::{Layer, LayeredPolicy};
use onward_port::PolicyDecision;
use proptest::prelude::*;

use crate::support::{Deny, Desk, MODES, Setting, contained, layers, open, reads, waived, writes};

const COMMANDS: &[&str] = &[
    "ls src",
    "cat src/a.rs > src/b",
    "git status",
    "git push --force",
    "cargo test && git log",
    "rm -rf src",
    "sudo rm x",
    "sh -c ls",
    "timeout 5 npm install x",
    "echo $(id)",
    "curl x | sh",
    "echo x > /etc/passwd",
    "cd src && python3 x",
    // What other programs execute, and a file with a second name.
    "echo x > .git/config",
    "perl x .git/hooks/y",
    "echo x > src/twin",
    // Patterns, and words that are not known.
    "rm -r .g*t/config src/{a,b}.rs",
    "cat src/*.rs '.e?v'",
    "cat $HOME/.env \"$X\"",
    "rm $(ls) ; git push",
];

/// The conditions of a rule; what it does is another choice.
fn conditions() -> impl Strategy<Value = String> {
    let argv = prop::sample::select(vec![
        "",
        "argv = ['ls', '...']",
        "argv = ['git', ['push', 'status'], '...']",
        "argv = ['rm', '...']",
        "argv = [['sh', 'sudo', 'timeout'], '...']",
        "argv = ['cargo', 'test']",
        "argv = ['python3', 'x']",
        "argv = ['npm', 'install', '...']",
    ]);
    let paths = prop::sample::select(vec![
        "",
        "write = ['${workspace}/src/**']",
        "read = ['${workspace}/**']",
        "read = ['/etc/**']\nwrite = ['${workspace}/**']",
        "read = ['**/.env']",
        "write = ['${workspace}/.git/**', '${workspace}/src/b.rs']",
    ]);
    let rest = prop::sample::select(vec![
        "",
        "modes = ['normal', 'plan']",
        "risks = ['network', 'dangerous']",
        "tool = 'shell'",
        "modes = ['auto', 'bypass', 'read-only']",
    ]);
    (argv, paths, rest).prop_map(|(argv, paths, rest)| format!("{argv}\n{paths}\n{rest}\n"))
}

fn rule(effects: &'static [&'static str]) -> impl Strategy<Value = String> {
    let sandbox = prop::sample::select(vec!["", "sandbox = 'read-only'\n"]);
    (prop::sample::select(effects), conditions(), sandbox).prop_map(|(effect, conditions, sandbox)| {
        let sandbox = if effect == "deny" { "" } else { sandbox };
        format!("effect = '{effect}'\n{conditions}{sandbox}")
    })
}

fn grant() -> impl Strategy<Value = String> {
    let answers = prop::sample::select(vec![
        "['shell-ask']",
        "['network-ask', 'dangerous-ask', 'write-ask', 'opaque-ask']",
        "['u0', 'u1', 'p0', 'p1', 'shell-ask', 'network-ask', 'dangerous-ask', 'hidden-ask', 'write-ask']",
        "['p0']",
        "['protected-names', 'hard-link', 'write-ask', 'shell-ask', 'a0', 'a1']",
    ]);
    let what = prop::sample::select(vec![
        "argv = ['rm', '...']",
        "argv = ['git', '...']\nnet = ['*']",
        "argv = ['python3', 'x']",
        "argv = ['python3', 'x']\ndir = 'src'",
        "argv = ['sudo', '...']\nsandbox = 'none'",
        "",
    ]);
    (answers, what)
        .prop_map(|(answers, what)| format!("[[grant]]\nanswers = {answers}\ntool = 'shell'\n{what}\n"))
}

/// The rules that load, each with an id of its own.
fn file(prefix: &str, layer: Layer, bodies: &[String]) -> Vec<String> {
    let named = bodies.iter().enumerate().map(|(n, body)| format!("[[rule]]\nid = '{prefix}{n}'\n{body}\n"));
    let loads = |text: &String| {
        LayeredPolicy::from_texts(&[onward_policy::LayerText { layer, name: "x", text }]).is_ok()
    };
    named.filter(loads).collect()
}

fn settings() -> impl Strategy<Value = Setting> {
    let mode = prop::sample::select(MODES.to_vec());
    (mode, 0..3).prop_map(|(mode, kind): (Mode, i32)| match kind {
        0 => contained(mode),
        1 => open(mode),
        _ => waived(mode),
    })
}

/// Decides on every command and on a few calls of tools.
fn everything(desk: &Desk, policy: &LayeredPolicy, setting: Setting) -> Vec<PolicyDecision> {
    let _ = std::fs::hard_link(desk.root().join("src/a.rs"), desk.root().join("src/twin"));
    let mut all: Vec<PolicyDecision> =
        COMMANDS.iter().map(|script| desk.run(policy, setting, script)).collect();
    for path in [desk.root().join("src/a.rs"), "/etc/passwd".into()] {
        all.push(desk.call(policy, setting.mode, "write", &writes(&path)));
        all.push(desk.call(policy, setting.mode, "read", &reads(&path)));
    }
    all
}

fn is_no_looser(after: &[PolicyDecision], before: &[PolicyDecision]) -> Result<(), TestCaseError> {
    for (after, before) in after.iter().zip(before) {
        prop_assert!(after.verdict >= before.verdict, "{before:?}\nbecame\n{after:?}");
        if after.verdict == Verdict::Allow {
            prop_assert!(after.reach.files <= before.reach.files, "{before:?}\nbecame\n{after:?}");
            prop_assert!(after.reach.network <= before.reach.network, "{before:?}\nbecame\n{after:?}");
        }
    }
    Ok(())
}

const ANY: &[&str] = &["allow", "ask", "deny"];
const TIGHTENING: &[&str] = &["ask", "deny"];

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_order_of_rules_layers_and_grants_does_not_matter(
        administrator in prop::collection::vec(rule(ANY), 0..3),
        user in prop::collection::vec(rule(ANY), 0..5),
        project in prop::collection::vec(rule(TIGHTENING), 0..3),
        grants in prop::collection::vec(grant(), 0..3),
        setting in settings(),
    ) {
        let desk = Desk::new();
        let mut user = file("u", Layer::User, &user);
        user.extend(grants);
        let mut project = file("p", Layer::Project, &project);
        let mut administrator = file("a", Layer::Administrator, &administrator);
        let forward = [&administrator, &user, &project].map(|texts| texts.concat());
        [&mut administrator, &mut user, &mut project].into_iter().for_each(|texts| texts.reverse());
        let backward = [&administrator, &user, &project].map(|texts| texts.concat());
        let whose = [Layer::Administrator, Layer::User, Layer::Project];
        let one: Vec<_> = whose.into_iter().zip(forward.iter().map(String::as_str)).collect();
        let other: Vec<_> = whose.into_iter().zip(backward.iter().map(String::as_str)).rev().collect();
        let (one, other) = (layers(&one), layers(&other));
        // Reasons name the lines of rules, which are other ones.
        let decided = |policy| {
            let without = |decision| PolicyDecision { reason: String::new(), ..decision };
            everything(&desk, policy, setting).into_iter().map(without).collect::<Vec<_>>()
        };
        prop_assert_eq!(decided(&one), decided(&other));
    }

    #[test]
    fn a_project_can_only_tighten(
        user in prop::collection::vec(rule(ANY), 0..4),
        project in prop::collection::vec(rule(TIGHTENING), 1..4),
        grants in prop::collection::vec(grant(), 0..4),
        setting in settings(),
    ) {
        let desk = Desk::new();
        let mut user = file("u", Layer::User, &user);
        user.extend(grants);
        let (user, project) = (user.concat(), file("p", Layer::Project, &project).concat());
        let before = everything(&desk, &layers(&[(Layer::User, &user)]), setting);
        let after = everything(&desk, &layers(&[(Layer::User, &user), (Layer::Project, &project)]), setting);
        is_no_looser(&after, &before)?;
    }

    #[test]
    fn a_denial_never_loosens(
        user in prop::collection::vec(rule(ANY), 0..4),
        denial in rule(&["deny"]),
        grants in prop::collection::vec(grant(), 0..4),
        setting in settings(),
        layer in prop::sample::select(vec![Layer::Administrator, Layer::User, Layer::Project]),
    ) {
        let desk = Desk::new();
        let mut user = file("u", Layer::User, &user);
        user.extend(grants);
        let (user, denial) = (user.concat(), file("d", layer, &[denial]).concat());
        let before = everything(&desk, &layers(&[(Layer::User, &user)]), setting);
        let after = everything(&desk, &layers(&[(Layer::User, &user), (layer, &denial)]), setting);
        is_no_looser(&after, &before)?;
    }

    #[test]
    fn grants_lift_no_denial(
        user in prop::collection::vec(rule(ANY), 0..4),
        grants in prop::collection::vec(grant(), 1..5),
        setting in settings(),
    ) {
        let desk = Desk::new();
        let user = file("u", Layer::User, &user).concat();
        let before = everything(&desk, &layers(&[(Layer::User, &user)]), setting);
        let after = everything(&desk, &layers(&[(Layer::User, &user), (Layer::User, &grants.concat())]), setting);
        for (after, before) in after.iter().zip(&before) {
            prop_assert!(before.verdict != Deny || after.verdict == Deny, "{before:?}\nbecame\n{after:?}");
        }
    }

    #[test]
    fn no_text_makes_the_loader_panic(text in ".{0,200}", body in rule(ANY)) {
        let broken = format!("[[rule]]\nid = 'a'\n{body}{text}");
        for text in [text, broken] {
            let layer = onward_policy::LayerText { layer: Layer::User, name: "x", text: &text };
            if let Err(errors) = LayeredPolicy::from_texts(&[layer]) {
                prop_assert!(errors.0.iter().all(|error| error.line > 0 && !error.what.is_empty()));
            }
        }
    }
}
