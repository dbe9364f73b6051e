//! No path leads outside of the workspace, and nothing but regular files is opened.

use std::fs;

use onward_event::Workspace;
use onward_tools::{ToolLimits, builtin};
use rustix::fs::{CWD, Mode, mkfifoat};
use serde_json::{Value, json};

use crate::desk::{Desk, config, is_root};

/// Every tool that takes a file, asked for the same one.
async fn asked(desk: &Desk, path: &str) -> Vec<String> {
    let inputs: [(&str, Value); 3] = [
        ("read", json!({ "path": path })),
        ("write", json!({ "path": path, "content": "owned" })),
        ("edit", json!({ "path": path, "old": "secret", "new": "owned" })),
    ];
    let mut answers = Vec::new();
    for (tool, input) in inputs {
        answers.push(desk.call(tool, input).await);
    }
    answers
}

async fn refused(desk: &Desk, path: &str, code: &str) {
    for answer in asked(desk, path).await {
        assert!(answer.starts_with(&format!("(error {code}) ")), "{path}: {answer}");
    }
}

#[tokio::test]
async fn names_outside_are_refused() {
    let desk = Desk::in_folder("repo", "sub", ToolLimits::default());
    let beside = desk.root.parent().unwrap().join("repo-evil");
    fs::create_dir(&beside).unwrap();
    fs::write(beside.join("file"), "secret").unwrap();
    let evil = beside.join("file");
    for path in [
        "/etc/passwd",
        "../../repo-evil/file",
        "../../../../../../../../etc/passwd",
        evil.to_str().unwrap(),
        "/proc/self/environ",
        "/dev/zero",
        "/",
    ] {
        refused(&desk, path, "outside_workspace").await;
    }
    assert_eq!(fs::read_to_string(&evil).unwrap(), "secret");
    insta::assert_snapshot!(desk.call("read", json!({ "path": "../../x" })).await.replace(
        &desk.root.parent().unwrap().display().to_string(), "<folder>"), @"(error outside_workspace) outside_workspace: `<folder>/x` is outside the workspace `<root>`; file tools reach only what lies inside");
    insta::assert_snapshot!(desk.call("list", json!({ "path": "/etc" })).await, @"(error outside_workspace) outside_workspace: `/etc` is outside the workspace `<root>`; file tools reach only what lies inside");
    insta::assert_snapshot!(desk.call("shell", json!({ "command": "ls", "dir": "/etc" })).await, @"(error outside_workspace) outside_workspace: `/etc` is outside the workspace `<root>`; file tools reach only what lies inside");
}

#[tokio::test]
async fn links_that_lead_outside_are_refused() {
    let desk = Desk::new();
    let outside = desk.root.parent().unwrap().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("file"), "secret").unwrap();
    desk.link(outside.join("file"), "absolute_file");
    desk.link("../outside/file", "relative_file");
    desk.link(&outside, "folder");
    desk.link("folder", "twice");
    desk.link("/dev/zero", "device");
    desk.link("/proc/self/environ", "environment");
    desk.link(outside.join("new"), "dangling");
    for path in
        ["absolute_file", "relative_file", "folder/file", "twice/file", "device", "environment", "dangling"]
    {
        refused(&desk, path, "outside_workspace").await;
    }
    let made = desk.call("write", json!({ "path": "folder/new/file", "content": "owned" })).await;
    assert!(made.starts_with("(error outside_workspace)"), "{made}");
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 1);
    assert_eq!(fs::read_to_string(outside.join("file")).unwrap(), "secret");
    insta::assert_snapshot!(desk.call("read", json!({ "path": "twice/file" })).await, @"(error outside_workspace) outside_workspace: `twice/file` leads outside the workspace `<root>` through a symbolic link; file tools stay inside");
    insta::assert_snapshot!(desk.call("list", json!({ "path": "folder" })).await, @"(error outside_workspace) outside_workspace: `folder` leads outside the workspace `<root>` through a symbolic link; file tools stay inside");
    insta::assert_snapshot!(desk.call("shell", json!({ "command": "ls", "dir": "folder" })).await, @"(error outside_workspace) outside_workspace: `folder` leads outside the workspace `<root>` through a symbolic link; file tools stay inside");
}

