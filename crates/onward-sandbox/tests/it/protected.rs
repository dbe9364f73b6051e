//! Names in the workspace that start programs on the person's side.

use std::fs;
use std::os::unix::fs::symlink;

use onward_event::Tier;

use crate::desk::{Desk, desk, desks, succeeded, text};
use crate::not_tested::not_tested;

fn repository(desk: &Desk) {
    fs::create_dir_all(desk.file(".git/hooks")).unwrap();
    fs::create_dir_all(desk.file(".git/objects")).unwrap();
    fs::write(desk.file(".git/config"), "[core]\n").unwrap();
    fs::write(desk.file(".git/hooks/kept"), "kept").unwrap();
}

/// Whatever the tier, when the command has ended everything is as it was.
fn assert_unchanged(desk: &Desk) {
    let tier = desk.tier;
    assert_eq!(fs::read_to_string(desk.file(".git/config")).unwrap(), "[core]\n", "{tier:?}");
    assert_eq!(fs::read_to_string(desk.file(".git/hooks/kept")).unwrap(), "kept", "{tier:?}");
    assert_eq!(fs::read_dir(desk.file(".git/hooks")).unwrap().count(), 1, "{tier:?}");
    for name in [".vscode", ".mcp.json", ".claude", ".onward", ".idea", ".cursor"] {
        assert!(desk.is_gone(name), "{tier:?}: {name}");
    }
}

#[test]
fn hooks_and_configuration_cannot_be_changed() {
    for desk in desks() {
        repository(&desk);
        let result = desk.sh(
            "echo evil > .git/hooks/pre-commit; echo evil > .git/config; rm -rf .git/hooks; rm -f .git/config; \
             mv .git/hooks .git/h; mv .git/config .git/c; echo ok > .git/objects/x; echo end",
        );
        assert!(text(&result).ends_with("end\n"));
        assert_unchanged(&desk);
        assert!(desk.file(".git/objects/x").exists(), "the rest of the repository can be changed");
        assert_eq!(result.restored.is_empty(), desk.tier == Tier::Namespaces, "{:?}", result.restored);
    }
}

/// The folder above a protected name cannot be moved away, and another put into its place.
#[test]
fn the_folder_above_cannot_be_exchanged() {
    for desk in desks() {
        repository(&desk);
        desk.sh("mv .git away && mkdir -p .git/hooks && echo evil > .git/hooks/kept; mv away/x . ; echo end");
        assert_unchanged(&desk);
    }
    for desk in desks() {
        repository(&desk);
        desk.sh("rm -rf .git; ln -s /tmp .git; echo end");
        assert_unchanged(&desk);
    }
}

/// FS-04.
#[test]
fn names_that_are_not_there_cannot_be_made() {
    for desk in desks() {
        repository(&desk);
        let result = desk.sh(
            "mkdir -p .claude && echo '{}' > .claude/settings.json; echo '{}' > .mcp.json; mkdir .vscode; \
             echo x > .vscode/tasks.json; mv .vscode y; rmdir .idea; echo x > .idea; mkdir -p .onward/x; \
             ls .claude .vscode | grep json; echo end",
        );
        assert!(text(&result).ends_with("end\n"));
        if desk.tier == Tier::Namespaces {
            assert!(!text(&result).contains("settings.json\n"), "{}", text(&result));
        }
        assert_unchanged(&desk);
        assert_eq!(result.restored.is_empty(), desk.tier == Tier::Namespaces, "{:?}", result.restored);
    }
}

#[test]
fn without_a_repository_none_can_be_made_behind_the_persons_back() {
    for desk in desks() {
        desk.sh("mkdir -p .git/hooks && echo evil > .git/hooks/x && echo evil > .git/config; echo end");
        assert!(desk.is_gone(".git/hooks") && desk.is_gone(".git/config"), "{:?}", desk.tier);
    }
}

#[test]
fn a_protected_link_is_put_back_and_never_followed() {
    for desk in desks() {
        let real = desk.root.join("shared");
        fs::create_dir(&real).unwrap();
        fs::write(real.join("settings.json"), "mine").unwrap();
        symlink(&real, desk.file(".claude")).unwrap();
        let result = desk.sh("rm .claude; mkdir .claude; echo evil > .claude/settings.json; echo end");
        assert!(text(&result).ends_with("end\n"));
        assert_eq!(fs::read_link(desk.file(".claude")).unwrap(), real, "{:?}", desk.tier);
        assert_eq!(fs::read_to_string(real.join("settings.json")).unwrap(), "mine");
        assert_eq!(result.restored.len(), 1, "{:?}", result.restored);
    }
}

