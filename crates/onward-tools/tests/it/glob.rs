//! `glob`.

use onward_tools::ToolLimits;
use serde_json::json;

use crate::desk::Desk;

fn tree() -> Desk {
    let desk = Desk::new();
    for path in ["a.rs", "src/b.rs", "src/deep/c.rs", "src/deep/d.ts", "docs/e.md", "target/f.rs"] {
        desk.file(path, "");
    }
    desk.file(".gitignore", "target\n");
    desk
}

#[tokio::test]
async fn patterns_match_paths() {
    let desk = tree();
    let found =
        async |pattern: &str| desk.call("glob", json!({ "pattern": pattern })).await.replace('\n', " ");
    assert_eq!(found("*.rs").await, "(ok) a.rs src/b.rs src/deep/c.rs");
    assert_eq!(found("./*.md").await, "(ok) docs/e.md");
    assert_eq!(found("src/*.rs").await, "(ok) src/b.rs");
    assert_eq!(found("src/**/*.{rs,ts}").await, "(ok) src/b.rs src/deep/c.rs src/deep/d.ts");
    assert_eq!(found("**/deep/*").await, "(ok) src/deep/c.rs src/deep/d.ts");
    assert_eq!(found("[ab].rs").await, "(ok) a.rs src/b.rs");
    insta::assert_snapshot!(found("*.py").await, @"(ok) no file matches `*.py` below `.`");
}

#[tokio::test]
async fn the_pattern_is_relative_to_the_path() {
    let desk = tree();
    assert_eq!(
        desk.call("glob", json!({ "pattern": "deep/*.rs", "path": "src" })).await,
        "(ok) src/deep/c.rs"
    );
    assert_eq!(desk.call("glob", json!({ "pattern": "*", "path": "target" })).await, "(ok) target/f.rs");
    insta::assert_snapshot!(desk.call("glob", json!({ "pattern": "*", "path": "a.rs" })).await, @"(error not_a_directory) not_a_directory: `a.rs` is no folder; use `read` to see what is in it");
}

#[tokio::test]
async fn there_is_a_most() {
    let desk = Desk::with(ToolLimits { max_entries: 2, ..ToolLimits::default() });
    for name in ["a", "b", "c"] {
        desk.file(name, "");
    }
    insta::assert_snapshot!(desk.call("glob", json!({ "pattern": "*" })).await, @r#"
    (ok) a
    b
    [the first 2 paths; there are more]
    "#);
    let desk = Desk::with(ToolLimits { max_walked: 2, ..ToolLimits::default() });
    for name in ["a", "b", "c"] {
        desk.file(name, "");
    }
    insta::assert_snapshot!(desk.call("glob", json!({ "pattern": "c" })).await, @r#"
    (ok) no file matches `c` below `.`
    [stopped after 2 entries; name a deeper folder]
    "#);
}

#[tokio::test]
async fn a_search_that_is_told_to_stop_stops() {
    let desk = tree();
    desk.cancel.stop();
    insta::assert_snapshot!(desk.call("glob", json!({ "pattern": "*" })).await, @"(cancelled) stopped while looking; nothing was changed");
}
