//! The launcher: a process that contains itself, for good, and then becomes the command or starts it.
//!
//! It is this very program under another word, started before any async runtime, with one thread. What it is to do comes
//! through its standard input (see [`channel`]). It fails closed: when a step cannot be done, it says which, and nothing
//! is run.
//!
//! - [`namespaces`], with [`view`], [`keep`], [`sockets`], [`loopback`]: the tier of namespaces;
//! - [`landlock`], with [`walls`]: the tier of Landlock;
//! - [`seccomp`], [`capabilities`], [`limits`], [`command`]: both.

pub(crate) mod channel;
pub(crate) mod order;

mod capabilities;
mod command;
mod failure;
mod keep;
mod landlock;
mod limits;
mod loopback;
mod namespaces;
mod seccomp;
mod sockets;
mod tree_fd;
mod view;
mod walls;

use std::os::fd::AsFd;
use std::process::ExitCode;

use onward_event::Tier;

use crate::sys;
use channel::{Channel, Report};

/// Launches the command that standard input describes. The process has one thread, and nothing else to do; `stdin` is its
/// standard input, which nothing has read from.
pub fn launch(stdin: impl AsFd) -> ExitCode {
    // Whoever started this process sees its end, and knows that nothing runs.
    let Ok(mut channel) = Channel::take(stdin.as_fd()) else { return ExitCode::FAILURE };
    let order = match channel.order() {
        Ok(order) => order,
        Err(error) => {
            return failed(
                &mut channel,
                &format!("the launcher was told nothing that it understands: {error}"),
            );
        }
    };
    if let Err(error) = sys::close_others_on_exec() {
        return failed(&mut channel, &format!("the sandbox could not close what it was given: {error}"));
    }
    match order.jail.tier {
        Tier::Namespaces => namespaces::run(&order, channel),
        Tier::Landlock => {
            let failure = landlock::run(&order);
            failed(&mut channel, &failure.words())
        }
        Tier::None => failed(&mut channel, "a launcher contains: it runs nothing without"),
    }
}

fn failed(channel: &mut Channel, why: &str) -> ExitCode {
    channel.report(&Report::Failed(why.into()));
    ExitCode::FAILURE
}
