//! The tier of namespaces: a user, mounts, processes, a network, shared memory, names and control groups of the
//! command's own.
//!
//! The launcher stays outside. Its child is process 1 in there: it sets everything up, gives up all privileges, starts the
//! command, collects whatever is orphaned, and ends with its supervisor. When process 1 ends, the kernel ends all others.

use std::fs;
use std::io;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{
    DumpableBehavior, Pid, Signal, WaitOptions, getegid, geteuid, kill_process_group, set_dumpable_behavior,
    wait, waitpid,
};
use rustix::thread::UnshareFlags;

use super::channel::{Channel, Report};
use super::command::{command, not_started};
use super::failure::{Failure, Step as _};
use super::order::{Jail, LaunchOrder};
use super::sight::Sight;
use super::walls::Walls;
use super::{FAILURE, capabilities, keep, limits, loopback, seccomp, view};
use crate::sys;

/// How long what the command left behind gets to end by itself, and then again when it is asked to.
const LINGER: Duration = Duration::from_millis(250);
/// The pause between two looks.
const PAUSE: Duration = Duration::from_millis(5);

/// Sets up the namespaces, waits for `order` and runs the command in them. Returns when it has ended.
pub(super) fn run(
    jail: &Jail,
    sight: &Sight,
    mut channel: Channel,
    outside: Outside,
    order: impl FnOnce(&mut Channel) -> io::Result<LaunchOrder>,
) -> u8 {
    match enter(jail) {
        Ok(Side::Outside(init)) => return outside.leave(init, channel),
        Ok(Side::Inside) => {}
        Err(failure) => return failed(&mut channel, &failure),
    }
    if let Err(failure) = set_up(jail, sight) {
        return failed(&mut channel, &failure);
    }
    // Who could have given one is gone, and nobody is left to be told of it.
    let Ok(order) = order(&mut channel) else { return FAILURE };
    match begin(&order, &channel) {
        Ok(child) => {
            channel.report(&Report::Started);
            init(child, channel)
        }
        Err(failure) => failed(&mut channel, &failure),
    }
}

/// What the launcher does when there is a process 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outside {
    /// It waits, and ends as that did.
    Waits,
    /// It says which process that is, and ends. Then process 1 is its supervisor's child, who collects what is orphaned.
    Leaves,
}

enum Side {
    /// The launcher; its child is process 1.
    Outside(Pid),
    /// Process 1.
    Inside,
}

fn failed(channel: &mut Channel, failure: &Failure) -> u8 {
    channel.report(&Report::Failed(failure.words()));
    FAILURE
}

fn enter(jail: &Jail) -> Result<Side, Failure> {
    let (user, group) = (geteuid().as_raw(), getegid().as_raw());
    let mut flags = UnshareFlags::NEWUSER
        | UnshareFlags::NEWNS
        | UnshareFlags::NEWPID
        | UnshareFlags::NEWIPC
        | UnshareFlags::NEWUTS
        | UnshareFlags::NEWCGROUP;
    if jail.is_closed() {
        flags |= UnshareFlags::NEWNET;
    }
    sys::unshare(flags).step("make namespaces")?;
    // The command is who it was: files that it makes belong to the person.
    fs::write("/proc/self/setgroups", "deny").step("give up its groups")?;
    fs::write("/proc/self/uid_map", format!("{user} {user} 1")).step("map its user")?;
    fs::write("/proc/self/gid_map", format!("{group} {group} 1")).step("map its group")?;
    Ok(match sys::fork().step("make process 1")? {
        Some(init) => Side::Outside(init),
        None => Side::Inside,
    })
}

impl Outside {
    fn leave(self, init: Pid, mut channel: Channel) -> u8 {
        match self {
            Self::Waits => {
                drop(channel);
                wait_for(init)
            }
            Self::Leaves => {
                channel.report(&Report::Inside(init.as_raw_nonzero().get()));
                0
            }
        }
    }
}

/// Waits for process 1 and ends as it did. What asks this process to end is for the command, which hears of it too.
fn wait_for(init: Pid) -> u8 {
    sys::ignore_requests_to_end();
    loop {
        match waitpid(Some(init), WaitOptions::empty()) {
            Ok(Some((_, status))) => {
                let code = status.exit_status().unwrap_or(128 + status.terminating_signal().unwrap_or(0));
                return u8::try_from(code).unwrap_or(u8::MAX);
            }
            Ok(None) | Err(rustix::io::Errno::INTR) => {}
            Err(_) => return FAILURE,
        }
    }
}

/// What does not depend on the command, nor on the moment when it starts.
fn set_up(jail: &Jail, sight: &Sight) -> Result<(), Failure> {
    if jail.is_closed() {
        loopback::up().step("switch the loopback device on")?;
    }
    view::make(jail, sight)?;
    limits::set(&jail.limits)?;
    limits::set_processes(&jail.limits)
}

/// Closes the protected names, gives everything up and starts the command.
fn begin(order: &LaunchOrder, channel: &Channel) -> Result<Child, Failure> {
    keep::close(&order.jail)?;
    capabilities::drop_all()?;
    // Nobody in here looks into process 1, or holds it.
    set_dumpable_behavior(DumpableBehavior::NotDumpable).step("keep process 1 to itself")?;
    walls(order).apply(false)?;
    seccomp::apply(seccomp::Sockets::Usual)?;
    let watched = channel.try_clone().step("watch its supervisor")?;
    let watch = move || {
        watched.wait_for_its_end();
        std::process::exit(0);
    };
    thread::Builder::new().spawn(watch).step("watch its supervisor")?;
    command(order, Path::new("/tmp"))?.spawn().map_err(|error| not_started(order, &error))
}

fn walls(order: &LaunchOrder) -> Walls {
    let own = ["/tmp", "/var/tmp", "/run", "/dev/shm"].map(PathBuf::from);
    let write = order.jail.writable_roots().into_iter().map(PathBuf::from).chain(own).collect();
    // Without a network there is nothing to deny, and the loopback device is the command's own.
    Walls { read: vec!["/".into()], write, devices: vec!["/dev".into()], tcp: true }
}

/// Collects whatever ends, until the command itself has, and then what it left behind.
fn init(child: Child, mut channel: Channel) -> u8 {
    let main = Pid::from_raw(child.id().cast_signed());
    let status = loop {
        match wait(WaitOptions::empty()) {
            Ok(Some((pid, status))) if Some(pid) == main => break status,
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(_) => return failed(&mut channel, &Failure::new("the command's end could not be seen")),
        }
    };
    let left_behind = !all_end_within(LINGER);
    if left_behind {
        // Everybody but process 1.
        let _ = kill_process_group(Pid::INIT, Signal::TERM);
        all_end_within(LINGER);
    }
    channel.report(&Report::Ended { status: status.as_raw(), left_behind });
    let status = std::process::ExitStatus::from_raw(status.as_raw());
    let code = status.code().unwrap_or(128 + status.signal().unwrap_or(0));
    u8::try_from(code).unwrap_or(u8::MAX)
}

/// Whether nobody but process 1 is left.
fn all_end_within(most: Duration) -> bool {
    let deadline = Instant::now() + most;
    loop {
        match wait(WaitOptions::NOHANG) {
            Ok(Some(_)) | Err(rustix::io::Errno::INTR) => continue,
            Err(_) => return true,
            Ok(None) if Instant::now() >= deadline => return false,
            Ok(None) => thread::sleep(PAUSE),
        }
    }
}
