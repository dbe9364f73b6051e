//! `read`.

use onward_event::{Retry, Risk, Semantics};
use onward_tools::ToolLimits;
use serde_json::json;

use crate::desk::{Desk, text_of_report};

#[tokio::test]
async fn lines_are_numbered() {
    let desk = Desk::new();
    desk.file("a.txt", "one\n\ttwo\n\nfour\n");
    insta::assert_snapshot!(desk.call("read", json!({ "path": "a.txt" })).await, @r#"
    (ok) 1	one
    2		two
    3	
    4	four
    "#);
    insta::assert_snapshot!(desk.call("read", json!({ "path": "a.txt", "offset": 2, "limit": 1 })).await, @r#"
    (ok) 2		two
    [lines 2 to 2 of 4; go on with offset 3]
    "#);
    insta::assert_snapshot!(desk.call("read", json!({ "path": "a.txt", "offset": 3 })).await, @r#"
    (ok) 3	
    4	four
    [lines 3 to 4 of 4; end of file]
    "#);
    insta::assert_snapshot!(desk.call("read", json!({ "path": "a.txt", "offset": 5 })).await, @"(error out_of_range) out_of_range: `a.txt` has 4 lines; line 5 is past its end");
}

#[tokio::test]
async fn a_read_only_looks() {
    let desk = Desk::new();
    desk.file("a.txt", "x");
    let plan = desk.plan("read", json!({ "path": "./a.txt" })).await.unwrap();
    assert_eq!((plan.risk, plan.semantics), (Risk::Read, Semantics::None(Retry::Allowed)));
    assert_eq!(plan.resources, [desk.at("a.txt").to_str().unwrap()]);
    assert_eq!(plan.preview, "read a.txt");
}

#[tokio::test]
async fn line_ends_and_the_end_of_the_file_are_told() {
    let desk = Desk::new();
    desk.file("crlf", "a\r\nb\r\n");
    desk.file("open", "a\nb");
    desk.file("empty", "");
    desk.file("cr", "a\rb\n");
    insta::assert_snapshot!(desk.call("read", json!({ "path": "crlf" })).await, @r#"
    (ok) 1	a
    2	b
    [lines end with CRLF]
    "#);
    insta::assert_snapshot!(desk.call("read", json!({ "path": "open" })).await, @r#"
    (ok) 1	a
    2	b
    [no line end at the end of the file]
    "#);
    insta::assert_snapshot!(desk.call("read", json!({ "path": "empty" })).await, @"(ok) `empty` is empty");
    assert_eq!(desk.call("read", json!({ "path": "cr" })).await, "(ok) 1\ta\rb");
}

#[tokio::test]
async fn what_is_no_text_is_refused_with_its_kind() {
    let desk = Desk::new();
    desk.file("image", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    desk.file("data", [7, 0, 7]);
    desk.file("utf16", b"\xff\xfea\0b\0");
    desk.file("latin1", b"caf\xe9\nna\xefve\n");
    insta::assert_snapshot!(desk.call("read", json!({ "path": "image" })).await, @"(error binary_file) binary_file: `image` (16 bytes) is not UTF-8 text but, by its first bytes, a PNG image; use a command that understands it");
    insta::assert_snapshot!(desk.call("read", json!({ "path": "data" })).await, @"(error binary_file) binary_file: `data` (3 bytes) is not UTF-8 text but, by its first bytes, binary data; use a command that understands it");
    insta::assert_snapshot!(desk.call("read", json!({ "path": "utf16" })).await, @"(error binary_file) binary_file: `utf16` (6 bytes) is not UTF-8 text but, by its first bytes, text in UTF-16; use a command that understands it");
    insta::assert_snapshot!(desk.call("read", json!({ "path": "latin1" })).await, @r#"
    (ok) 1	caf�
    2	na�ve
    [not all of it is valid UTF-8: each byte that is not is shown as �]
    "#);
}

#[tokio::test]
async fn text_whose_character_is_split_by_a_limit_is_text() {
    let desk = Desk::new();
    // The bytes that are looked at end within a character, wherever the limit is.
    for shift in 0..4 {
        desk.file("long", format!("{}{}\n", "x".repeat(shift), "ö€😀".repeat(20_000)));
        let report = desk.report("read", json!({ "path": "long" })).await;
        let text = text_of_report(&report);
        assert!(!text.contains('\u{fffd}') && text.contains("more bytes in this line"), "{}", &text[..100]);
    }
}

#[tokio::test]
async fn a_long_line_is_cut_with_a_note() {
    let desk = Desk::with(ToolLimits { max_line_bytes: 10, ..ToolLimits::default() });
    desk.file("a", format!("{}\nshort\n{}\n", "x".repeat(100), "ä".repeat(7)));
    insta::assert_snapshot!(desk.call("read", json!({ "path": "a" })).await, @r#"
    (ok) 1	xxxxxxxxxx [cut: 91 more bytes in this line]
    2	short
    3	äääää [cut: 5 more bytes in this line]
    "#);
}

#[tokio::test]
async fn a_huge_file_is_read_in_pages() {
    let desk = Desk::new();
    let line = "0123456789abcdef0123456789abcdef0123456789abcdef\n";
    desk.file("huge", line.repeat(50_000_000 / line.len()));
    let first = text_of_report(&desk.report("read", json!({ "path": "huge" })).await);
    assert!(first.len() < 70_000, "{}", first.len());
    insta::assert_snapshot!(first.lines().last().unwrap(), @"[lines 1 to 1235 of 1020408; go on with offset 1236]");
    let late = text_of_report(
        &desk.report("read", json!({ "path": "huge", "offset": 1_000_000, "limit": 1 })).await,
    );
    insta::assert_snapshot!(late, @r#"
    1000000	0123456789abcdef0123456789abcdef0123456789abcdef
    [lines 1000000 to 1000000 of 1020408; go on with offset 1000001]
    "#);
}

#[tokio::test]
async fn one_call_looks_only_so_far() {
    let desk = Desk::with(ToolLimits { max_scan_bytes: 1_000, ..ToolLimits::default() });
    desk.file("a", "0123456789\n".repeat(10_000));
    insta::assert_snapshot!(desk.call("read", json!({ "path": "a", "limit": 2 })).await, @r#"
    (ok) 1	0123456789
    2	0123456789
    [lines 1 to 2 of more, 107.4 KiB in all; go on with offset 3]
    "#);
    insta::assert_snapshot!(desk.call("read", json!({ "path": "a", "offset": 9_000 })).await, @"(error out_of_range) out_of_range: `a` has more than 91 lines; line 9000 is farther than one call looks");
}

#[tokio::test]
async fn a_single_endless_line_is_not_held_in_memory() {
    let desk = Desk::new();
    desk.file("line", "y".repeat(50_000_000));
    let text = desk.call("read", json!({ "path": "line" })).await;
    assert!(text.contains("[cut: 49998000 more bytes in this line]"), "{}", &text[2_000..]);
}

#[tokio::test]
async fn what_is_missing_is_explained() {
    let desk = Desk::new();
    desk.file("src/main.rs", "");
    desk.file("src/model.rs", "");
    desk.link("nowhere", "dangling");
    insta::assert_snapshot!(desk.call("read", json!({ "path": "src/mian.rs" })).await, @"(error not_found) not_found: `src/mian.rs` does not exist; similar names: `src/main.rs`");
    insta::assert_snapshot!(desk.call("read", json!({ "path": "scr/main.rs" })).await, @"(error not_found) not_found: `scr/main.rs` does not exist: there is no folder `scr`; similar names: `src`");
    insta::assert_snapshot!(desk.call("read", json!({ "path": "zzz" })).await, @"(error not_found) not_found: `zzz` does not exist; use `list` or `glob` to see what there is");
    insta::assert_snapshot!(desk.call("read", json!({ "path": "src/main.rs/x" })).await, @"(error not_a_directory) not_a_directory: `src/main.rs/x` leads through a file: one of its parents is no folder");
    insta::assert_snapshot!(desk.call("read", json!({ "path": "dangling" })).await, @"(error not_found) not_found: `dangling` is a symbolic link to `nowhere`, which does not exist");
    insta::assert_snapshot!(desk.call("read", json!({ "path": "src" })).await, @"(error is_a_directory) is_a_directory: `src` is a folder; use `list` to see what is in it");
}

#[tokio::test]
async fn a_read_that_is_told_to_stop_says_so() {
    let desk = Desk::new();
    desk.file("a", "x\n".repeat(100_000));
    desk.cancel.stop();
    insta::assert_snapshot!(desk.call("read", json!({ "path": "a", "offset": 90_000 })).await, @"(cancelled) stopped while looking; nothing was changed");
}
