//! `list`.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;

use onward_tools::ToolLimits;
use rustix::fs::{CWD, Mode, mkfifoat};
use serde_json::json;

use crate::desk::Desk;

#[tokio::test]
async fn entries_are_sorted_with_kind_and_size() {
    let desk = Desk::new();
    desk.file("b.txt", "12345");
    desk.file("a/deep/x", "");
    desk.file(".hidden", "1");
    desk.link("b.txt", "link");
    mkfifoat(CWD, desk.at("pipe"), Mode::RWXU).unwrap();
    insta::assert_snapshot!(desk.call("list", json!({})).await, @r#"
    (ok) .hidden (1 byte)
    a/
    b.txt (5 bytes)
    link -> b.txt
    pipe (a named pipe)
    "#);
    insta::assert_snapshot!(desk.call("list", json!({ "depth": 3 })).await, @r#"
    (ok) .hidden (1 byte)
    a/
    a/deep/
    a/deep/x (0 bytes)
    b.txt (5 bytes)
    link -> b.txt
    pipe (a named pipe)
    "#);
    insta::assert_snapshot!(desk.call("list", json!({ "path": "a" })).await, @"(ok) a/deep/");
}

#[tokio::test]
async fn ignore_files_count_unless_the_folder_is_asked_for() {
    let desk = Desk::new();
    desk.file(".gitignore", "target\n*.log\n");
    desk.file("sub/.ignore", "secret\n");
    desk.file("target/out", "");
    desk.file("sub/a.log", "");
    desk.file("sub/secret", "");
    desk.file("sub/kept", "");
    desk.file(".git/config", "");
    insta::assert_snapshot!(desk.call("list", json!({ "depth": 9 })).await, @r#"
    (ok) .gitignore (13 bytes)
    sub/
    sub/.ignore (7 bytes)
    sub/kept (0 bytes)
    "#);
    insta::assert_snapshot!(desk.call("list", json!({ "path": "sub" })).await, @r#"
    (ok) sub/.ignore (7 bytes)
    sub/kept (0 bytes)
    "#);
    insta::assert_snapshot!(desk.call("list", json!({ "path": "target" })).await, @"(ok) target/out (0 bytes)");
    insta::assert_snapshot!(desk.call("list", json!({ "path": ".git" })).await, @"(ok) .git/config (0 bytes)");
}

#[tokio::test]
async fn ignore_files_outside_the_workspace_do_not_count() {
    let desk = Desk::new();
    fs::write(desk.root.parent().unwrap().join(".gitignore"), "*\n").unwrap();
    desk.file("a", "");
    assert_eq!(desk.call("list", json!({})).await, "(ok) a (0 bytes)");
}

#[tokio::test]
async fn a_folder_behind_a_link_inside_is_listed_by_its_real_name() {
    let desk = Desk::new();
    desk.file("real/x", "");
    desk.link("real", "link");
    assert_eq!(desk.call("list", json!({ "path": "link" })).await, "(ok) real/x (0 bytes)");
}

#[tokio::test]
async fn links_are_not_entered() {
    let desk = Desk::new();
    desk.link("/etc", "etc");
    desk.link(".", "loop");
    insta::assert_snapshot!(desk.call("list", json!({ "depth": 5 })).await, @r#"
    (ok) etc -> /etc
    loop -> .
    "#);
}

#[tokio::test]
async fn there_is_a_most() {
    let desk = Desk::with(ToolLimits { max_entries: 2, ..ToolLimits::default() });
    for name in ["a", "b", "c"] {
        desk.file(name, "");
    }
    insta::assert_snapshot!(desk.call("list", json!({})).await, @r#"
    (ok) a (0 bytes)
    b (0 bytes)
    [the first 2 entries; name a deeper folder or fewer levels to see the rest]
    "#);
    let desk = Desk::with(ToolLimits { max_walked: 1, ..ToolLimits::default() });
    desk.file("a", "");
    desk.file("b", "");
    insta::assert_snapshot!(desk.call("list", json!({})).await, @r#"
    (ok) a (0 bytes)
    [the first 1 entries; name a deeper folder or fewer levels to see the rest]
    "#);
}

#[tokio::test]
async fn names_that_are_not_utf8_are_shown() {
    let desk = Desk::new();
    fs::write(desk.root.join(OsStr::from_bytes(b"caf\xe9")), "1").unwrap();
    assert_eq!(desk.call("list", json!({})).await, "(ok) caf\u{fffd} (1 byte)");
}

#[tokio::test]
async fn what_is_no_folder_is_refused() {
    let desk = Desk::new();
    desk.file("a", "");
    fs::create_dir(desk.at("empty")).unwrap();
    insta::assert_snapshot!(desk.call("list", json!({ "path": "a" })).await, @"(error not_a_directory) not_a_directory: `a` is no folder; use `read` to see what is in it");
    insta::assert_snapshot!(desk.call("list", json!({ "path": "b" })).await, @"(error not_found) not_found: `b` does not exist; use `list` or `glob` to see what there is");
    insta::assert_snapshot!(desk.call("list", json!({ "path": "empty" })).await, @"(ok) `empty` is empty, or everything in it is ignored");
    assert_eq!(desk.call("list", json!({})).await, "(ok) a (0 bytes)\nempty/");
}

#[tokio::test]
async fn paths_are_relative_to_the_working_folder() {
    let desk = Desk::in_folder("w", "sub", ToolLimits::default());
    desk.file("top", "");
    desk.file("sub/a", "");
    assert_eq!(desk.call("list", json!({})).await, "(ok) a (0 bytes)");
    assert_eq!(desk.call("list", json!({ "path": ".." })).await, "(ok) ./\n../top (0 bytes)");
    assert_eq!(desk.call("read", json!({ "path": "../top" })).await, "(ok) `../top` is empty");
}

#[tokio::test]
async fn what_is_no_plain_file_is_no_ignore_file_and_is_not_waited_for() {
    let desk = Desk::new();
    for name in ["a/x", "b/y", "c/z"] {
        desk.file(name, "");
    }
    desk.file("b/rules", "y\n");
    mkfifoat(CWD, desk.at("a/.gitignore"), Mode::RWXU).unwrap();
    desk.link("rules", "b/.gitignore");
    fs::create_dir(desk.at("c/.ignore")).unwrap();
    let listed = desk.call("list", json!({ "depth": 2 })).await;
    for name in ["a/x", "b/y", "c/z"] {
        assert!(listed.contains(name), "no {name} in {listed}");
    }
    mkfifoat(CWD, desk.at(".ignore"), Mode::RWXU).unwrap();
    assert!(desk.call("list", json!({})).await.contains("a/"));
}

#[tokio::test]
async fn deeper_ignore_files_win_and_dot_ignore_wins_over_gitignore() {
    let desk = Desk::new();
    desk.file(".gitignore", "*.log\n/sub/only\nbuild/\n");
    desk.file(".git/info/exclude", "excluded\n*.txt\n");
    desk.file("sub/.gitignore", "!kept.log\n");
    desk.file(".ignore", "!again.log\n");
    desk.file("other/.gitignore", "again.log\n!note.txt\n");
    for name in ["a.log", "sub/kept.log", "sub/b.log", "sub/only", "only", "excluded", "again.log"] {
        desk.file(name, "");
    }
    for name in ["other/again.log", "other/note.txt", "build/x", "sub/build", "sub/deep/only"] {
        desk.file(name, "");
    }
    insta::assert_snapshot!(desk.call("glob", json!({ "pattern": "**" })).await, @r"
    (ok) .gitignore
    .ignore
    again.log
    only
    other/.gitignore
    other/again.log
    other/note.txt
    sub/.gitignore
    sub/build
    sub/deep/only
    sub/kept.log
    ");
}
