//! SIGKILL to processes that are nobody's child any more: supervisors, and commands whose supervisor is dead. They are
//! found by the stage's own folder in their command line, or as the folder that they are in, and killed through a descriptor that cannot come to mean
//! another process.

use std::path::Path;

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

/// The word that makes the program a supervisor.
const SUPERVISOR: &[u8] = b"supervise-command";

/// A process of the stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stray {
    pid: Pid,
    /// Whether it is a supervisor; otherwise it belongs to a command.
    pub(super) supervises: bool,
}

/// Everything that runs on this stage and is not the soak itself.
pub(super) fn strays(stage: &Path) -> Vec<Stray> {
    let Ok(all) = std::fs::read_dir("/proc") else { return Vec::new() };
    let pids = all.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    let others = pids.filter(|pid| *pid != std::process::id() as i32).filter_map(Pid::from_raw);
    others.filter_map(|pid| Some(Stray { pid, supervises: look(pid, stage)? })).collect()
}

impl Stray {
    /// SIGKILL. False when it is gone.
    pub(super) fn kill(self, stage: &Path) -> bool {
        let Ok(held) = pidfd_open(self.pid, PidfdFlags::empty()) else { return false };
        // The number may have passed to somebody else before it was held; from here on it cannot.
        look(self.pid, stage) == Some(self.supervises) && pidfd_send_signal(held, Signal::KILL).is_ok()
    }
}

/// Ends everything that runs on this stage, also what is begun meanwhile.
pub(super) fn end_all(stage: &Path) {
    for _ in 0..50 {
        let left = strays(stage);
        if left.is_empty() {
            return;
        }
        for stray in left {
            stray.kill(stage);
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

/// Whether a process of this stage is a supervisor, or a copy of one that is about to become something else; `None` when
/// it is none of this stage.
fn look(pid: Pid, stage: &Path) -> Option<bool> {
    let process = Path::new("/proc").join(pid.as_raw_nonzero().to_string());
    let line = std::fs::read(process.join("cmdline")).ok()?;
    if line.split(|byte| *byte == 0).nth(1) == Some(SUPERVISOR) {
        let is_here = std::fs::read_link(process.join("cwd")).is_ok_and(|folder| folder.starts_with(stage));
        return is_here.then_some(true);
    }
    let stage = stage.as_os_str().as_encoded_bytes();
    line.windows(stage.len()).any(|window| window == stage).then_some(false)
}
