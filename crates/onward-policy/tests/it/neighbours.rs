//! Folders beside the workspace.

use std::fs;

use onward_event::Mode;
use onward_policy::{Layer, LayeredPolicy};

use crate::support::{Allow, Ask, Deny, Desk, contained, reads, rules, show, writes};

/// FS-16
#[test]
fn a_folder_with_a_longer_name_is_another_folder() {
    let desk = Desk::new();
    let evil = desk.base().join("repo-evil");
    fs::create_dir(&evil).unwrap();
    fs::write(evil.join("x"), "x").unwrap();
    let bounded =
        "[[rule]]\nid = 'w'\neffect = 'allow'\nwrite = ['${workspace}/**']\nread = ['${workspace}/**']\n";
    for policy in [LayeredPolicy::new(), rules(Layer::User, bounded)] {
        let write =
            |path: std::path::PathBuf| desk.call(&policy, Mode::AcceptEdits, "write", &writes(&path)).verdict;
        assert_eq!(write(evil.join("x")), Deny);
        assert_eq!(write(desk.root().join("../repo-evil/x")), Deny);
        assert_eq!(write(desk.root().join("x")), Allow);
        assert_eq!(desk.call(&policy, Mode::Normal, "read", &reads(&evil.join("x"))).verdict, Deny);
    }
    let makes = rules(
        Layer::User,
        "[[rule]]\nid = 'm'\neffect = 'allow'\nargv = ['perl', '...']\nwrite = ['${workspace}/**']\n",
    );
    let run = |script: &str| desk.run(&makes, contained(Mode::Normal), script).verdict;
    assert_eq!(run("perl x"), Allow);
    assert_eq!(run(&format!("perl {}/x", show(&evil))), Ask);
    assert_eq!(run("perl ../repo-evil/x"), Ask);
    assert_eq!(run("cd ../repo-evil && perl x"), Ask);
}
