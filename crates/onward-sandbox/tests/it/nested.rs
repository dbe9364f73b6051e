//! Protected names in the folders below the workspace's own.

use std::fs;
use std::os::unix::fs::symlink;

use onward_event::Tier;

use crate::desk::{Desk, desks, text};

/// A workspace with a repository below it, an editor's folder and a server's file.
fn nested(desk: &Desk) {
    for folder in ["sub/.git/hooks", "sub/.git/objects", "packages/a/.vscode", "packages/b", "plain"] {
        fs::create_dir_all(desk.file(folder)).unwrap();
    }
    fs::write(desk.file("sub/.git/config"), "[core]\n").unwrap();
    fs::write(desk.file("packages/a/.vscode/tasks.json"), "mine").unwrap();
    fs::write(desk.file("packages/b/.mcp.json"), "mine").unwrap();
}

fn read(desk: &Desk, name: &str) -> String {
    fs::read_to_string(desk.file(name)).unwrap()
}

#[test]
fn what_is_there_cannot_be_changed() {
    for desk in desks() {
        nested(&desk);
        let result = desk.sh(
            "echo evil > sub/.git/hooks/pre-commit; echo evil > sub/.git/config; echo evil > sub/.git/commondir; \
             echo evil > packages/a/.vscode/tasks.json; echo evil > packages/b/.mcp.json; \
             mv packages/b packages/c; rm -rf packages/a; mv sub away; echo ok > sub/.git/objects/x; \
             echo ok > sub/file; echo ok > packages/a/file; echo end",
        );
        assert!(text(&result).ends_with("end\n"));
        let tier = desk.tier;
        assert_eq!(read(&desk, "sub/.git/config"), "[core]\n", "{tier:?}");
        assert_eq!(read(&desk, "packages/a/.vscode/tasks.json"), "mine", "{tier:?}");
        assert_eq!(read(&desk, "packages/b/.mcp.json"), "mine", "{tier:?}");
        assert!(!desk.file("sub/.git/commondir").exists(), "{tier:?}");
        assert_eq!(fs::read_dir(desk.file("sub/.git/hooks")).unwrap().count(), 0, "{tier:?}");
        if tier == Tier::Namespaces {
            for name in ["sub/.git/objects/x", "sub/file", "packages/a/file"] {
                assert!(desk.file(name).exists(), "{name}: the rest can be changed");
            }
        }
    }
}

/// Where there is a repository, programs may look for the others too.
#[test]
fn what_is_not_there_cannot_be_made_beside_a_repository() {
    for desk in desks() {
        nested(&desk);
        fs::remove_dir(desk.file("sub/.git/hooks")).unwrap();
        let result = desk.sh(
            "mkdir -p sub/.git/hooks sub/.vscode; echo evil > sub/.git/hooks/pre-commit; echo evil > sub/.vscode/x; \
             echo evil > sub/.mcp.json; echo end",
        );
        assert!(text(&result).ends_with("end\n"));
        for name in ["sub/.git/hooks", "sub/.vscode", "sub/.mcp.json"] {
            assert!(desk.is_gone(name), "{:?}: {name}", desk.tier);
        }
        assert!(result.restored.iter().any(|line| line.contains("sub/.mcp.json")), "{:?}", result.restored);
    }
}

#[test]
fn what_is_made_in_a_folder_that_was_there_is_set_aside_and_nothing_is_lost() {
    for desk in desks() {
        nested(&desk);
        fs::write(desk.file("plain/.mcp.json.set-aside"), "older").unwrap();
        let result = desk
            .sh("echo '{}' > plain/.mcp.json; mkdir plain/.vscode; echo x > plain/.vscode/tasks.json; \
             mkdir new; mkdir new/.vscode; echo end");
        assert_eq!(read(&desk, "plain/.vscode.set-aside/tasks.json"), "x\n", "{:?}", desk.tier);
        assert_eq!(read(&desk, "plain/.mcp.json.set-aside-2"), "{}\n", "{:?}", desk.tier);
        assert!(!desk.file("plain/.mcp.json").exists() && !desk.file("plain/.vscode").exists());
        // What is all of the command's own is like what came from elsewhere.
        assert!(desk.file("new/.vscode").exists());
        assert_eq!(
            result.restored,
            [
                "`plain/.mcp.json` is a protected name that was not there before: what the command made was set aside as \
                 `plain/.mcp.json.set-aside-2`",
                "`plain/.vscode` is a protected name that was not there before: what the command made was set aside as \
                 `plain/.vscode.set-aside`",
            ]
        );
    }
}

#[test]
fn a_new_repository_stays_and_starts_nothing() {
    for desk in desks() {
        nested(&desk);
        let harmless = "mkdir -p $D/.git/hooks $D/.git/objects; printf '[core]\\n\\tbare = false\\n' > $D/.git/config; \
                        echo x > $D/.git/hooks/pre-commit.sample;";
        let result = desk.sh(&format!(
            "for D in plain new packages/b/deep; do {harmless} done; \
             D=evil; {harmless} echo evil > evil/.git/hooks/pre-commit; \
             D=packages/evil; {harmless} printf '\\tfsmonitor = evil\\n' >> packages/evil/.git/config; \
             D=planted; {harmless} mkdir led; echo 'gitdir: ../planted/.git' > led/.git; echo end"
        ));
        assert!(text(&result).ends_with("end\n"));
        for stays in ["plain", "new", "packages/b/deep"] {
            assert_eq!(read(&desk, &format!("{stays}/.git/config")), "[core]\n\tbare = false\n");
            assert!(desk.file(stays).join(".git/hooks/pre-commit.sample").exists(), "{:?}", desk.tier);
        }
        for goes in ["evil/.git/hooks", "packages/evil/.git/config", "led/.git"] {
            assert!(!desk.file(goes).exists(), "{:?}: {goes}", desk.tier);
            let aside = format!("{goes}.set-aside");
            assert!(desk.file(&aside).exists(), "{:?}: {aside}", desk.tier);
        }
        assert_eq!(result.restored.len(), 3, "{:?}", result.restored);
    }
}

/// Links are kept, and no walk follows one.
#[test]
fn links_lead_the_walk_nowhere() {
    for desk in desks() {
        nested(&desk);
        fs::create_dir_all(desk.root.join("outside/.vscode")).unwrap();
        symlink(desk.root.join("outside"), desk.file("link")).unwrap();
        symlink("../tasks", desk.file("plain/.vscode")).unwrap();
        fs::create_dir(desk.file("tasks")).unwrap();
        desk.sh("rm plain/.vscode; mkdir plain/.vscode; echo evil > plain/.vscode/x; echo evil > tasks/x; rm link; true");
        assert_eq!(fs::read_link(desk.file("plain/.vscode")).unwrap().to_str(), Some("../tasks"));
        assert!(!desk.file("tasks/x").exists(), "{:?}", desk.tier);
        assert!(desk.root.join("outside/.vscode").exists() && !desk.file("link").exists());
    }
}
