//! A contained command, from what is prepared for it to what is put in order behind it.

use std::fs;
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use onward_event::Tier;

use crate::launch::channel::Report;
use crate::launch::order::LaunchOrder;
use crate::protect::{Guard, Nested, Places};
use crate::start::{Beginning, Launched};

/// A command that was given to a launcher.
pub(crate) struct Contained {
    pub(crate) launched: Launched,
    guard: Guard,
    scratch: Option<PathBuf>,
}

/// What is known when a contained command has ended.
pub(crate) struct Finished {
    /// What its launcher said at the end.
    pub(crate) report: Option<Report>,
    /// What was put back, a line for each.
    pub(crate) restored: Vec<String>,
    /// The places of protected names, to be taken away.
    pub(crate) places: Option<Places>,
}

impl Contained {
    /// Prepares, and has `launch` start a launcher; `notes` is a folder for what must outlive a crash, `nested` what was
    /// found in the workspace.
    ///
    /// # Errors
    /// Why nothing was run.
    pub(crate) fn start(
        mut order: LaunchOrder,
        notes: &Path,
        nested: Nested,
        launch: impl FnOnce(&LaunchOrder) -> Result<Launched, String>,
    ) -> Result<Self, String> {
        let guard = Guard::before(&order.jail, notes, nested)?;
        let scratch = match scratch(order.jail.tier) {
            Ok(scratch) => scratch,
            Err(error) => {
                guard.give_up();
                return Err(format!("the command's temporary folder could not be made: {error}"));
            }
        };
        order.jail.protected = guard.closed().to_vec();
        order.jail.scratch = scratch.as_ref().map(|path| path.display().to_string());
        match launch(&order) {
            Ok(launched) => Ok(Self { launched, guard, scratch }),
            Err(why) => {
                guard.give_up();
                remove(scratch.as_deref());
                Err(why)
            }
        }
    }

    /// Waits until the command runs, or is known not to.
    pub(crate) fn beginning(&mut self, most: Duration) -> Beginning {
        self.launched.beginning(most)
    }

    /// Puts everything in order, after the whole tree has ended.
    pub(crate) fn finish(mut self) -> Finished {
        let report = self.launched.end();
        let (restored, places) = self.guard.after();
        remove(self.scratch.as_deref());
        Finished { report, restored, places }
    }
}

/// A folder for temporary files, where the command has no `/tmp` of its own.
fn scratch(tier: Tier) -> io::Result<Option<PathBuf>> {
    if tier != Tier::Landlock {
        return Ok(None);
    }
    let name = fs::read_to_string("/proc/sys/kernel/random/uuid")?;
    let path = Path::new("/tmp").join(format!("onward-{}", name.trim()));
    fs::DirBuilder::new().mode(0o700).create(&path)?;
    Ok(Some(path))
}

fn remove(scratch: Option<&Path>) {
    if let Some(scratch) = scratch {
        // What cannot be removed is empty of meaning: its name was for this command alone.
        let _ = fs::remove_dir_all(scratch);
    }
}