#[tokio::test]
async fn links_that_stay_inside_are_followed() {
    let desk = Desk::new();
    desk.file("real/a.txt", "secret\n");
    desk.link("real/a.txt", "relative");
    desk.link(desk.at("real/a.txt"), "absolute");
    desk.link(desk.at("real"), "folder");
    desk.link("folder/../relative", "chain");
    for path in ["relative", "absolute", "folder/a.txt", "chain"] {
        assert_eq!(desk.call("read", json!({ "path": path })).await, "(ok) 1\tsecret", "{path}");
    }
    desk.call("edit", json!({ "path": "chain", "old": "secret", "new": "known" })).await;
    assert_eq!(desk.text("real/a.txt"), "known\n");
    assert!(desk.at("relative").is_symlink() && desk.at("chain").is_symlink());
    assert_eq!(
        desk.call("write", json!({ "path": "folder/b", "content": "" })).await,
        "(ok) created `folder/b` (0 lines, 0 bytes)"
    );
    assert!(desk.at("real/b").is_file());
}

#[tokio::test]
async fn links_in_a_circle_end() {
    let desk = Desk::new();
    desk.link("b", "a");
    desk.link("a", "b");
    desk.link(desk.at("d"), "c");
    desk.link(desk.at("c"), "d");
    for path in ["a", "c"] {
        for answer in asked(&desk, path).await {
            assert!(answer.contains("Too many levels of symbolic links"), "{answer}");
        }
    }
}

#[tokio::test]
async fn only_regular_files_are_opened() {
    let desk = Desk::new();
    mkfifoat(CWD, desk.at("pipe"), Mode::RWXU).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(desk.at("socket")).unwrap();
    fs::create_dir(desk.at("folder")).unwrap();
    desk.link("pipe", "to_pipe");
    refused(&desk, "pipe", "not_a_regular_file").await;
    refused(&desk, "to_pipe", "not_a_regular_file").await;
    refused(&desk, "socket", "not_a_regular_file").await;
    refused(&desk, "folder", "is_a_directory").await;
    refused(&desk, ".", "is_a_directory").await;
    insta::assert_snapshot!(desk.call("read", json!({ "path": "pipe" })).await, @"(error not_a_regular_file) not_a_regular_file: `pipe` is a named pipe; file tools open regular files only");
    insta::assert_snapshot!(desk.call("read", json!({ "path": "socket" })).await, @"(error not_a_regular_file) not_a_regular_file: `socket` is a socket; file tools open regular files only");
}

#[tokio::test]
async fn gits_own_files_are_read_and_not_written() {
    let desk = Desk::new();
    desk.file(".git/config", "secret\n");
    desk.file("module/.git", "secret\n");
    desk.file(".gitignore", "secret\n");
    desk.link(".git", "inner");
    for path in [
        ".git/config",
        ".git/hooks/pre-commit",
        "module/.git",
        "inner/config",
        "inner/hooks/new",
        ".onward/x",
        ".GIT/config",
    ] {
        let answer = desk.call("write", json!({ "path": path, "content": "owned" })).await;
        assert!(answer.starts_with("(error protected_path)"), "{path}: {answer}");
    }
    assert_eq!(desk.call("read", json!({ "path": ".git/config" })).await, "(ok) 1\tsecret");
    assert!(
        desk.call("edit", json!({ "path": ".gitignore", "old": "secret", "new": "x" }))
            .await
            .starts_with("(ok)")
    );
    insta::assert_snapshot!(desk.call("write", json!({ "path": "inner/config", "content": "" })).await, @"(error protected_path) protected_path: `inner/config` is in `.git`, which file tools read but never change");
}

#[tokio::test]
async fn a_workspace_of_everything_has_no_kernel_files() {
    let workspace = Workspace { root: "/".into(), dir: "/".into() };
    let tools = builtin(config(ToolLimits::default()), &workspace).unwrap();
    let read = tools.get("read").unwrap();
    let fault = read.plan(&json!({ "path": "/proc/self/environ" })).await.unwrap_err();
    assert_eq!(fault.code, "outside_workspace");
    assert!(read.plan(&json!({ "path": "etc/passwd" })).await.is_ok());
}

#[tokio::test]
async fn a_file_that_is_closed_to_us_is_said() {
    let desk = Desk::new();
    let path = desk.file("closed", "x");
    rustix::fs::chmod(&path, Mode::empty()).unwrap();
    let answer = desk.call("read", json!({ "path": "closed" })).await;
    if is_root() {
        assert_eq!(answer, "(ok) 1\tx\n[no line end at the end of the file]");
    } else {
        assert_eq!(
            answer,
            "(error permission_denied) permission_denied: `closed` cannot be used: Permission denied (os error 13)"
        );
    }
}
