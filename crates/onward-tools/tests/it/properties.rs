//! What holds for every input: `check` never panics and is idempotent, and no path leads outside.

use std::fs;

use onward_port::ToolOutcome;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::desk::Desk;

const FIELDS: [&str; 14] = [
    "path",
    "offset",
    "limit",
    "depth",
    "pattern",
    "glob",
    "ignore_case",
    "context",
    "max",
    "content",
    "old",
    "new",
    "command",
    "timeout_seconds",
];

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        any_path().prop_map(Value::from),
    ];
    leaf.prop_recursive(2, 8, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::btree_map(any::<String>(), inner, 0..3)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

fn any_input() -> impl Strategy<Value = Value> {
    let field = prop::sample::select(FIELDS.to_vec()).prop_map(str::to_owned);
    let object = prop::collection::btree_map(field, any_value(), 0..5);
    let object = object.prop_map(|map| Value::Object(map.into_iter().collect::<Map<_, _>>()));
    prop_oneof![4 => object, 1 => any_value()]
}

/// Paths of pieces that mean something, over the links of [`trap`].
fn any_path() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "..", ".", "", "a", "inside", "outside", "up", "file", "folder", "abs", "etc", "proc", "secret",
        "new", "~", "\u{fffd}",
    ]);
    (any::<bool>(), prop::collection::vec(piece, 1..8))
        .prop_map(|(absolute, pieces)| format!("{}{}", if absolute { "/" } else { "" }, pieces.join("/")))
}

/// A workspace with links of every kind, beside a secret.
fn trap() -> Desk {
    let desk = Desk::new();
    let beside = desk.root.parent().unwrap().join("beside");
    fs::create_dir(&beside).unwrap();
    fs::write(beside.join("secret"), SECRET).unwrap();
    fs::create_dir_all(desk.at("folder/a")).unwrap();
    desk.file("file", "public\n");
    desk.file("folder/file", "public\n");
    desk.link("folder", "inside");
    desk.link("../beside", "outside");
    desk.link("..", "up");
    desk.link("../..", "folder/up");
    desk.link(&beside, "folder/outside");
    desk.link("/", "abs");
    desk
}

const SECRET: &str = "s3cr3t-beside\n";

fn untouched(desk: &Desk) -> bool {
    let beside = desk.root.parent().unwrap().join("beside");
    fs::read_to_string(beside.join("secret")).unwrap() == SECRET
        && fs::read_dir(&beside).unwrap().count() == 1
        && fs::read_dir(desk.root.parent().unwrap()).unwrap().count() == 2
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_input_panics_and_canonical_inputs_stay(input in any_input()) {
        let desk = Desk::new();
        for tool in desk.tools.iter() {
            match tool.check(&input) {
                Ok(once) => {
                    let twice = tool.check(&once.input);
                    prop_assert_eq!(twice, Ok(once));
                }
                Err(reasons) => prop_assert!(!reasons.is_empty()),
            }
        }
    }

    #[test]
    fn no_path_leads_outside(paths in prop::collection::vec(any_path(), 1..6)) {
        let desk = trap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        for path in paths {
            for (tool, input) in [
                ("read", json!({ "path": path })),
                ("list", json!({ "path": path })),
                ("grep", json!({ "pattern": "s3cr3t", "path": path })),
                ("glob", json!({ "pattern": "secret", "path": path })),
                ("write", json!({ "path": path, "content": "owned\n" })),
                ("edit", json!({ "path": path, "old": "s3cr3t", "new": "owned" })),
            ] {
                let outcome = runtime.block_on(desk.outcome(tool, input));
                let ToolOutcome::Finished(_) = &outcome else { panic!("{outcome:?}") };
                let shown = desk.shown(&outcome);
                let found = shown.replace("no line matches `s3cr3t`", "").replace("no file matches `secret`", "");
                prop_assert!(!found.contains("s3cr3t"), "{tool} {path}: {shown}");
                prop_assert!(!(tool == "glob" && found.starts_with("(ok)") && found.contains("secret\n")), "{path}: {shown}");
            }
            prop_assert!(untouched(&desk), "{path}");
        }
    }
}
