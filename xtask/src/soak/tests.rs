//! The counts find what was planted: a count that cannot fail proves nothing.

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt as _;

use onward_test::not_tested;
use serde_json::{Value, json};

use super::count::{Verdict, doubled, lost, untrue};
use super::log::Told;
use super::random::Random;
use super::{Args, concluded, perform};

const SESSION: &str = "01h455vb4pex5vsknk084sn02q";

fn id(prefix: &str, last: char) -> String {
    format!("{prefix}_{}{last}", &SESSION[..25])
}

fn message(last: char, words: &str, wakeup: bool) -> Value {
    json!({ "type": "message", "cursor": "1-00000000", "at": 1, "message": id("msg", last), "text": words,
            "target": "next_turn", "wakeup": wakeup, "origin": "user" })
}

fn step(taken: &[char]) -> Value {
    let messages: Vec<String> = taken.iter().map(|last| id("msg", *last)).collect();
    json!({ "type": "step.started", "cursor": "2-00000000", "at": 1, "step": id("step", '0'), "turn": id("turn", '0'),
            "index": 1, "messages": messages })
}

fn told(lines: &[Value]) -> Told {
    Told::from_lines(&lines.iter().map(|line| format!("{line}\n")).collect::<String>())
}

#[test]
fn a_planted_loss_is_found() {
    let acknowledged = BTreeSet::from(["one", "two", "aside"].map(str::to_owned));
    let whole = [
        message('1', "one", true),
        message('2', "two", true),
        message('3', "aside", false),
        step(&['1', '2']),
    ];
    assert_eq!(lost(&acknowledged, &told(&whole)), []);
    let missing = [&whole[..1], &whole[2..]].concat();
    assert_eq!(lost(&acknowledged, &told(&missing)), [("two", "is not in the log")]);
    let undelivered = [&whole[..3], &[step(&['1'])]].concat();
    assert_eq!(lost(&acknowledged, &told(&undelivered)), [("two", "was never handed over")]);
    let twice = [&whole[..], &[message('4', "one", true), step(&['4'])]].concat();
    assert_eq!(lost(&acknowledged, &told(&twice)), [("one", "is in the log twice")]);
    let cancelled = json!({ "type": "message.cancelled", "cursor": "3-00000000", "at": 1, "message": id("msg", '1'),
                            "reason": "undeliverable" });
    let cancelled = [&whole[..], &[cancelled]].concat();
    assert_eq!(lost(&acknowledged, &told(&cancelled)), [("one", "was cancelled")]);
}

#[test]
fn a_planted_double_is_found() {
    assert!(doubled("s1-1-a\ns1-2-a\ns1-1-b\n").is_empty());
    assert_eq!(doubled("s1-1-a\ns1-2-a\ns1-1-a\ns1-1-a\n").into_iter().collect::<Vec<_>>(), [("s1-1-a", 2)]);
}

#[test]
fn an_effect_that_is_told_and_did_not_happen_is_found() {
    let command = "sleep 0.1; echo s1-1-a >> '/x/ledger'; sleep 0.2; echo left s1-1-a";
    let call = json!({ "type": "tool.call", "cursor": "1-00000000", "at": 1, "call": id("call", '1'),
                       "step": id("step", '0'), "ordinal": 0, "name": "shell", "input": { "command": command } });
    let result = json!({ "type": "tool.result", "cursor": "2-00000000", "at": 1, "call": id("call", '1'),
                         "status": "ok", "text": "exit code 0\nleft s1-1-a", "millis": 1, "bytes": 1,
                         "truncated": false, "artifacts": [] });
    let told = told(&[call, result]);
    assert!(untrue(&told, "s1-1-a\n").is_empty());
    assert_eq!(untrue(&told, "s1-2-a\n"), ["s1-1-a"]);
}

