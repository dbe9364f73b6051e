//! `edit`.

use serde_json::{Value, json};

use crate::desk::Desk;

fn edit(path: &str, old: &str, new: &str) -> Value {
    json!({ "path": path, "old": old, "new": new })
}

#[tokio::test]
async fn an_exact_text_is_replaced() {
    let desk = Desk::new();
    desk.file("a.rs", "fn a() {}\nfn b() {}\n");
    insta::assert_snapshot!(desk.call("edit", edit("a.rs", "fn b() {}", "fn b() {\n    a();\n}")).await, @"(ok) edited `a.rs`: replaced 1 time, at line 2");
    assert_eq!(desk.text("a.rs"), "fn a() {}\nfn b() {\n    a();\n}\n");
    let plan = desk.plan("edit", edit("a.rs", "    a();\n", "")).await.unwrap();
    insta::assert_snapshot!(plan.preview, @r#"
    --- a.rs
    +++ a.rs
    @@ -1,4 +1,3 @@
     fn a() {}
     fn b() {
    -    a();
     }
    "#);
}

#[tokio::test]
async fn a_text_that_stands_there_more_than_once_is_not_guessed() {
    let desk = Desk::new();
    desk.file("a", "x = 1\ny\nx = 1\nx = 1\n");
    insta::assert_snapshot!(desk.call("edit", edit("a", "x = 1", "x = 2")).await, @"(error not_unique) not_unique: `old` stands 3 times in `a` (lines 1, 3 and 4); add the lines around the one that is meant, or set `replace_all` to true");
    assert_eq!(desk.text("a"), "x = 1\ny\nx = 1\nx = 1\n");
    let all = json!({ "path": "a", "old": "x = 1", "new": "x = 2", "replace_all": true });
    insta::assert_snapshot!(desk.call("edit", all).await, @"(ok) edited `a`: replaced 3 times, at lines 1, 3 and 4");
    assert_eq!(desk.text("a"), "x = 2\ny\nx = 2\nx = 2\n");
    desk.file("many", "z\n".repeat(40));
    insta::assert_snapshot!(desk.call("edit", edit("many", "z", "y")).await, @"(error not_unique) not_unique: `old` stands 40 times in `many` (lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 and 28 more); add the lines around the one that is meant, or set `replace_all` to true");
}

#[tokio::test]
async fn a_text_that_is_missing_is_looked_for() {
    let desk = Desk::new();
    desk.file("a.rs", "fn main() {\n\tlet total = count(items);\n\tprintln!(\"{total}\");\n}\n");
    desk.file("empty", "");
    insta::assert_snapshot!(desk.call("edit", edit("a.rs", "let  total = count(items);\n    println!", "x")).await, @r#"
    (error no_match) no_match: `old` does not stand in `a.rs`: the lines most like it are
    2	\tlet total = count(items);
    "#);
    insta::assert_snapshot!(desk.call("edit", edit("a.rs", "    let total = count(items);", "x")).await, @r#"
    (error no_match) no_match: `old` does not stand in `a.rs`: line 2 differs from it only in white space. The file has (\t is a tab):
    \tlet total = count(items);
    "#);
    insta::assert_snapshot!(
        desk.call("edit", edit("a.rs", "    let total = count(items);\n    println!(\"{total}\");\n", "x")).await, @r#"
    (error no_match) no_match: `old` does not stand in `a.rs`: lines 2 to 3 differ from it only in white space. The file has (\t is a tab):
    \tlet total = count(items);
    \tprintln!("{total}");
    "#);
    insta::assert_snapshot!(desk.call("edit", edit("a.rs", "let totals = count(item);", "x")).await, @r#"
    (error no_match) no_match: `old` does not stand in `a.rs`: the lines most like it are
    2	\tlet total = count(items);
    "#);
    insta::assert_snapshot!(desk.call("edit", edit("a.rs", "struct Nothing;", "x")).await, @"(error no_match) no_match: `old` does not stand in `a.rs`: nothing in the file is like it; read the file again");
    insta::assert_snapshot!(desk.call("edit", edit("a.rs", "1\tfn main() {", "x")).await, @"(error no_match) no_match: `old` does not stand in `a.rs`: it begins with line numbers, which are not part of the file; leave number and tab out");
    insta::assert_snapshot!(desk.call("edit", edit("empty", "x", "y")).await, @"(error no_match) no_match: `old` does not stand in `empty`: the file is empty; use `write`");
    insta::assert_snapshot!(desk.call("edit", edit("b.rs", "x", "y")).await, @"(error not_found) not_found: `b.rs` does not exist; to make it, use `write`");
}

#[tokio::test]
async fn a_fault_that_is_clear_is_found_by_the_plan() {
    let desk = Desk::new();
    desk.file("a", "x x");
    assert_eq!(desk.plan("edit", edit("a", "y", "z")).await.unwrap_err().code, "no_match");
    assert_eq!(desk.plan("edit", edit("a", "x", "z")).await.unwrap_err().code, "not_unique");
    assert_eq!(desk.plan("edit", edit("b", "x", "z")).await.unwrap_err().code, "not_found");
}

#[tokio::test]
async fn line_ends_are_kept() {
    let desk = Desk::new();
    desk.file("crlf", "one\r\ntwo\r\nthree\r\n");
    desk.call("edit", edit("crlf", "one\ntwo", "1\n2\n2b")).await;
    assert_eq!(desk.text("crlf"), "1\r\n2\r\n2b\r\nthree\r\n");
    desk.call("edit", edit("crlf", "2b\r\n", "")).await;
    assert_eq!(desk.text("crlf"), "1\r\n2\r\nthree\r\n");
    desk.file("mixed", "one\r\ntwo\nthree\n");
    desk.call("edit", edit("mixed", "two\n", "2\n")).await;
    assert_eq!(desk.text("mixed"), "one\r\n2\nthree\n");
    desk.file("open", "one\ntwo");
    desk.call("edit", edit("open", "two", "2")).await;
    assert_eq!(desk.text("open"), "one\n2");
}

#[tokio::test]
async fn bytes_that_are_no_text_are_kept() {
    let desk = Desk::new();
    desk.file("latin1", b"caf\xe9 = 1\nna\xefve = 1\n");
    desk.call("edit", edit("latin1", "ve = 1", "ve = 2")).await;
    assert_eq!(desk.content("latin1"), b"caf\xe9 = 1\nna\xefve = 2\n");
    let all = json!({ "path": "latin1", "old": " = ", "new": "=", "replace_all": true });
    desk.call("edit", all).await;
    assert_eq!(desk.content("latin1"), b"caf\xe9=1\nna\xefve=2\n");
}

#[tokio::test]
async fn occurrences_do_not_overlap() {
    let desk = Desk::new();
    desk.file("a", "aaaa");
    desk.call("edit", json!({ "path": "a", "old": "aa", "new": "b", "replace_all": true })).await;
    assert_eq!(desk.text("a"), "bb");
}
