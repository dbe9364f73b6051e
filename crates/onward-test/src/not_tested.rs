//! What a machine does not let be tested: said by name, and kept where somebody sees it.
//!
//! What a test prints is thrown away when it passes, and a test that could not be done passes. So its name is also written to
//! `not-tested.txt` in the target folder, which `.ci/run` empties before the tests and prints after them.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// The file in the target folder.
const FILE: &str = "not-tested.txt";

/// Names another file, for who may not write to that one.
const NAMED: &str = "ONWARD_TEST_NOT_TESTED";

/// Set to say that a machine has no sandbox, and is not to have one: what needs one is then not tested, instead of failing.
const NO_SANDBOX: &str = "ONWARD_TEST_NO_SANDBOX";

/// Says that something was not tested, and why.
pub fn not_tested(what: &str, why: &str) {
    let why = why.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = format!("not tested here: {what}: {why}\n");
    let named = std::env::var_os(NAMED).map(PathBuf::from);
    let path = named.or_else(|| target().map(|folder| folder.join(FILE)));
    let file = path.map(|path| OpenOptions::new().create(true).append(true).open(path));
    if let Some(Ok(mut file)) = file {
        // One write: many tests write at the same time.
        let _ = file.write_all(line.as_bytes());
    }
}

/// Says that something was not tested because there is no sandbox at all.
///
/// # Panics
/// Unless somebody said that this machine is not to have one: what shows that commands are contained would otherwise pass,
/// on a machine where nothing is.
#[track_caller]
pub fn no_sandbox(what: &str, why: &str) {
    let said = std::env::var_os(NO_SANDBOX).is_some();
    assert!(
        said,
        "{what}: this machine has no sandbox at all, so nothing would be shown; {NO_SANDBOX}=1 says that this is as it \
         should be. {why}"
    );
    not_tested(what, why);
}

/// The folder for everything that is built: that of the workspace, unless another one is named.
fn target() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("CARGO_TARGET_DIR") {
        return Some(named.into());
    }
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    above.map(|folder| folder.join("target")).find(|target| target.is_dir())
}
