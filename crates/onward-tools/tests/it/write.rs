//! `write`.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};

use onward_event::{Recovery, Risk, Semantics};
use onward_tools::ToolLimits;
use serde_json::json;

use crate::desk::Desk;

#[tokio::test]
async fn a_file_is_made_with_its_folders() {
    let desk = Desk::new();
    insta::assert_snapshot!(desk.call("write", json!({ "path": "a/b/c.txt", "content": "one\ntwo" })).await, @"(ok) created `a/b/c.txt` (2 lines, 7 bytes)");
    assert_eq!(desk.text("a/b/c.txt"), "one\ntwo");
    assert_eq!(fs::read_dir(desk.at("a/b")).unwrap().count(), 1, "nothing is left beside it");
}

#[tokio::test]
async fn a_file_is_replaced_and_keeps_its_mode() {
    let desk = Desk::new();
    let path = desk.file("run.sh", "old\n");
    for mode in [0o755, 0o600, 0o444] {
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        let content = format!("{mode:o}\n");
        let answer = desk.call("write", json!({ "path": "run.sh", "content": content })).await;
        assert_eq!(answer, "(ok) replaced `run.sh` (1 line, 4 bytes; before: 4 bytes)");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o7777, mode);
        assert_eq!(desk.text("run.sh"), content);
    }
}

#[tokio::test]
async fn the_same_content_is_not_written_again() {
    let desk = Desk::new();
    let path = desk.file("a", "same\n");
    let before = fs::metadata(&path).unwrap().ino();
    insta::assert_snapshot!(desk.call("write", json!({ "path": "a", "content": "same\n" })).await, @"(ok) `a` has exactly this content already (1 line, 5 bytes)");
    assert_eq!(fs::metadata(&path).unwrap().ino(), before);
    insta::assert_snapshot!(desk.plan("write", json!({ "path": "a", "content": "same\n" })).await.unwrap().preview, @"no difference");
}

#[tokio::test]
async fn the_plan_shows_the_change() {
    let desk = Desk::new();
    desk.file("a.txt", "one\ntwo\nthree\n");
    desk.link("a.txt", "link");
    let plan = desk.plan("write", json!({ "path": "link", "content": "one\n2\nthree" })).await.unwrap();
    assert_eq!(plan.risk, Risk::Write);
    assert_eq!(plan.resources, [desk.at("a.txt").to_str().unwrap()]);
    insta::assert_snapshot!(plan.preview, @r#"
    `link` is reached through a symbolic link: `a.txt` changes
    --- link
    +++ link
    @@ -1,3 +1,3 @@
     one
    -two
    -three
    +2
    +three
    \ No newline at end of file
    "#);
    let plan = desk.plan("write", json!({ "path": "new/b.txt", "content": "hello\n" })).await.unwrap();
    insta::assert_snapshot!(plan.preview, @r#"
    makes the folder `new`
    --- /dev/null
    +++ new/b.txt
    @@ -0,0 +1 @@
    +hello
    "#);
    assert!(!desk.at("new").exists(), "a plan changes nothing");
}

#[tokio::test]
async fn the_plan_records_what_a_recovery_needs() {
    let desk = Desk::new();
    desk.file("a", "old");
    let semantics = desk.plan("write", json!({ "path": "a", "content": "new" })).await.unwrap().semantics;
    let Semantics::Possible(Recovery::Reconcile(mut change)) = semantics else { panic!("{semantics:?}") };
    let mode = change.as_object_mut().unwrap().remove("mode").unwrap();
    assert!(mode.is_u64());
    insta::assert_json_snapshot!(change, @r#"
    {
      "after": "b20ab0a020a48d349e0c64d109c441f87c9bc43d49fc701c4a5f6f1b16aa4e32",
      "before": "96a4257289f9ebcbc94bfc49276f89ed87f8c951e3fa832d44dceb9b220520a5",
      "path": "a",
      "report": "replaced `a` (1 line, 3 bytes; before: 3 bytes)"
    }
    "#);
}

#[tokio::test]
async fn other_hard_links_keep_the_old_content() {
    let desk = Desk::new();
    desk.file("a", "old\n");
    fs::hard_link(desk.at("a"), desk.at("b")).unwrap();
    let plan = desk.plan("write", json!({ "path": "a", "content": "new\n" })).await.unwrap();
    insta::assert_snapshot!(plan.preview, @r#"
    has 1 other hard link: the file is replaced under this name, and keeps its old content under the other
    --- a
    +++ a
    @@ -1 +1 @@
    -old
    +new
    "#);
    desk.call("write", json!({ "path": "a", "content": "new\n" })).await;
    assert_eq!((desk.text("a"), desk.text("b")), ("new\n".into(), "old\n".into()));
}

#[tokio::test]
async fn binary_and_long_differences_are_summed_up() {
    let desk = Desk::with(ToolLimits { max_preview_bytes: 60, ..ToolLimits::default() });
    desk.file("a", b"\0\x01\x02");
    let plan = desk.plan("write", json!({ "path": "a", "content": "text\n" })).await.unwrap();
    insta::assert_snapshot!(plan.preview, @"binary content: 3 bytes become 5 bytes");
    let plan = desk.plan("write", json!({ "path": "b", "content": "text\n".repeat(1_000) })).await.unwrap();
    let left_out =
        "[996 lines of the difference (5989 bytes) left out here; the whole has 1003 lines and the digest ";
    let (head, tail) = plan.preview.split_once(left_out).unwrap();
    assert_eq!(head, "--- /dev/null\n+++ b\n");
    let (digest, tail) = tail.split_once(". `onward log --json` has the call's whole input]\n").unwrap();
    assert_eq!((digest.len(), tail), (64, "+text\n".repeat(5).as_str()));
}

#[tokio::test]
async fn what_is_too_large_is_refused() {
    let desk = Desk::with(ToolLimits { max_write_bytes: 10, ..ToolLimits::default() });
    desk.file("a", "01234567890123456789");
    insta::assert_snapshot!(desk.call("write", json!({ "path": "a", "content": "x" })).await, @"(error too_large) too_large: `a` has 20 bytes, and file tools change files of up to 10 bytes; use a command");
    insta::assert_snapshot!(desk.call("write", json!({ "path": "b", "content": "01234567890" })).await, @"(error invalid_arguments) invalid_arguments: `content` is larger than 10 bytes; write it with a command");
}

#[tokio::test]
async fn a_path_that_cannot_be_made_is_refused() {
    let desk = Desk::new();
    desk.file("file", "");
    desk.link("nowhere", "dangling");
    insta::assert_snapshot!(desk.call("write", json!({ "path": "file/x", "content": "" })).await, @"(error not_a_directory) not_a_directory: `file/x` leads through a file: one of its parents is no folder");
    insta::assert_snapshot!(desk.call("write", json!({ "path": "dangling", "content": "" })).await, @"(error not_found) not_found: `dangling` is a symbolic link to `nowhere`, which does not exist");
    insta::assert_snapshot!(desk.call("write", json!({ "path": "dangling/x", "content": "" })).await, @"(error not_found) not_found: `dangling` is a symbolic link to `nowhere`, which does not exist");
    insta::assert_snapshot!(desk.call("write", json!({ "path": ".", "content": "" })).await, @"(error is_a_directory) is_a_directory: `.` is a folder; use `list` to see what is in it");
    let long = desk.call("write", json!({ "path": "x".repeat(300), "content": "" })).await;
    assert!(long.starts_with("(error io) ") && long.contains("File name too long"), "{long}");
}
