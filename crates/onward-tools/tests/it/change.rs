//! What `write` and `edit` promise about time: a change is made on the content that it was planned on or not at all,
//! and after a crash the content says whether it was made.

use std::fs;

use onward_event::ToolStart;
use onward_port::{Reconciliation, ToolOutcome};
use serde_json::{Value, json};

use crate::desk::Desk;

async fn reconciled(desk: &Desk, tool: &str, input: &Value, start: &ToolStart) -> Reconciliation {
    desk.tool(tool).reconcile(input, start).await
}

/// Why nobody can know.
async fn unknown(desk: &Desk, tool: &str, input: &Value, start: &ToolStart) -> String {
    match reconciled(desk, tool, input, start).await {
        Reconciliation::Unknown { evidence } => evidence,
        found => panic!("{found:?}"),
    }
}

/// By what it was found that nothing was done.
async fn not_applied(desk: &Desk, tool: &str, input: &Value, start: &ToolStart) -> String {
    match reconciled(desk, tool, input, start).await {
        Reconciliation::NotApplied { evidence } => evidence,
        found => panic!("{found:?}"),
    }
}

#[tokio::test]
async fn a_file_that_changed_meanwhile_is_left_alone() {
    let desk = Desk::new();
    desk.file("a", "old\n");
    for (tool, input) in [
        ("write", json!({ "path": "a", "content": "new\n" })),
        ("edit", json!({ "path": "a", "old": "old", "new": "new" })),
    ] {
        desk.file("a", "old\n");
        let (input, start) = desk.start(tool, input).await;
        desk.file("a", "old\nand theirs\n");
        let outcome = desk.run(tool, &input, &start).await;
        assert!(desk.shown(&outcome).starts_with("(error changed_meanwhile)"), "{outcome:?}");
        assert_eq!(desk.text("a"), "old\nand theirs\n");
    }
    desk.file("a", "old\n");
    let (input, start) = desk.start("write", json!({ "path": "a", "content": "new\n" })).await;
    desk.file("a", "other\n");
    insta::assert_snapshot!(desk.shown(&desk.run("write", &input, &start).await), @"(error changed_meanwhile) changed_meanwhile: `a` changed since this call was planned (then: content 87b86a9f, now: content c0d6c828); nothing was written. Read it again, then repeat the call");
    fs::remove_file(desk.at("a")).unwrap();
    insta::assert_snapshot!(desk.shown(&desk.run("write", &input, &start).await), @"(error changed_meanwhile) changed_meanwhile: `a` changed since this call was planned (then: content 87b86a9f, now: no file); nothing was written. Read it again, then repeat the call");
    assert!(!desk.at("a").exists());
}

#[tokio::test]
async fn a_file_that_appeared_meanwhile_is_left_alone() {
    let desk = Desk::new();
    let (input, start) = desk.start("write", json!({ "path": "a", "content": "new\n" })).await;
    desk.file("a", "theirs\n");
    insta::assert_snapshot!(desk.shown(&desk.run("write", &input, &start).await), @"(error changed_meanwhile) changed_meanwhile: `a` changed since this call was planned (then: no file, now: content f9a97604); nothing was written. Read it again, then repeat the call");
    assert_eq!(desk.text("a"), "theirs\n");
    assert_eq!(fs::read_dir(&desk.root).unwrap().count(), 1, "nothing is left beside it");
}

#[tokio::test]
async fn a_file_that_became_a_link_is_left_alone() {
    let desk = Desk::new();
    desk.file("a", "old\n");
    desk.file("b", "old\n");
    let (input, start) = desk.start("write", json!({ "path": "a", "content": "new\n" })).await;
    fs::remove_file(desk.at("a")).unwrap();
    desk.link("b", "a");
    let outcome = desk.run("write", &input, &start).await;
    assert!(desk.shown(&outcome).starts_with("(error changed_meanwhile)"), "{outcome:?}");
    assert_eq!(desk.text("b"), "old\n");
}