#[test]
fn a_home_that_is_the_workspace_keeps_its_start_up_files() {
    let Some(mut desk) = desk(Tier::Namespaces) else { return };
    desk.setup.home = Some(desk.workspace.display().to_string());
    fs::write(desk.file(".bashrc"), "mine").unwrap();
    desk.sh("echo evil > .bashrc; echo evil > .profile; mkdir -p .config/fish; echo evil > .config/fish/config.fish");
    assert_eq!(fs::read_to_string(desk.file(".bashrc")).unwrap(), "mine");
    assert!(desk.is_gone(".profile") && desk.is_gone(".config/fish"));
}

#[test]
fn commands_at_the_same_time_share_the_places() {
    let Some(desk) = desk(Tier::Namespaces) else { return };
    std::thread::scope(|scope| {
        let slow = scope.spawn(|| {
            desk.sh("until test -e go; do sleep 0.02; done; echo x > .vscode; mkdir .vscode/x; true")
        });
        while !desk.file(".vscode").exists() {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        // Ends first, and must not take away what the other one needs.
        assert!(succeeded(&desk.sh("true")));
        assert!(desk.file(".vscode").is_dir());
        fs::write(desk.file("go"), "").unwrap();
        slow.join().unwrap();
    });
    assert!(desk.is_gone(".vscode"));
}

/// A data folder below the workspace stays hidden, however the folders around it are moved.
#[test]
fn what_is_hidden_in_the_workspace_cannot_be_moved_into_sight() {
    let Some(mut desk) = desk(Tier::Namespaces) else { return };
    fs::create_dir_all(desk.file("a/b/secret")).unwrap();
    fs::write(desk.file("a/b/secret/token"), "hunter2").unwrap();
    desk.setup.hidden.push(desk.file("a/b/secret").display().to_string());
    desk.sh("mv a moved; mv a/b a/moved; mv a/b/secret seen; echo end");
    let result =
        desk.sh("cat a/b/secret/token moved/b/secret/token a/moved/secret/token; echo ok > a/b/ok; echo end");
    assert!(text(&result).ends_with("end\n") && !text(&result).contains("hunter2"), "{}", text(&result));
    assert!(desk.file("a/b/secret/token").exists() && desk.file("a/b/ok").exists());
}

/// Runs Git as the person does, outside; false where there is none.
fn git(desk: &Desk, arguments: &[&str]) -> bool {
    let git = std::process::Command::new("git")
        .args(["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "safe.directory=*"])
        .args(arguments)
        .current_dir(&desk.workspace)
        .output();
    git.is_ok_and(|output| output.status.success())
}

/// `commondir` names the folder whose `config` Git obeys, and that may start programs.
#[test]
fn a_repository_cannot_be_led_to_other_settings() {
    for desk in desks() {
        if !git(&desk, &["init", "-q"]) {
            return not_tested("a_repository_cannot_be_led_to_other_settings", "there is no git");
        }
        assert!(git(&desk, &["commit", "-q", "--allow-empty", "-m", "one"]));
        assert!(git(&desk, &["worktree", "add", "-q", "linked"]));
        let result = desk.sh(
            "cp -r .git planted; printf '#!/bin/sh\ntouch \"%s/ran\"\n' \"$PWD\" > run; chmod +x run; \
             git config -f planted/config core.fsmonitor \"$PWD/run\"; \
             echo ../planted > .git/commondir; cp planted/config .git/config.worktree; mkdir -p .git/info; \
             echo '* filter=x' > .git/info/attributes; echo \"$PWD/planted\" > .git/worktrees/linked/commondir; \
             cp planted/config .git/worktrees/linked/config.worktree; echo end",
        );
        assert!(text(&result).ends_with("end\n"), "{}", text(&result));
        assert!(desk.file("planted/config").exists() && desk.file("run").exists(), "it was there to be run");
        for name in ["commondir", "config.worktree", "info/attributes", "worktrees/linked/config.worktree"] {
            assert!(!desk.file(".git").join(name).exists(), "{:?}: {name}", desk.tier);
        }
        assert!(result.restored.iter().any(|line| line.contains(".git/commondir")), "{:?}", result.restored);
        assert!(git(&desk, &["status"]) && git(&desk, &["-C", "linked", "status"]));
        assert!(!desk.file("ran").exists(), "{:?}", desk.tier);
    }
}

#[test]
fn a_command_commits_in_the_repository() {
    for desk in desks() {
        if !git(&desk, &["init", "-q"]) {
            return not_tested("a_command_commits_in_the_repository", "there is no git");
        }
        let result = desk.sh(
            "echo x > file; git add file && git -c user.name=a -c user.email=a@example.org commit -q -m two && \
             git status && git log --oneline && echo end",
        );
        assert!(text(&result).ends_with("end\n") && text(&result).contains("two"), "{}", text(&result));
        assert!(result.restored.is_empty(), "{:?}", result.restored);
        assert!(git(&desk, &["rev-parse", "HEAD"]), "{:?}", desk.tier);
    }
}

/// Links that came with the workspace, or that the person has made: what they lead to is what programs read.
#[test]
fn what_protected_links_lead_to_is_protected_with_them() {
    for desk in desks() {
        for folder in ["ide", "gd/hooks", "inner"] {
            fs::create_dir_all(desk.file(folder)).unwrap();
        }
        for (target, link) in
            [("gd", ".git"), ("a", ".vscode"), ("ide", "a"), ("m.json", ".mcp.json"), ("cl", ".claude")]
        {
            symlink(target, desk.file(link)).unwrap();
        }
        fs::write(desk.file("gd/config"), "[core]\n").unwrap();
        fs::write(desk.file("ide/tasks.json"), "mine").unwrap();
        desk.sh("echo evil > .git/config; echo evil > gd/hooks/pre-commit; echo evil > ide/tasks.json; \
             echo evil > ide/new; echo evil > m.json; mkdir cl; echo evil > cl/x; mv gd gd2; mv ide ide2; \
             rm a; ln -s inner a; echo evil > inner/tasks.json; rm .vscode; true");
        let tier = desk.tier;
        assert_eq!(fs::read_to_string(desk.file(".git/config")).unwrap(), "[core]\n", "{tier:?}");
        assert_eq!(fs::read_to_string(desk.file(".vscode/tasks.json")).unwrap(), "mine", "{tier:?}");
        assert!(
            !desk.file(".vscode/new").exists() && !desk.file(".git/hooks/pre-commit").exists(),
            "{tier:?}"
        );
        assert!(desk.is_gone(".mcp.json") && desk.is_gone(".claude"), "{tier:?}");
    }
}

/// A `.git` that is a file names a repository, which may stand in the workspace.
#[test]
fn a_repository_that_a_file_names_is_protected() {
    for desk in desks() {
        fs::create_dir_all(desk.file("gd/hooks")).unwrap();
        fs::write(desk.file("gd/config"), "[core]\n").unwrap();
        fs::write(desk.file(".git"), "gitdir: gd\n").unwrap();
        desk.sh("echo evil > gd/config; echo evil > gd/hooks/pre-commit; echo 'gitdir: x' > .git; true");
        assert_eq!(fs::read_to_string(desk.file("gd/config")).unwrap(), "[core]\n", "{:?}", desk.tier);
        assert!(!desk.file("gd/hooks/pre-commit").exists(), "{:?}", desk.tier);
        assert_eq!(fs::read_to_string(desk.file(".git")).unwrap(), "gitdir: gd\n", "{:?}", desk.tier);
    }
}

/// The command cannot replace a folder that is a mount: who did so while it ran is the person.
#[test]
fn a_repository_that_the_person_replaced_stays() {
    let Some(desk) = desk(Tier::Namespaces) else { return };
    repository(&desk);
    std::thread::scope(|scope| {
        let slow = scope.spawn(|| desk.sh("touch began; until test -e go; do sleep 0.02; done"));
        while !desk.file("began").exists() {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        fs::rename(desk.file(".git"), desk.file("gd")).unwrap();
        symlink("gd", desk.file(".git")).unwrap();
        fs::write(desk.file("go"), "").unwrap();
        assert_eq!(slow.join().unwrap().restored, Vec::<String>::new());
    });
    assert_eq!(fs::read_to_string(desk.file(".git/config")).unwrap(), "[core]\n");
}
