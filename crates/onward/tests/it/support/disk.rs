//! File systems for a test alone: small ones, and ones that cannot be written to. Only root can have them.

use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;

use super::not_tested;

/// A disk of a few MiB.
pub(crate) struct SmallDisk(tempfile::TempDir);

impl SmallDisk {
    /// `None` where this user cannot have one; that is said on standard error.
    pub(crate) fn mount(what: &str) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=4m,mode=700", "tmpfs"]).arg(folder.path());
        match mount.output() {
            Ok(output) if output.status.success() => Some(Self(folder)),
            Ok(output) => {
                not_tested(what, String::from_utf8_lossy(&output.stderr).trim());
                None
            }
            Err(error) => {
                not_tested(what, &error.to_string());
                None
            }
        }
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Lets it be read only, or written to again.
    pub(crate) fn remount(&self, how: &str) {
        let mut mount = Command::new("mount");
        mount.args(["-o", &format!("remount,{how}")]).arg(self.path());
        let output = mount.output().unwrap();
        assert!(output.status.success(), "{output:?}");
    }

    /// Takes all the room that there is.
    pub(crate) fn fill(&self) {
        let mut ballast = File::create(self.path().join("ballast")).unwrap();
        for piece in [64 * 1024, 4 * 1024, 1] {
            let piece = vec![1; piece];
            while ballast.write_all(&piece).is_ok() {
                assert!(ballast.metadata().unwrap().len() < 64 << 20, "a disk of 4 MiB is full before this");
            }
        }
    }

    pub(crate) fn make_room(&self) {
        std::fs::remove_file(self.path().join("ballast")).unwrap();
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // Lazily: a process of a failing test may still have it open.
        let _ = Command::new("umount").arg("-l").arg(self.path()).status();
    }
}
