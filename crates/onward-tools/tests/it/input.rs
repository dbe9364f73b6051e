//! Inputs: what a model is told about a wrong one, and the canonical form of a right one.

use onward_event::AccessKind;
use serde_json::{Value, json};

use crate::desk::Desk;

fn wrong(tool: &str, input: Value) -> String {
    Desk::new().check(tool, input).unwrap_err().join("\n")
}

#[test]
fn a_wrong_input_is_explained() {
    insta::assert_snapshot!(wrong("read", json!("a.rs")), @r#"
    the input must be a JSON object, but is the text "a.rs"
    `read` accepts: `path` (required, text); `limit` (a whole number, at least 1); `offset` (a whole number, at least 1)
    "#);
    insta::assert_snapshot!(wrong("read", json!({ "file_path": "a.rs" })), @r#"
    there is no field `file_path`
    the field `path` is missing: it must be text
    `read` accepts: `path` (required, text); `limit` (a whole number, at least 1); `offset` (a whole number, at least 1)
    "#);
    insta::assert_snapshot!(wrong("read", json!({ "path": "a.rs", "offset": "ten" })), @r#"
    `offset` must be a whole number, at least 1, but is the text "ten"
    `read` accepts: `path` (required, text); `limit` (a whole number, at least 1); `offset` (a whole number, at least 1)
    "#);
    insta::assert_snapshot!(wrong("read", json!({ "path": ["a.rs"], "line": 3 })), @r#"
    there is no field `line`
    `path` must be text, but is a list
    `read` accepts: `path` (required, text); `limit` (a whole number, at least 1); `offset` (a whole number, at least 1)
    "#);
    insta::assert_snapshot!(wrong("read", json!({ "path": "a.rs", "offset": 0, "limit": -1 })), @r#"
    `limit` must be a whole number, at least 1, but is -1
    `offset` must be a whole number, at least 1, but is 0
    `read` accepts: `path` (required, text); `limit` (a whole number, at least 1); `offset` (a whole number, at least 1)
    "#);
    insta::assert_snapshot!(wrong("read", json!({ "path": "a.rs", "offset": 1.5 })), @r#"
    `offset` must be a whole number, at least 1, but is 1.5
    `read` accepts: `path` (required, text); `limit` (a whole number, at least 1); `offset` (a whole number, at least 1)
    "#);
    insta::assert_snapshot!(wrong("read", json!({ "path": "" })), @"`path`: a path must not be empty; `.` is the working folder");
    insta::assert_snapshot!(wrong("read", json!({ "path": "a\0b" })), @"`path`: a path cannot contain a NUL character");
    insta::assert_snapshot!(wrong("list", json!({ "depth": 99 })), @r#"
    `depth` must be a whole number from 1 to 32, but is 99
    `list` accepts: `depth` (a whole number from 1 to 32); `path` (text)
    "#);
    insta::assert_snapshot!(wrong("write", json!({ "path": "a.rs" })), @r#"
    the field `content` is missing: it must be text
    `write` accepts: `content` (required, text); `path` (required, text)
    "#);
    insta::assert_snapshot!(wrong("edit", json!({ "path": "a", "old": "x", "new": "y", "replace_all": "yes" })), @r#"
    `replace_all` must be true or false, but is the text "yes"
    `edit` accepts: `new` (required, text); `old` (required, text); `path` (required, text); `replace_all` (true or false)
    "#);
    insta::assert_snapshot!(wrong("edit", json!({ "path": "a", "old": "x", "new": "x" })), @"`old` and `new` are the same: there is nothing to change");
    insta::assert_snapshot!(wrong("edit", json!({ "path": "a", "old": "", "new": "x" })), @"`old` must not be empty; to make a file or replace it whole, use `write`");
    insta::assert_snapshot!(wrong("shell", json!({ "command": " " })), @"`command` must not be empty");
    insta::assert_snapshot!(wrong("shell", json!({ "command": "a\0b" })), @"`command` cannot contain a NUL character");
    insta::assert_snapshot!(wrong("shell", json!({ "command": "x", "timeout_seconds": 3601 })), @"`timeout_seconds` must be at most 3600");
    insta::assert_snapshot!(wrong("shell", json!({ "command": "x".repeat(200_000) })), @"`command` is longer than 128.0 KiB; write a script with `write`, and run that");
    insta::assert_snapshot!(wrong("glob", json!({ "pattern": "a[" })), @"`pattern`: `a[` is no glob: unclosed character class; missing ']'");
    insta::assert_snapshot!(wrong("glob", json!({ "pattern": "../*" })), @"`pattern`: `../*` leads out of the folder: name the folder in `path`, and a pattern below it");
    insta::assert_snapshot!(wrong("glob", json!({ "pattern": "" })), @"`pattern`: a pattern must not be empty; `**` matches every file");
    insta::assert_snapshot!(wrong("grep", json!({ "pattern": "fn (" })), @r#"
    `pattern` is no regular expression that can be searched for: regex parse error:
        (?:fn ()
        ^
    error: unclosed group
    The syntax is Rust's: no look-around, no back-references, nothing across lines; a literal ( ) [ ] { } . * + ? | ^ $ \ needs a \ before it
    "#);
    insta::assert_snapshot!(wrong("grep", json!({ "pattern": "(?=a)" })), @r#"
    `pattern` is no regular expression that can be searched for: regex parse error:
        (?:(?=a))
           ^^^
    error: look-around, including look-ahead and look-behind, is not supported
    The syntax is Rust's: no look-around, no back-references, nothing across lines; a literal ( ) [ ] { } . * + ? | ^ $ \ needs a \ before it
    "#);
    insta::assert_snapshot!(wrong("grep", json!({ "pattern": "a\nb" })), @r#"
    `pattern` is no regular expression that can be searched for: the literal "\n" is not allowed in a regex
    The syntax is Rust's: no look-around, no back-references, nothing across lines; a literal ( ) [ ] { } . * + ? | ^ $ \ needs a \ before it
    "#);
    insta::assert_snapshot!(wrong("grep", json!({ "pattern": "a", "glob": "/etc/*" })), @"`glob`: `/etc/*` leads out of the folder: name the folder in `path`, and a pattern below it");
    insta::assert_snapshot!(wrong("read_artifact", json!({ "id": "call_1" })), @r#"
    `id` must be text that matches ^art_[0-7][0-9a-hjkmnp-tv-z]{25}$, but is the text "call_1"
    `read_artifact` accepts: `id` (required, text that matches ^art_[0-7][0-9a-hjkmnp-tv-z]{25}$); `limit` (a whole number, at least 1); `offset` (a whole number, at least 0)
    "#);
}

#[test]
fn canonical_inputs_have_normal_paths_and_no_defaults() {
    let desk = Desk::new();
    let canonical = |tool: &str, input: Value| desk.check(tool, input).unwrap().input;
    let root = desk.root.to_str().unwrap();
    assert_eq!(
        canonical("read", json!({ "path": "./a//b/../c", "offset": 1, "limit": null })),
        json!({ "path": "a/c" })
    );
    assert_eq!(canonical("read", json!({ "path": format!("{root}/a") })), json!({ "path": "a" }));
    assert_eq!(
        canonical("read", json!({ "path": "../../../../../../etc/passwd" })),
        json!({ "path": "/etc/passwd" })
    );
    assert_eq!(canonical("read", json!({ "path": "a", "limit": 9_999_999 })), json!({ "path": "a" }));
    assert_eq!(canonical("list", json!({ "path": ".", "depth": 1 })), json!({}));
    assert_eq!(
        canonical("grep", json!({ "pattern": "a", "ignore_case": false, "max": 100 })),
        json!({ "pattern": "a" })
    );
    assert_eq!(
        canonical("shell", json!({ "command": " ls ", "dir": format!("{root}/"), "timeout_seconds": 120 })),
        json!({ "command": " ls " })
    );
}

#[test]
fn a_canonical_input_stays_as_it_is() {
    let desk = Desk::in_folder("w", "deep/er", onward_tools::ToolLimits::default());
    for (tool, input) in [
        ("read", json!({ "path": "../x/./y", "offset": 3 })),
        ("read", json!({ "path": "/etc/../etc/passwd" })),
        ("list", json!({ "path": "../..", "depth": 2 })),
        ("write", json!({ "path": "a/../b", "content": "" })),
        ("shell", json!({ "command": "ls", "dir": "..", "timeout_seconds": 5 })),
    ] {
        let once = desk.check(tool, input).unwrap();
        let twice = desk.check(tool, once.input.clone()).unwrap();
        assert_eq!(once, twice);
    }
}

#[test]
fn accesses_name_absolute_paths() {
    let desk = Desk::in_folder("w", "sub", onward_tools::ToolLimits::default());
    let access = |tool: &str, input: Value| {
        let accesses = desk.check(tool, input).unwrap().accesses;
        let shown = accesses.iter().map(|a| format!("{:?} {}", a.kind, desk.redacted(&a.resource)));
        shown.collect::<Vec<_>>().join(", ")
    };
    assert_eq!(access("read", json!({ "path": "a" })), "Read <root>/sub/a");
    assert_eq!(access("list", json!({})), "Read <root>/sub");
    assert_eq!(access("glob", json!({ "pattern": "*", "path": ".." })), "Read <root>");
    assert_eq!(access("grep", json!({ "pattern": "x", "path": "../b" })), "Read <root>/b");
    assert_eq!(access("write", json!({ "path": "../c", "content": "" })), "Write <root>/c");
    assert_eq!(access("edit", json!({ "path": "c", "old": "a", "new": "b" })), "Write <root>/sub/c");
    assert_eq!(access("shell", json!({ "command": "ls", "dir": "." })), "Write <root>");
    let id = "art_00000000000000000000000007";
    assert!(desk.check("read_artifact", json!({ "id": id })).unwrap().accesses.is_empty());
    assert_eq!(desk.check("read", json!({ "path": "a" })).unwrap().accesses[0].kind, AccessKind::Read);
}
