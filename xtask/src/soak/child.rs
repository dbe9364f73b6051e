//! A process of the program that the soak started: what it says goes to files, and it never outlives the soak.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};

use anyhow::Context;
use rustix::process::{Pid, Signal, kill_process};

/// A process that runs, or has ended and was not asked yet.
pub(super) struct Process {
    child: Child,
    out: PathBuf,
    err: PathBuf,
    asked_to_end: bool,
}

/// What a process had said when it ended.
pub(super) struct Ended {
    pub(super) status: ExitStatus,
    pub(super) stdout: String,
    pub(super) stderr: String,
}

impl Process {
    /// Starts it; `number` names its files in `said`.
    pub(super) fn start(mut command: Command, said: &Path, number: u64) -> anyhow::Result<Self> {
        let [out, err] = ["out", "err"].map(|name| said.join(format!("{number}.{name}")));
        let file =
            |path: &Path| File::create(path).with_context(|| format!("{} cannot be made", path.display()));
        command.stdin(Stdio::null()).stdout(file(&out)?).stderr(file(&err)?);
        let child =
            command.spawn().with_context(|| format!("{:?} cannot be started", command.get_program()))?;
        Ok(Self { child, out, err, asked_to_end: false })
    }

    /// What it has written on standard output so far.
    pub(super) fn stdout(&self) -> String {
        read(&self.out)
    }

    /// SIGKILL. False when it had ended before.
    pub(super) fn kill(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None)) && self.child.kill().is_ok()
    }

    /// Asks it to end in order, once.
    pub(super) fn ask_to_end(&mut self) {
        if std::mem::replace(&mut self.asked_to_end, true) {
            return;
        }
        // A child that was not waited for keeps its number, so nobody else can be meant.
        let _ = kill_process(Pid::from_child(&self.child), Signal::TERM);
    }

    /// Its end, if it has ended.
    pub(super) fn ended(&mut self) -> anyhow::Result<Option<Ended>> {
        let Some(status) = self.child.try_wait().context("a process cannot be waited for")? else {
            return Ok(None);
        };
        Ok(Some(Ended { status, stdout: read(&self.out), stderr: read(&self.err) }))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if self.kill() {
            let _ = self.child.wait();
        }
        // Nobody reads them any more.
        let _ = (std::fs::remove_file(&self.out), std::fs::remove_file(&self.err));
    }
}

/// Its text so far; the last character may be cut.
fn read(path: &Path) -> String {
    String::from_utf8_lossy(&std::fs::read(path).unwrap_or_default()).into_owned()
}