#[test]
fn any_count_but_the_kills_is_a_failure() {
    let good = Verdict { kills: 9, ..Verdict::default() };
    assert!(good.is_good());
    assert_eq!(good.to_string(), "kills 9, acknowledged inputs lost 0, effects doubled 0, sessions hung 0");
    for bad in [
        Verdict { lost: 1, ..good.clone() },
        Verdict { doubled: 1, ..good.clone() },
        Verdict { hung: 1, ..good.clone() },
        Verdict { untrue: 1, ..good.clone() },
        Verdict { broken: 1, ..good.clone() },
    ] {
        assert!(!bad.is_good(), "{bad:?}");
    }
}

#[test]
fn a_seed_repeats_its_decisions() {
    let decisions = |seed| {
        let mut random = Random::new(seed);
        (0..100).map(|_| random.within(3..17)).collect::<Vec<_>>()
    };
    assert_eq!(decisions(7), decisions(7));
    assert_ne!(decisions(7), decisions(8));
    assert!(decisions(7).iter().all(|number| (3..17).contains(number)));
    assert_eq!(Random::new(1).pick::<u8>(&[]), None);
}

#[test]
fn a_soak_that_fails_says_so_in_its_last_line() {
    let (line, good) = concluded(&Err(anyhow::anyhow!("the ledger cannot be read")));
    assert_eq!((line.as_str(), good), ("no verdict, nothing was counted: the ledger cannot be read", false));
    assert!(concluded(&Ok(Verdict { kills: 3, ..Verdict::default() })).1);
}

/// Soaks the real program behind a script that does something to it first; the verdict. None where it was not built.
fn soaked_behind(script: &str, counts: impl Fn(&Verdict) -> bool) -> Option<Verdict> {
    // Beside this program, in the folder above `deps`.
    let real = std::env::current_exe().unwrap().parent()?.parent()?.join("onward");
    if !real.is_file() {
        not_tested(
            "a soak that must find what was planted",
            "the program was not built: test the whole workspace",
        );
        return None;
    }
    let root = tempfile::tempdir().unwrap();
    let program = root.path().join("onward");
    let text = format!("#!/bin/sh\n{script}\nexec '{}' \"$@\"\n", real.display());
    std::fs::write(&program, text).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    // On a slow machine it takes longer until there was something to do wrong.
    for minutes in [0.03, 0.2, 1.0] {
        let args = Args { minutes, sessions: 2, seed: Some(7), program: None };
        let verdict = perform(root.path(), program.clone(), 7, &args);
        let verdict = verdict.unwrap();
        if counts(&verdict) {
            assert!(!concluded(&Ok(verdict.clone())).1, "{verdict}");
            return Some(verdict);
        }
    }
    panic!("what was planted was not counted");
}

/// Once, when the work is over: the ledger has a line twice.
const DOUBLES: &str = r#"
effects="$ONWARD_DATA_DIR/../effects"
if [ "$1" = resume ] && [ -s "$effects/ledger" ] && mkdir "$effects/once" 2>/dev/null; then
    head -n 1 "$effects/ledger" >> "$effects/ledger"
fi"#;

#[test]
fn an_effect_that_the_program_doubles_is_counted() {
    let Some(verdict) = soaked_behind(DOUBLES, |verdict| verdict.doubled > 0) else { return };
    assert_eq!(verdict, Verdict { kills: verdict.kills, doubled: 1, ..Verdict::default() });
}

/// Once: what is said is acknowledged, and recorded nowhere.
const LOSES: &str = r#"
if [ "$1" = send ] && mkdir "$ONWARD_DATA_DIR/../effects/once" 2>/dev/null; then
    echo "msg_01h455vb4pex5vsknk084sn02q is recorded in ses_01h455vb4pex5vsknk084sn02q" >&2
    exit 0
fi"#;

#[test]
fn an_input_that_the_program_loses_is_counted() {
    let Some(verdict) = soaked_behind(LOSES, |verdict| verdict.lost > 0) else { return };
    assert_eq!(verdict, Verdict { kills: verdict.kills, lost: 1, ..Verdict::default() });
}
