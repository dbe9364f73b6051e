//! What a session's tools are, and workspaces that are none.

use std::fs;

use onward_event::Workspace;
use onward_tools::{ToolLimits, builtin};

use crate::desk::{Desk, config};

#[test]
fn the_tools_come_in_a_fixed_order() {
    insta::assert_snapshot!(Desk::new().tools.names().join(" "), @"read list glob grep write edit shell read_artifact jobs job_output job_wait job_cancel");
}

#[test]
fn schemas_hold_nothing_that_does_not_help() {
    let desk = Desk::new();
    let shown = desk.tools.iter().map(|tool| {
        let definition = tool.definition();
        format!(
            "{} {}\n{}\n{}\n",
            definition.name, definition.version, definition.description, definition.input_schema
        )
    });
    insta::assert_snapshot!(shown.collect::<String>());
}

#[test]
fn a_workspace_that_is_none_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    fs::create_dir(root.join("w")).unwrap();
    fs::create_dir(root.join("w-evil")).unwrap();
    fs::write(root.join("file"), "").unwrap();
    let refusal = |at: &str, dir: &str| {
        let given = |path: &str| {
            if path.starts_with('.') { path.into() } else { format!("{}/{path}", root.display()) }
        };
        let workspace = Workspace { root: given(at), dir: given(dir) };
        let refusal = builtin(config(ToolLimits::default()), &workspace).err().unwrap();
        refusal.to_string().replace(&root.display().to_string(), "<folder>")
    };
    insta::assert_snapshot!(refusal("./w", "./w"), @"the workspace's root `./w` is not an absolute path; no tool was set up");
    insta::assert_snapshot!(refusal("w", "w-evil"), @"the working folder `<folder>/w-evil` is not inside the workspace `<folder>/w`; no tool was set up");
    insta::assert_snapshot!(refusal("w", "w/../w-evil"), @"the working folder `<folder>/w/../w-evil` is not inside the workspace `<folder>/w`; no tool was set up");
    insta::assert_snapshot!(refusal("missing", "missing"), @"cannot open the workspace `<folder>/missing`: No such file or directory (os error 2); no tool was set up");
    insta::assert_snapshot!(refusal("file", "file"), @"cannot open the workspace `<folder>/file`: Not a directory (os error 20); no tool was set up");
}

#[test]
fn a_root_that_is_a_symbolic_link_is_known_by_both_names() {
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path().canonicalize().unwrap();
    fs::create_dir(base.join("real")).unwrap();
    std::os::unix::fs::symlink("real", base.join("link")).unwrap();
    let at = |path: &str| base.join(path).to_str().unwrap().to_owned();
    let tools =
        builtin(config(ToolLimits::default()), &Workspace { root: at("link"), dir: at("link") }).unwrap();
    for path in ["link/a", "real/a"] {
        let checked = tools.get("read").unwrap().check(&serde_json::json!({ "path": at(path) })).unwrap();
        assert_eq!(checked.input, serde_json::json!({ "path": "a" }));
        assert_eq!(checked.accesses[0].resource, at("link/a"));
    }
}
