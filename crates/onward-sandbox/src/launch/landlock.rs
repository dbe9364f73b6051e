//! The tier of Landlock: the launcher gives up what the command may not have, and becomes the command.

use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};

use super::command::{command, not_started};
use super::failure::Failure;
use super::order::LaunchOrder;
use super::walls::{Walls, all_but};
use super::{capabilities, limits, seccomp};

/// Devices that may be written: each does no harm. Not the terminals in `/dev/pts`: they are the person's.
const DEVICES: &[&str] = &["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty"];

/// Becomes the command. Returns only when that failed: then nothing has run.
pub(super) fn run(order: &LaunchOrder) -> Failure {
    match prepare(order) {
        Ok(mut command) => not_started(order, &command.exec()),
        Err(failure) => failure,
    }
}

fn prepare(order: &LaunchOrder) -> Result<std::process::Command, Failure> {
    let jail = &order.jail;
    let scratch = jail.scratch.as_deref();
    // A rule for a folder counts for all below it.
    for hidden in jail.hidden.iter().filter_map(|path| Path::new(path).canonicalize().ok()) {
        if jail.writable_roots().iter().any(|root| hidden.starts_with(root)) {
            return Err(Failure::new(format!(
                "{} must be hidden and lies in a folder that may be changed, which this tier cannot separate",
                hidden.display()
            )));
        }
    }
    let write =
        jail.writable_roots().into_iter().map(PathBuf::from).chain(scratch.map(PathBuf::from)).collect();
    let walls = Walls {
        read: all_but(&jail.hidden),
        write,
        devices: DEVICES.iter().map(PathBuf::from).collect(),
        tcp: !jail.is_closed(),
    };
    limits::set(&jail.limits)?;
    capabilities::drop_all()?;
    walls.apply(true)?;
    // Landlock has no rules for datagrams, nor, before its ninth version, for sockets with a path: local sockets are not
    // made at all, so that no service of the machine can be asked.
    seccomp::apply(if jail.is_closed() { seccomp::Sockets::Pairs } else { seccomp::Sockets::Internet })?;
    command(order, Path::new(scratch.unwrap_or("/tmp")))
}