#[tokio::test]
async fn applied_is_known_by_the_content_after() {
    let desk = Desk::new();
    desk.file("a", "old\n");
    for (tool, input) in [
        ("write", json!({ "path": "a", "content": "new\n" })),
        ("edit", json!({ "path": "a", "old": "new", "new": "newer" })),
        ("write", json!({ "path": "made/b", "content": "" })),
    ] {
        let (input, start) = desk.start(tool, input).await;
        let ToolOutcome::Finished(mut report) = desk.run(tool, &input, &start).await else { panic!() };
        let found = reconciled(&desk, tool, &input, &start).await;
        let Reconciliation::Applied { report: found, .. } = found else { panic!("{found:?}") };
        report.metadata.millis = 0;
        assert_eq!(found, report, "the same answer as the run gave");
    }
    let (input, start) = desk.start("write", json!({ "path": "a", "content": "last\n" })).await;
    desk.run("write", &input, &start).await;
    let found = reconciled(&desk, "write", &input, &start).await;
    let Reconciliation::Applied { evidence, .. } = found else { panic!("{found:?}") };
    insta::assert_snapshot!(evidence, @"`a` has the content that the call was to give it: 5dd1ee58 (before: 648fbfe3)");
}

#[tokio::test]
async fn not_applied_is_known_by_the_content_before() {
    let desk = Desk::new();
    desk.file("a", "old\n");
    let (input, start) = desk.start("edit", json!({ "path": "a", "old": "old", "new": "new" })).await;
    // What a crash between writing and renaming leaves.
    let left = desk.file(&format!(".onward-tmp-{}", start.call), "new\n");
    let evidence = not_applied(&desk, "edit", &input, &start).await;
    assert!(!left.exists(), "what the crash left is removed");
    insta::assert_snapshot!(evidence, @"`a` is as it was before the call: 87b86a9f (the call would have made it 79d1d8da)");
    let (input, start) = desk.start("write", json!({ "path": "made/b", "content": "" })).await;
    insta::assert_snapshot!(not_applied(&desk, "write", &input, &start).await, @"`made/b` is as it was before the call: no file (the call would have made it af1349b9)");
}

#[tokio::test]
async fn anything_else_is_unknown() {
    let desk = Desk::new();
    desk.file("a", "old\n");
    let (input, start) = desk.start("write", json!({ "path": "a", "content": "new\n" })).await;
    desk.file("a", "theirs\n");
    insta::assert_snapshot!(unknown(&desk, "write", &input, &start).await, @"`a` is neither as before the call (87b86a9f) nor as after it (79d1d8da): it is f9a97604, 7 bytes; somebody else changed it");
    fs::remove_file(desk.at("a")).unwrap();
    insta::assert_snapshot!(unknown(&desk, "write", &input, &start).await, @"`a` is neither as before the call (87b86a9f) nor as after it (79d1d8da): it is no file; somebody else changed it");
    fs::create_dir(desk.at("a")).unwrap();
    insta::assert_snapshot!(unknown(&desk, "write", &input, &start).await, @"the file cannot be compared: `a` is a folder; use `list` to see what is in it");
}

#[tokio::test]
async fn a_run_after_a_crash_uses_the_leftover_name_again() {
    let desk = Desk::new();
    let (input, start) = desk.start("write", json!({ "path": "a", "content": "new\n" })).await;
    desk.file(&format!(".onward-tmp-{}", start.call), "half");
    insta::assert_snapshot!(desk.shown(&desk.run("write", &input, &start).await), @"(ok) created `a` (1 line, 4 bytes)");
    assert_eq!(desk.text("a"), "new\n");
    assert_eq!(fs::read_dir(&desk.root).unwrap().count(), 1);
}

#[tokio::test]
async fn a_start_that_records_nothing_is_refused() {
    let desk = Desk::new();
    let (input, mut start) = desk.start("write", json!({ "path": "a", "content": "new\n" })).await;
    start.semantics = onward_event::Semantics::None(onward_event::Retry::Allowed);
    insta::assert_snapshot!(desk.shown(&desk.run("write", &input, &start).await), @"(error internal) internal: the start of this call records no change: its recovery is of another kind");
    unknown(&desk, "write", &input, &start).await;
    assert!(!desk.at("a").exists());
}

#[tokio::test]
async fn tools_that_record_nothing_cannot_find_out() {
    let desk = Desk::new();
    let (input, start) = desk.start("shell", json!({ "command": "true" })).await;
    assert_eq!(unknown(&desk, "shell", &input, &start).await, "this tool has no way to find out");
}
