//! Sessions where nothing can be written, and workspaces and folders that are not there.

use std::os::unix::fs::PermissionsExt as _;

use insta::assert_snapshot;
use serde_json::json;

use crate::support::{Sandbox, SmallDisk, not_tested, one_command};

#[test]
fn a_read_only_disk_is_named() {
    let Some(disk) = SmallDisk::mount("sessions on a read-only disk") else { return };
    let sandbox = Sandbox::new(&one_command()).with_data(disk.path().join("sessions"));
    sandbox.run(&["exec", "--mode", "auto", "ask"]).ended(0);
    disk.remount("ro");
    for (name, args) in [("exec", ["exec", "again"]), ("send", ["send", "again"])] {
        let done = sandbox.run(&args).ended(1);
        let shown = sandbox.shown(&done).replace(disk.path().to_str().unwrap(), "[disk]");
        assert_snapshot!(format!("read_only_{name}"), shown);
    }
    for (view, part) in [
        ("sessions", "done"),
        ("show", "It says hello."),
        ("log", "turn/end"),
        ("check", "as they should be"),
    ] {
        assert!(sandbox.run(&[view]).ended(0).stdout.contains(part), "{view}: looking is possible");
    }
    disk.remount("rw");
    sandbox.run(&["exec", "--mode", "auto", "again"]).ended(0);
}

#[test]
fn a_folder_without_permission_is_named() {
    if rustix::process::geteuid().is_root() {
        return not_tested("a folder without permission", "root may write everywhere");
    }
    let sandbox = Sandbox::new(&one_command());
    std::fs::create_dir_all(sandbox.data()).unwrap();
    std::fs::set_permissions(sandbox.data(), std::fs::Permissions::from_mode(0o500)).unwrap();
    let done = sandbox.run(&["exec", "ask"]).ended(1);
    assert!(done.stderr.contains("onward.db") || done.stderr.contains("permission"), "{done:?}");
    std::fs::set_permissions(sandbox.data(), std::fs::Permissions::from_mode(0o700)).unwrap();
}

#[test]
fn a_file_where_sessions_should_be_is_named() {
    let sandbox = Sandbox::new(&one_command());
    std::fs::create_dir_all(sandbox.data().parent().unwrap()).unwrap();
    std::fs::write(sandbox.data(), "not a folder").unwrap();
    let done = sandbox.run(&["exec", "ask"]).ended(1);
    assert_snapshot!(sandbox.shown(&done));
}

#[test]
fn a_workspace_that_vanished_is_named_and_the_session_is_kept() {
    let sandbox = Sandbox::new(&json!({ "steps": [{ "text": "never said", "hang": true }] }));
    let exec = sandbox.start(&["exec", "think"]);
    sandbox.until("attempt/start", 1);
    exec.kill();
    let (there, gone) = (sandbox.workspace(), sandbox.path().join("moved"));
    std::fs::rename(&there, &gone).unwrap();
    let id = sandbox.session().to_string();
    let elsewhere = sandbox.path().join("home");
    let resume = ["-C", elsewhere.to_str().unwrap(), "resume", &id];
    let mut command = sandbox.command(&resume);
    command.current_dir(&elsewhere);
    let done = sandbox.start_command(command, std::process::Stdio::null()).wait().ended(1);
    assert_snapshot!(sandbox.shown(&done));

    std::fs::rename(&gone, &there).unwrap();
    sandbox.set_script(&json!({ "final": "Back again." }));
    assert_eq!(sandbox.run(&["resume"]).ended(0).stdout, "Back again.\n");
    sandbox.assert_checked();
}
