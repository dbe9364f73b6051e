//! From the start of a command to the end of its process group.
//!
//! Output and errors go into one pipe, so they arrive in the order in which they were written. Nothing runs between
//! fork and exec, which leaves the standard library its fastest way to start a process.

use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use onward_event::{Rendered, Sandbox};
use onward_port::{Cancel, ToolFault};
use rustix::process::Pid;
use tokio::io::AsyncReadExt;
use tokio::net::unix::pipe::Receiver;
use tokio::process::{Child, Command};
use tokio::time::{Instant, timeout, timeout_at};

use super::capture::Capture;
use super::group::Group;
use crate::config::ToolLimits;

/// Bytes read at once: what a pipe holds.
const READ_BYTES: usize = 64 << 10;
/// Bytes that are still read after the time for it is over: what a pipe can have been made to hold.
const MAX_LATE_BYTES: u64 = 1 << 20;

/// A command to run.
pub(super) struct Job<'a> {
    /// The shell.
    pub(super) program: &'a Path,
    /// What it runs.
    pub(super) command: &'a str,
    /// What runs in place of `command`: it was made from what was judged.
    pub(super) rendered: Option<&'a Rendered>,
    /// How it is contained.
    pub(super) sandbox: Option<&'a Sandbox>,
    /// The workspace; absolute.
    pub(super) workspace: String,
    /// Where; absolute.
    pub(super) folder: &'a str,
    /// With which environment.
    pub(super) environment: &'a [(String, String)],
    /// For how long at most.
    pub(super) time: Duration,
    /// The limits.
    pub(super) limits: &'a ToolLimits,
}

/// A command that has ended, as far as is known.
pub(super) struct Ended {
    /// How.
    pub(super) how: How,
    /// What it left behind.
    pub(super) left: Left,
    /// What it said.
    pub(super) output: Capture,
    /// What it changed and was not to change, and was put back: a line for each.
    pub(super) restored: Vec<String>,
}

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    /// By itself.
    Exited(ExitStatus),
    /// Its time was over.
    TimedOut,
    /// It was told to stop.
    Cancelled,
    /// The system would not say whether it ended.
    Lost,
}

/// What a command left behind when it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Left {
    /// Nothing.
    Nothing,
    /// Processes in the background, which were ended.
    Ended,
    /// No process of its group, but somebody outside of the group holds its output open.
    Outside,
    /// Processes of its group that could not be ended.
    Running,
}

/// Runs the command.
///
/// # Errors
/// When it could not be started; then nothing has happened.
pub(super) async fn execute(job: &Job<'_>, cancel: &dyn Cancel) -> Result<Ended, ToolFault> {
    let (child, receiver) = start(job).map_err(|error| not_started(job, &error))?;
    let max_tail = job.limits.max_output_bytes;
    let output = Output {
        receiver: Some(receiver),
        buffer: vec![0; READ_BYTES],
        capture: Capture::new(job.limits.max_artifact_bytes, max_tail),
    };
    let Some(leader) = child.id().and_then(|id| Pid::from_raw(id.cast_signed())) else {
        return Err(ToolFault::new("internal", "the command was started and has no process id"));
    };
    let mut running = Running { child, group: Group::of(leader), output, limits: job.limits };
    let how = running.until_end(job.time, cancel).await;
    let left = match how {
        How::Exited(_) => running.after_exit().await,
        How::TimedOut | How::Cancelled | How::Lost => running.stop().await,
    };
    Ok(Ended { how, left, output: running.output.capture, restored: Vec::new() })
}

fn start(job: &Job<'_>) -> io::Result<(Child, Receiver)> {
    let (reader, writer) = io::pipe()?;
    let receiver = Receiver::from_owned_fd(OwnedFd::from(reader))?;
    let mut command = Command::new(job.program);
    command.arg("-c").arg(job.command).current_dir(job.folder).process_group(0);
    command.env_clear().envs(job.environment.iter().map(|(name, value)| (name, value)));
    command.stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer);
    // The command holds the pipe's write ends, and is dropped here: the child then has the only ones.
    Ok((command.spawn()?, receiver))
}

