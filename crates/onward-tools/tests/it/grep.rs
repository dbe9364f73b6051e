//! `grep`.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;

use onward_tools::ToolLimits;
use rustix::fs::{CWD, Mode, mkfifoat};
use serde_json::json;

use crate::desk::Desk;

fn tree() -> Desk {
    let desk = Desk::new();
    desk.file("src/a.rs", "fn main() {\n    run();\n}\n");
    desk.file("src/b.rs", "fn run() {}\n// Run it\n");
    desk.file("notes.md", "how to run it\r\n");
    desk.file("target/c.rs", "run\n");
    desk.file("data.bin", b"run\0run\n");
    desk.file(".gitignore", "target\n");
    desk
}

#[tokio::test]
async fn lines_come_with_path_and_number() {
    let desk = tree();
    insta::assert_snapshot!(desk.call("grep", json!({ "pattern": r"run\b" })).await, @r#"
    (ok) notes.md:1:how to run it
    src/a.rs:2:    run();
    src/b.rs:1:fn run() {}
    "#);
    insta::assert_snapshot!(desk.call("grep", json!({ "pattern": "^fn", "glob": "*.rs" })).await, @r#"
    (ok) src/a.rs:1:fn main() {
    src/b.rs:1:fn run() {}
    "#);
    insta::assert_snapshot!(desk.call("grep", json!({ "pattern": "RUN", "ignore_case": true, "path": "src" })).await, @r#"
    (ok) src/a.rs:2:    run();
    src/b.rs:1:fn run() {}
    src/b.rs:2:// Run it
    "#);
    insta::assert_snapshot!(desk.call("grep", json!({ "pattern": "run", "path": "src/b.rs" })).await, @"(ok) src/b.rs:1:fn run() {}");
    insta::assert_snapshot!(desk.call("grep", json!({ "pattern": "run", "path": "target" })).await, @"(ok) target/c.rs:1:run");
    insta::assert_snapshot!(desk.call("grep", json!({ "pattern": "walk" })).await, @"(ok) no line matches `walk` in `.` (5 files searched)");
    insta::assert_snapshot!(desk.call("grep", json!({ "pattern": "run", "path": "missing" })).await, @"(error not_found) not_found: `missing` does not exist; use `list` or `glob` to see what there is");
}

#[tokio::test]
async fn context_is_marked() {
    let desk = Desk::new();
    desk.file("a", "1\n2\nhit\n4\n5\n6\n7\nhit\n9\n");
    insta::assert_snapshot!(desk.call("grep", json!({ "pattern": "hit", "context": 1 })).await, @r#"
    (ok) a-2-2
    a:3:hit
    a-4-4
    --
    a-7-7
    a:8:hit
    a-9-9
    "#);
}

#[tokio::test]
async fn there_is_a_most() {
    let desk = Desk::new();
    desk.file("a", "x\n".repeat(500));
    desk.file("b", "x\n");
    insta::assert_snapshot!(desk.call("grep", json!({ "pattern": "x", "max": 2 })).await, @r#"
    (ok) a:1:x
    a:2:x
    [stopped after 2 matching lines; there may be more]
    "#);
    let all = desk.call("grep", json!({ "pattern": "x" })).await;
    assert_eq!(all.lines().count(), 101);
    assert!(all.ends_with("[stopped after 100 matching lines; there may be more]"), "{all}");
}

#[tokio::test]
async fn of_a_long_line_the_part_around_the_match_is_shown() {
    let desk = Desk::with(ToolLimits { max_line_bytes: 40, ..ToolLimits::default() });
    desk.file("min.js", format!("{}needle{}\n", "a".repeat(1_000), "b".repeat(1_000)));
    insta::assert_snapshot!(desk.call("grep", json!({ "pattern": "needle" })).await, @"(ok) min.js:1:[cut: 990 bytes] aaaaaaaaaaneedlebbbbbbbbbbbbbbbbbbbbbbbb [cut: 976 more bytes in this line]");
}

#[tokio::test]
async fn a_line_that_is_too_long_to_search_is_said() {
    let desk = Desk::new();
    desk.file("huge", "y".repeat(40 << 20));
    desk.file("small", "needle\n");
    insta::assert_snapshot!(desk.call("grep", json!({ "pattern": "needle" })).await, @r#"
    (ok) small:1:needle
    [1 file could not be searched]
    "#);
}

#[tokio::test]
async fn pipes_links_and_strange_names_do_no_harm() {
    let desk = Desk::new();
    mkfifoat(CWD, desk.at("pipe"), Mode::RWXU).unwrap();
    desk.link("/etc/passwd", "outside");
    desk.link("/etc", "etc");
    fs::write(desk.root.join(OsStr::from_bytes(b"caf\xe9")), b"root \xff\n").unwrap();
    assert_eq!(desk.call("grep", json!({ "pattern": "root" })).await, "(ok) caf\u{fffd}:1:root \u{fffd}");
    insta::assert_snapshot!(desk.call("grep", json!({ "pattern": "root", "path": "pipe" })).await, @"(error not_a_regular_file) not_a_regular_file: `pipe` is a named pipe; file tools open regular files only");
    insta::assert_snapshot!(desk.call("grep", json!({ "pattern": "root", "path": "outside" })).await, @"(error outside_workspace) outside_workspace: `outside` leads outside the workspace `<root>` through a symbolic link; file tools stay inside");
    insta::assert_snapshot!(desk.call("grep", json!({ "pattern": "root", "path": "etc" })).await, @"(error outside_workspace) outside_workspace: `etc` leads outside the workspace `<root>` through a symbolic link; file tools stay inside");
}

#[tokio::test]
async fn a_search_that_is_told_to_stop_stops() {
    let desk = tree();
    desk.cancel.stop();
    assert!(desk.call("grep", json!({ "pattern": "run" })).await.starts_with("(cancelled)"));
}
