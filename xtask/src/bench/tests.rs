//! Tests of the table, which are compiled with the launcher: an example is not tested, and this one needs the runtime.

use std::time::Duration;

use super::report::{Report, Row};
use super::stats::Sample;

#[test]
fn ranks_do_not_depend_on_the_order() {
    let sample = Sample::new([5.0, 1.0, 4.0, 2.0, 3.0]);
    assert_eq!((sample.median(), sample.p95(), sample.len()), (3.0, 5.0, 5));
    assert_eq!(Sample::millis([Duration::from_micros(1500)]).median(), 1.5);
    assert!(Sample::new([]).median().is_nan());
}

fn report() -> Report {
    let rows = vec![
        Row::new("gap", "4.00 ms").at_most("5 ms", &[4.0, 9.0], &[5.0, 8.0]),
        Row::new("rate", "1,300").at_least("1,200", 1_300.0, 1_200.0),
        Row::new("prefix", "all").judged("all", true),
        Row::new("nothing", "?").at_most("1", &[f64::NAN], &[1.0]),
        Row::new("connections", "1"),
    ];
    Report { about: vec!["Here.".into()], rows, failed: vec!["idle: no /proc".into()] }
}

#[test]
fn a_verdict_needs_every_figure_within_its_limit() {
    assert_eq!(
        report().to_string(),
        "Here.\n\n| what | measured | target | |\n|---|---|---|---|\n\
         | gap | 4.00 ms | 5 ms | **missed** |\n| rate | 1,300 | 1,200 | met |\n| prefix | all | all | met |\n\
         | nothing | ? | 1 | **missed** |\n| connections | 1 |  |  |\n\nNot measured: idle: no /proc\n"
    );
}

#[test]
fn the_table_replaces_only_the_table() {
    let folder = std::env::temp_dir().join(format!("onward-xtask-report-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let page = folder.join("page.md");
    std::fs::write(&page, "before\n<!-- measured:begin -->\nold\n<!-- measured:end -->\nafter\n").unwrap();
    for _ in 0..2 {
        report().write_into(&page).unwrap();
        let text = std::fs::read_to_string(&page).unwrap();
        assert!(text.starts_with("before\n<!-- measured:begin -->\nHere.\n"), "{text}");
        assert!(text.ends_with("no /proc\n<!-- measured:end -->\nafter\n"), "{text}");
    }
    std::fs::write(&page, "no place\n").unwrap();
    assert!(report().write_into(&page).unwrap_err().to_string().contains("measured:begin"));
    std::fs::remove_dir_all(&folder).unwrap();
}
