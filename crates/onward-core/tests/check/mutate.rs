//! Good logs, damaged record by record and at random.
//!
//! The log is sealed anew after each damage, as somebody would who wanted to hide it: numbers and hashes are right,
//! and only the meaning is left to notice it.

use std::sync::LazyLock;

use onward_event::Record;
use proptest::prelude::*;

use crate::env::check_records;
use crate::good::{Named, all};

/// Built once for all random cases.
static LOGS: LazyLock<Vec<Named>> = LazyLock::new(all);

/// A log in which clients say what no longer applies: their loss changes nothing.
const LATE: &str = "clients who are late";

/// Kinds whose loss no log can show: the log without them is one that a session might have made.
const LOSS_MAY_BE_SILENT: [&str; 6] = [
    "notice/added",
    "owner/released",
    "policy/decided",
    "interrupt/requested",
    "inbox/cancelled",
    "tool/background_requested",
];

/// Kinds that say the same thing twice without harm.
const TWICE_MAY_BE_SILENT: [&str; 9] = [
    "approval/resolved",
    "inbox/cancelled",
    "inbox/received",
    "interrupt/requested",
    "job/cancel_requested",
    "notice/added",
    "policy/decided",
    "reconciliation/resolved",
    "tool/background_requested",
];

/// Losses of other kinds that leave a log which a session might have made, each with the reason.
fn is_excused(log: &str, kind: &str, is_last: bool) -> bool {
    match kind {
        // The turn is still open.
        "turn/end" => is_last,
        // Nobody was asked, and policy refused.
        "approval/requested" | "approval/resolved" if log == "a rejection" => true,
        // The call failed before it started.
        "tool/start" => log == "a call that may not run twice, after a crash",
        "approval/resolved" | "inbox/received" | "reconciliation/resolved" => log == LATE,
        _ => false,
    }
}

#[test]
fn the_loss_of_a_record_is_noticed() {
    let mut unnoticed = Vec::new();
    for (name, log) in all() {
        for n in 0..log.records.len() {
            let kind = log.records[n].event.kind();
            let is_last = !log.records[n + 1..].iter().any(|record| record.event.kind() == kind);
            if LOSS_MAY_BE_SILENT.contains(&kind) || is_excused(name, kind, is_last) {
                continue;
            }
            let mut records = log.records.clone();
            records.remove(n);
            if check_records(&records).is_clean() {
                unnoticed.push((name, n, kind.to_owned()));
            }
        }
    }
    assert_eq!(unnoticed, []);
}

#[test]
fn a_record_that_stands_twice_is_noticed() {
    let mut unnoticed = Vec::new();
    for (name, log) in all() {
        for (n, record) in log.records.iter().enumerate() {
            let kind = record.event.kind();
            let mut records = log.records.clone();
            records.insert(n, record.clone());
            if !TWICE_MAY_BE_SILENT.contains(&kind) && check_records(&records).is_clean() {
                unnoticed.push((name, n, kind.to_owned()));
            }
        }
    }
    assert_eq!(unnoticed, []);
}

/// An accepted output, or a start, stands in one append with what it needs: a log that is cut in between is damaged.
#[test]
fn an_append_that_is_cut_is_noticed_where_its_records_need_each_other() {
    let mut cuts = 0;
    for (name, log) in all() {
        for (n, pair) in log.records.windows(2).enumerate() {
            let needs_more = matches!(
                (pair[0].event.kind(), pair[1].event.kind()),
                ("attempt/end", "assistant/accepted")
                    | ("assistant/accepted" | "tool/call", "tool/call")
                    | ("turn/end", "recovery/continuation")
                    | ("tool/reconciled", "tool/result" | "tool/outcome_unknown")
            );
            if needs_more && pair[0].append == pair[1].append {
                cuts += 1;
                let report = check_records(&log.records[..=n]);
                assert!(!report.is_clean(), "{name}, cut after record {}", n + 1);
            }
        }
    }
    assert!(cuts > 50, "only {cuts} cuts were tried");
}

/// Whether the second of two neighbours could not have happened without the first.
fn needs_in_this_order(first: &str, second: &str) -> bool {
    matches!(
        (first, second),
        ("session/created", _)
            | ("turn/start", "step/start")
            | ("step/start", "request/prepared")
            | ("request/prepared", "attempt/start")
            | ("attempt/start", "attempt/end")
            | ("attempt/end", "assistant/accepted")
            | ("assistant/accepted" | "tool/call", "tool/call")
            | ("policy/decided", "tool/start")
            | ("tool/start", "tool/result")
            | ("step/end", "turn/end")
            | ("turn/end", "recovery/continuation")
            | ("recovery/continuation", "turn/start")
    )
}

#[test]
fn an_effect_before_its_cause_is_noticed() {
    for (name, log) in all() {
        for n in 0..log.records.len() - 1 {
            let mut records = log.records.clone();
            records.swap(n, n + 1);
            let (first, second) = (log.records[n].event.kind(), log.records[n + 1].event.kind());
            if needs_in_this_order(first, second) {
                let report = check_records(&records);
                assert!(!report.is_clean(), "{name}: {second} before {first} at record {}", n + 1);
            }
        }
    }
}

/// One way to damage a log.
#[derive(Clone, Copy, Debug)]
enum Damage {
    Drop(usize),
    Duplicate(usize),
    Swap(usize, usize),
    Copy { from: usize, to: usize },
    Cut(usize),
}

fn damage() -> impl Strategy<Value = Damage> {
    let place = 0..64usize;
    prop_oneof![
        place.clone().prop_map(Damage::Drop),
        place.clone().prop_map(Damage::Duplicate),
        (place.clone(), place.clone()).prop_map(|(a, b)| Damage::Swap(a, b)),
        (place.clone(), place.clone()).prop_map(|(from, to)| Damage::Copy { from, to }),
        place.prop_map(Damage::Cut),
    ]
}

fn apply(records: &mut Vec<Record>, damage: Damage) {
    let len = records.len();
    if len < 2 {
        return;
    }
    match damage {
        Damage::Drop(n) => drop(records.remove(n % len)),
        Damage::Duplicate(n) => records.insert(n % len, records[n % len].clone()),
        Damage::Swap(a, b) => records.swap(a % len, b % len),
        Damage::Copy { from, to } => records.insert(to % len, records[from % len].clone()),
        Damage::Cut(n) => records.truncate(1 + n % (len - 1)),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// Two logs in one, damaged several times: the checker reads to the end, reports places that exist, and says
    /// the same again when it is asked again.
    #[test]
    fn no_damage_stops_the_checker(
        first in 0..LOGS.len(),
        second in 0..LOGS.len(),
        damages in proptest::collection::vec(damage(), 0..6),
    ) {
        let mut records = LOGS[first].1.records.clone();
        records.extend(LOGS[second].1.records.iter().cloned());
        for damage in damages {
            apply(&mut records, damage);
        }
        let report = check_records(&records);
        prop_assert_eq!(report.records, records.len() as u64);
        for violation in &report.violations {
            prop_assert!((1..=report.records).contains(&violation.at.0), "{violation}");
            prop_assert!(!violation.what.is_empty());
        }
        prop_assert_eq!(check_records(&records), report);
    }
}
