//! The data on attacks and ordinary work: it is whole, and policy decides on it as it should. What of it has to be run is
//! run by `cargo xtask security`.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use insta::assert_snapshot;
use onward_event::Verdict;
use onward_test::security::{Asks, Benign, Cases, FALSE_ASK_LIMIT, Hostile, Judge, rates, where_test_is};

use crate::support::folder;

fn data(name: &str) -> PathBuf {
    folder("security").join(name)
}

fn root() -> PathBuf {
    folder("../..").canonicalize().unwrap()
}

/// A workspace that nobody has, and no programs: decisions are the same on every machine.
fn judge() -> Judge {
    Judge::new(Path::new("/nowhere/repo"), Vec::new())
}

#[test]
fn every_known_attack_has_its_tests_or_a_reason() {
    let cases = Cases::load(&data("attacks.toml")).unwrap().cases;
    let docs = std::fs::read_to_string(root().join("docs/security.md")).unwrap();
    let (_, risks) = docs.split_once("## Residual risks").unwrap();
    let mut shown = String::new();
    let mut wrong = Vec::new();
    for case in &cases {
        match (&case.not_yet, case.tests.as_slice()) {
            (None, []) => wrong.push(format!("{} has neither tests nor a reason", case.id)),
            (Some(_), [_, ..]) => wrong.push(format!("{} has both tests and a reason", case.id)),
            (Some(why), []) => writeln!(shown, "{} ({}) not yet: {why}", case.id, case.layer).unwrap(),
            (None, tests) => {
                writeln!(shown, "{} ({}) {} tests", case.id, case.layer, tests.len()).unwrap();
                let missing = tests.iter().filter_map(|test| where_test_is(&root(), test).err());
                wrong.extend(missing.map(|error| format!("{}: {error}", case.id)));
            }
        }
        if let Some(residual) = &case.residual {
            writeln!(shown, "  residual: {residual}").unwrap();
            if !risks.contains(&format!("`{}`", case.id)) {
                wrong.push(format!("{} is residual, and docs/security.md does not name it as that", case.id));
            }
        }
        if case.tried.is_empty() || case.safe.is_empty() {
            wrong.push(format!("{} does not say what is tried and what has to come of it", case.id));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let ids: BTreeSet<&str> = cases.iter().map(|case| case.id.as_str()).collect();
    assert_eq!(ids.len(), cases.len(), "an id is given twice");
    // Which cases there are, and which are not shown by tests: nothing comes or goes unseen.
    assert_snapshot!(shown);
}

#[test]
fn ordinary_work_is_seldom_held_up() {
    let benign = Benign::load(&data("benign.toml")).unwrap();
    let quiet = benign.groups.iter().filter(|group| group.asks == Asks::Nothing);
    let quiet: usize = quiet.map(|group| group.commands.len()).sum();
    assert!(quiet >= 150, "{quiet} commands");
    let rates = rates(&benign, &judge());
    let mut shown = String::new();
    for ask in rates.iter().flat_map(|rate| &rate.false_asks) {
        writeln!(shown, "{}: {} ({})", ask.verdict, ask.line, ask.by.join(", ")).unwrap();
    }
    let asks: Vec<_> = rates.iter().flat_map(|rate| &rate.false_asks).collect();
    assert!(asks.iter().all(|ask| ask.verdict != "deny"), "nobody can answer a denial: {asks:?}");
    #[expect(clippy::cast_precision_loss, reason = "counts of lines in a file")]
    let percent = asks.len() as f64 * 100.0 / quiet as f64;
    assert!(percent <= FALSE_ASK_LIMIT, "{percent} % of {quiet} commands are held up:\n{shown}");
    assert_snapshot!(format!("{} of {quiet}\n{shown}", asks.len()));
}

#[test]
fn attacks_are_asked_about_or_left_to_the_sandbox() {
    let hostile = Hostile::load(&data("hostile.toml")).unwrap();
    let cases = Cases::load(&data("attacks.toml")).unwrap().cases;
    let mut shown = String::new();
    for attack in &hostile.attacks {
        for id in &attack.cases {
            assert!(cases.iter().any(|case| case.id == *id), "{}: there is no case {id}", attack.id);
        }
        let line = attack.line().replace("{outside}", "/nowhere/outside").replace("{home}", "/nowhere/home");
        let line = line.replace("{victim}", "4711").replace("{port}", "4711").replace("{mark}", "mark");
        let decision = judge().decide("", &line);
        assert!(attack.policy.holds(decision.verdict), "{}: {:?}", attack.id, decision.verdict);
        let verdict = match decision.verdict {
            Verdict::Allow => "sandbox",
            Verdict::Ask => "ask",
            Verdict::Deny => "deny",
        };
        // Where this leads depends on where the tests run; that it is not allowed does not.
        let (verdict, rules) = match line.contains("/proc/self/cwd") {
            true => ("held", String::new()),
            false => (verdict, decision.rules.join(", ")),
        };
        writeln!(shown, "{}", format!("{verdict:<8}{:<36}{rules}", attack.id).trim_end()).unwrap();
    }
    assert_snapshot!(shown);
}
