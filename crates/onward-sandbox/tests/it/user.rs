//! The same as an ordinary user: root runs this very test program again as one.

use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::Command;

use onward_test::not_tested;

use crate::desk::{desks, succeeded, test_name, text};

/// An ordinary user without a name.
const NOBODY: u32 = 65_534;
/// Set in the run as an ordinary user.
const MARK: &str = "ONWARD_SANDBOX_TEST_USER";

/// Everything of these tests but this one, as an ordinary user.
#[test]
fn an_ordinary_user_is_contained_the_same() {
    if !rustix::process::geteuid().is_root() || std::env::var_os(MARK).is_some() {
        // This run is that of an ordinary user already.
        for desk in desks() {
            let result = desk.sh("id -u");
            assert_eq!(text(&result).trim(), rustix::process::geteuid().as_raw().to_string());
            assert!(succeeded(&result));
        }
        return;
    }
    // Where it may be read and run by everybody.
    let folder = tempfile::Builder::new().prefix("onward-user-").tempdir_in("/var/tmp").unwrap();
    let open = |path: &PathBuf| {
        use std::os::unix::fs::PermissionsExt as _;
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
    };
    open(&folder.path().to_path_buf());
    let (tests, host) = (folder.path().join("tests"), folder.path().join("host"));
    std::fs::copy(std::env::current_exe().unwrap(), &tests).unwrap();
    std::fs::copy(crate::desk::HOST, &host).unwrap();
    [&tests, &host].into_iter().for_each(open);
    let mut command = Command::new(&tests);
    command.args(["--test-threads=2", "--nocapture"]).uid(NOBODY).gid(NOBODY).current_dir("/");
    command.env_clear().env("PATH", "/usr/local/bin:/usr/bin:/bin").env("HOME", "/").env(MARK, &host);
    // It may not write where these are kept.
    let told = folder.path().join("told");
    std::fs::write(&told, "").unwrap();
    std::os::unix::fs::chown(&told, Some(NOBODY), Some(NOBODY)).unwrap();
    command.env("ONWARD_TEST_NOT_TESTED", &told);
    // What root has, an ordinary user may well not have.
    command.env("ONWARD_TEST_NO_SANDBOX", "1");
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let wrong = String::from_utf8_lossy(&output.stderr);
    let told = std::fs::read_to_string(&told).unwrap();
    for line in told.lines().filter_map(|line| line.split_once("not tested here: ")) {
        let (what, why) = line.1.split_once(": ").unwrap_or((line.1, ""));
        not_tested(&format!("as an ordinary user, {what}"), why);
    }
    assert!(output.status.success(), "{}: {said}{}", test_name(), wrong);
}
