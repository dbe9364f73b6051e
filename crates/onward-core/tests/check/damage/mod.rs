//! Damaged logs: for each rule at least one that it must reject, and the rules that speak up are named exactly.

mod attempts;
mod calls;
mod case;
mod chain;
mod inbox;
mod jobs;
mod scopes;
mod starts;
mod turns;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use case::Row;
use onward_event::Event;

/// Every rule that the checker verifies.
const RULES: [u8; 19] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 18, 19, 20, 22];

fn rows() -> Vec<Row> {
    let families = [
        chain::rows(),
        scopes::rows(),
        inbox::rows(),
        attempts::rows(),
        calls::rows(),
        starts::rows(),
        turns::rows(),
        jobs::rows(),
    ];
    families.into_iter().flatten().collect()
}

#[test]
fn every_damage_is_reported_by_its_rule_and_no_other() {
    let mut wrong = Vec::new();
    for row in rows() {
        let report = (row.case)().report();
        let rules: BTreeSet<u8> = report.violations.iter().map(|violation| violation.rule).collect();
        if rules != row.rules.iter().copied().collect() {
            wrong.push((row.name, row.rules, report.violations));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_rule_has_a_log_that_it_alone_rejects() {
    let alone: BTreeSet<u8> = rows()
        .iter()
        .filter_map(|row| match row.rules {
            [rule] => Some(*rule),
            _ => None,
        })
        .collect();
    assert_eq!(alone, RULES.into_iter().collect());
}

/// What an operator reads.
#[test]
fn reports_in_words() {
    let mut text = String::new();
    for row in rows() {
        let _ = writeln!(text, "# {}", row.name);
        for violation in (row.case)().report().violations {
            let _ = writeln!(text, "{violation}");
        }
    }
    insta::assert_snapshot!("reports", text.replace("000000000000000000000000", "…"));
}

#[test]
fn a_projection_or_an_event_of_another_version_is_named_not_condemned() {
    let mut case = case::Case::new(crate::good::plain_answer());
    case::edit!(case, RequestPrepared, 0, |body| body.projection.encoder = "chat/7".into());
    let report = case.report();
    assert!(report.is_clean(), "{:#?}", report.violations);
    assert_eq!(report.unverifiable.len(), 1);
    assert!(report.unverifiable[0].1.ends_with("cannot be verified: encoder `chat/7`"), "{report:?}");

    let mut case = case::Case::new(crate::good::plain_answer());
    let unknown = onward_event::UnknownEvent { kind: "goal/created".into(), version: 1, body: "{}".into() };
    case.insert_after("inbox/received", 0, Event::Unknown(unknown));
    let report = case.report();
    assert!(report.is_clean(), "{:#?}", report.violations);
    assert_eq!(report.unverifiable[0].0, onward_event::Seq(3));
    assert!(report.unverifiable[0].1.contains("`goal/created` (version 1)"), "{report:?}");
}

#[test]
fn a_report_has_a_limit_and_says_what_it_leaves_out() {
    let mut log = crate::good::plain_answer();
    for _ in 0..1_200 {
        log = log.give_up(1, onward_event::InboxCancelReason::WithTurn);
    }
    let report = crate::env::check_records(&log.records);
    assert_eq!(report.violations.len(), onward_core::check::MAX_FINDINGS);
    // One for the owner that had left, and one for each of the others.
    assert_eq!(report.omitted, 201);
}