fn not_started(job: &Job<'_>, error: &io::Error) -> ToolFault {
    let program = job.program.display();
    let message = format!("`{program}` could not be started in `{}`: {error}; nothing was run", job.folder);
    ToolFault::new("not_started", message)
}

struct Running<'a> {
    child: Child,
    group: Group,
    output: Output,
    limits: &'a ToolLimits,
}

impl Running<'_> {
    async fn until_end(&mut self, time: Duration, cancel: &dyn Cancel) -> How {
        let (child, output) = (&mut self.child, &mut self.output);
        let over = tokio::time::sleep(time);
        let cancelled = cancel.cancelled();
        tokio::pin!(over, cancelled);
        loop {
            tokio::select! {
                status = child.wait() => match status {
                    Ok(status) => return How::Exited(status),
                    // Somebody else took its status: nobody should, and nothing is known then.
                    Err(_) => return How::Lost,
                },
                () = &mut over => return How::TimedOut,
                () = &mut cancelled => return How::Cancelled,
                () = output.pump(), if output.is_open() => {}
            }
        }
    }

    /// The command itself has ended. What it left in the background may have its output open, or run silently.
    async fn after_exit(&mut self) -> Left {
        let deadline = Instant::now() + self.limits.drain_wait;
        self.output.drain(deadline).await;
        if self.group.is_gone() || timeout_at(deadline, self.group.gone()).await.is_ok() {
            return if self.output.is_open() { Left::Outside } else { Left::Nothing };
        }
        match self.stop().await {
            Left::Nothing => Left::Ended,
            other => other,
        }
    }

    /// Ends the whole group: asks, waits, kills, waits.
    async fn stop(&mut self) -> Left {
        self.group.ask_to_end();
        let grace = self.limits.kill_grace;
        if timeout(grace, self.gone()).await.is_err() {
            self.group.kill();
            if timeout(self.limits.kill_wait, self.gone()).await.is_err() {
                return Left::Running;
            }
        }
        self.output.drain(Instant::now() + self.limits.drain_wait).await;
        if self.output.is_open() { Left::Outside } else { Left::Nothing }
    }

    /// Returns when the leader was waited for and no other process of its group is left. Reads on meanwhile: a
    /// process that waits for its reader would not come to its end.
    async fn gone(&mut self) {
        let (child, group, output) = (&mut self.child, &mut self.group, &mut self.output);
        let end = async {
            // An error says that it was waited for already.
            let _ = child.wait().await;
            group.gone().await;
        };
        tokio::pin!(end);
        loop {
            tokio::select! {
                () = &mut end => return,
                () = output.pump(), if output.is_open() => {}
            }
        }
    }
}

/// The read end of the command's output.
struct Output {
    /// Absent once every write end is closed.
    receiver: Option<Receiver>,
    buffer: Vec<u8>,
    capture: Capture,
}

impl Output {
    /// Whether anybody may still write.
    fn is_open(&self) -> bool {
        self.receiver.is_some()
    }

    /// Waits for the next piece and takes it.
    async fn pump(&mut self) {
        let Some(receiver) = &mut self.receiver else { return };
        match receiver.read(&mut self.buffer).await {
            Ok(length) if length > 0 => self.capture.push(&self.buffer[..length]),
            // A pipe has no errors to recover from: whatever this is, nothing more comes.
            Ok(_) | Err(_) => self.receiver = None,
        }
    }

    /// Takes what comes until the end or `deadline`; then what is in the pipe already.
    async fn drain(&mut self, deadline: Instant) {
        let late = |output: &Self, before: u64| output.capture.total() - before > MAX_LATE_BYTES;
        let mut before = None;
        while self.is_open() && timeout_at(deadline, self.pump()).await.is_ok() {
            if Instant::now() >= deadline && late(self, *before.get_or_insert(self.capture.total())) {
                break;
            }
        }
    }
}
