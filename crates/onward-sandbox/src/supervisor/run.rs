//! From the start of the command to the end of its whole tree.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::process::CommandExt as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use onward_event::Tier;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, WaitStatus, pidfd_open};

use super::output::Output;
use super::ready::{Containing, Ready};
use super::{contain, tree};
use crate::contained::Contained;
use crate::folder::Folder;
use crate::protect::{Nested, Places};
use crate::spec::{How, Order, Verdict};

/// How long the output of a command that has exited is waited for, when processes in the background hold it open.
const DRAIN: Duration = Duration::from_millis(250);
/// How soon a request to stop is seen. It is looked for and not watched for: closing an inotify descriptor waits for a
/// grace period of the kernel, which would cost every command several milliseconds.
const LONGEST_SLEEP: Duration = Duration::from_millis(50);

/// The longest sleep where the system lends nothing to be woken by.
const BLIND_SLEEP: Duration = Duration::from_millis(20);

/// Runs the command. Returns what is still to be taken away, too.
///
/// # Errors
/// When it could not be started: nothing was run.
pub(super) fn run(folder: &Folder, order: &Order, ready: Ready) -> io::Result<(Verdict, Option<Places>)> {
    let begun = Instant::now();
    let Ready { reader, writer, contained } = ready;
    let output = Output::new(folder, order.kept_bytes, order.tail_bytes)?;
    let deadline = begun + Duration::from_millis(order.timeout_millis);
    let Started { main, contained } = start(folder, order, contained, writer, deadline)?;
    // It only wakes: without it the supervisor looks more often.
    let pidfd = pidfd_open(main, PidfdFlags::empty()).ok();
    let mut running =
        Running { folder, main, pipe: Some(File::from(OwnedFd::from(reader))), output, pidfd, status: None };
    let ended = running.until_end(deadline);
    let (how, left_behind) = running.end(ended, Duration::from_millis(order.grace_millis));
    let millis = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
    let verdict =
        Verdict { how, millis, total: running.output.finish(folder), left_behind, restored: Vec::new() };
    Ok(match contained {
        None => (verdict, None),
        Some((contained, tier)) => contain::settled(verdict, contained, tier),
    })
}

/// A command that was started.
struct Started {
    main: Pid,
    contained: Option<(Contained, Tier)>,
}

fn start(
    folder: &Folder,
    order: &Order,
    contained: Option<(Containing, Nested)>,
    writer: io::PipeWriter,
    deadline: Instant,
) -> io::Result<Started> {
    match contained {
        None => Ok(Started { main: start_bare(order, writer)?, contained: None }),
        Some(containing) => {
            let tier = containing.0.jail.tier;
            let (main, contained) = contain::start(folder, order, containing, writer, deadline)?;
            Ok(Started { main, contained: Some((contained, tier)) })
        }
    }
}

/// Starts a command whose containment was waived.
fn start_bare(order: &Order, writer: io::PipeWriter) -> io::Result<Pid> {
    let [program, arguments @ ..] = order.argv.as_slice() else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "there is no command"));
    };
    let mut command = Command::new(program);
    command.args(arguments).current_dir(&order.dir).process_group(0);
    command.env_clear().envs(order.environment.iter().map(|(name, value)| (name, value)));
    command.stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer);
    // The command holds the pipe's write ends, and is dropped here: the child then has the only ones.
    let child = command.spawn()?;
    Pid::from_raw(child.id().cast_signed()).ok_or_else(|| io::Error::other("the command has no process id"))
}

/// Why waiting ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ended {
    Exited,
    TimedOut,
    Stopped,
}

struct Running<'a> {
    folder: &'a Folder,
    main: Pid,
    /// Absent once every write end is closed.
    pipe: Option<File>,
    output: Output,
    pidfd: Option<OwnedFd>,
    status: Option<WaitStatus>,
}

impl Running<'_> {
    fn until_end(&mut self, deadline: Instant) -> Ended {
        loop {
            if self.folder.is_asked_to_stop() {
                return Ended::Stopped;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ended::TimedOut;
            }
            self.sleep(left.min(LONGEST_SLEEP), true);
            if let Some(status) = tree::reap(self.main) {
                self.status = Some(status);
                return Ended::Exited;
            }
        }
    }

    /// Sleeps until something happens, and takes the output that came.
    fn sleep(&mut self, most: Duration, main_runs: bool) {
        let most = if self.pidfd.is_some() { most } else { most.min(BLIND_SLEEP) };
        let mut fds: Vec<PollFd<'_>> = Vec::with_capacity(2);
        if main_runs {
            fds.extend(self.pidfd.iter().map(|pidfd| PollFd::new(pidfd, PollFlags::IN)));
        }
        if let Some(pipe) = &self.pipe {
            fds.push(PollFd::from_borrowed_fd(pipe.as_fd(), PollFlags::IN));
        }
        let most = Timespec { tv_sec: most.as_secs().cast_signed(), tv_nsec: most.subsec_nanos().into() };
        match poll(&mut fds, Some(&most)) {
            Ok(_) | Err(Errno::INTR) => {}
            // It cannot be waited for anything; look again in a moment.
            Err(_) => std::thread::sleep(Duration::from_millis(5)),
        }
        drop(fds);
        self.take_output();
    }

    fn take_output(&mut self) {
        if let Some(pipe) = &self.pipe
            && !self.output.pump(pipe)
        {
            self.pipe = None;
        }
    }

    /// Ends what is left of the tree, and says how the command ended.
    fn end(&mut self, ended: Ended, grace: Duration) -> (How, bool) {
        let left_behind = match ended {
            Ended::Exited => self.after_exit(),
            Ended::TimedOut | Ended::Stopped => {
                tree::ask_to_end();
                self.wait_until_empty(grace);
                false
            }
        };
        if !tree::kill_all(self.main, &mut self.status) {
            let why = "some of its processes could not be ended, and it is not known what they do";
            return (How::Unending(why.into()), left_behind);
        }
        self.drain();
        let how = match (ended, self.status) {
            (Ended::TimedOut, _) => How::TimedOut,
            (Ended::Stopped, _) => How::Stopped,
            (Ended::Exited, Some(status)) => exit(status),
            (Ended::Exited, None) => How::Unending("the system would not say how it ended".into()),
        };
        (how, left_behind)
    }

    /// The command itself has ended. What it left in the background gets a moment to end by itself.
    fn after_exit(&mut self) -> bool {
        let deadline = Instant::now() + DRAIN;
        while !tree::is_empty() {
            if Instant::now() >= deadline {
                tree::ask_to_end();
                self.wait_until_empty(DRAIN);
                return true;
            }
            self.sleep(Duration::from_millis(5), false);
            tree::reap(self.main);
        }
        false
    }

    fn wait_until_empty(&mut self, most: Duration) {
        let deadline = Instant::now() + most;
        while !tree::is_empty() && Instant::now() < deadline {
            self.sleep(Duration::from_millis(5), false);
            if let Some(status) = tree::reap(self.main) {
                self.status.get_or_insert(status);
            }
        }
    }

    /// Nobody of the tree writes any more: takes what is in the pipe.
    fn drain(&mut self) {
        while let Some(pipe) = &self.pipe {
            let before = self.output.total();
            if !self.output.pump(pipe) || self.output.total() == before {
                self.pipe = None;
            }
        }
    }
}

fn exit(status: WaitStatus) -> How {
    match (status.exit_status(), status.terminating_signal()) {
        (Some(code), _) => How::Exited(code),
        (None, Some(signal)) => How::Signalled(signal),
        (None, None) => How::Unending("it was stopped, and did not end".into()),
    }
}
