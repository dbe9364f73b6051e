//! What a machine does not let be tested is said by name, where the test is and once more at the end of `.ci/run`: a test
//! that returns early passes, and nobody reads what passed.
//!
//! The tests of crates that do not see this one take the file in by its path.

use std::io::Write as _;

/// Names the file in which `.ci/run` gathers what was not tested.
const GATHERED: &str = "ONWARD_NOT_TESTED";

/// Says that something cannot be tested here, and why.
pub fn not_tested(what: &str, why: &str) {
    let line = format!("not tested here: {what}: {}\n", why.trim().replace('\n', " "));
    eprint!("{line}");
    let Some(path) = std::env::var_os(GATHERED) else { return };
    // One write: tests of several processes add to it.
    let file = std::fs::OpenOptions::new().create(true).append(true).open(&path);
    let written = file.and_then(|mut file| file.write_all(line.as_bytes()));
    assert!(written.is_ok(), "{line}and {} cannot be written: {written:?}", path.display());
}
