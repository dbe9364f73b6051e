//! The launcher: a process that contains itself, for good, and then becomes the command or starts it.
//!
//! It is this very program with one thread, before any async runtime: a copy that a supervisor makes of itself, or
//! started under another word. What it is to do comes through its standard input (see [`channel`]); a copy is told beforehand how its command will be
//! contained, and sets up what that alone decides. It fails closed: when a step cannot be done, it says which, and nothing
//! is run.
//!
//! - [`namespaces`], with [`view`], [`sight`], [`keep`], [`sockets`], [`loopback`]: the tier of namespaces;
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
pub(crate) mod sight;
mod sockets;
mod tree_fd;
mod view;
mod walls;

use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use onward_event::Tier;

use crate::sys;
use channel::{Channel, Report};
use namespaces::Outside;
use order::{Jail, LaunchOrder};
use sight::Sight;

/// Launches the command that standard input describes. The process has one thread, and nothing else to do; `stdin` is its
/// standard input, which nothing has read from.
pub fn launch(stdin: impl AsFd) -> ExitCode {
    ExitCode::from(run(stdin.as_fd()))
}

/// The exit code of a launcher that has run nothing.
const FAILURE: u8 = 1;

fn run(stdin: BorrowedFd<'_>) -> u8 {
    // Whoever started this process sees its end, and knows that nothing runs.
    let Ok(mut channel) = Channel::take(stdin) else { return FAILURE };
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
        Tier::Namespaces => {
            let (jail, sight) = (order.jail.clone(), Sight::look(&order.jail));
            namespaces::run(&jail, &sight, channel, Outside::Waits, |_| Ok(order))
        }
        Tier::Landlock => become_command(&order, &mut channel),
        Tier::None => failed(&mut channel, NOTHING_WITHOUT),
    }
}

const NOTHING_WITHOUT: &str = "a launcher contains: it runs nothing without";

/// Becomes the command of a copy's order, when that comes.
fn run_prepared(jail: &Jail, sight: &Sight, mut channel: Channel) -> u8 {
    match jail.tier {
        Tier::Namespaces => namespaces::run(jail, sight, channel, Outside::Leaves, Channel::order),
        // All that it does depends on the moment: rules are about the files that are there.
        Tier::Landlock => match channel.order() {
            Ok(order) => become_command(&order, &mut channel),
            Err(_) => FAILURE,
        },
        Tier::None => failed(&mut channel, NOTHING_WITHOUT),
    }
}

/// Returns only when that failed.
fn become_command(order: &LaunchOrder, channel: &mut Channel) -> u8 {
    let failure = landlock::run(order);
    failed(channel, &failure.words())
}

/// Makes this process, which was forked a moment ago, a launcher whose standard input is `channel`.
///
/// It was given a copy of everything that the supervisor holds. It lets go of it before it does anything else: with a copy
/// of its lock a supervisor that is dead would look alive.
pub(crate) fn become_launcher(
    channel: BorrowedFd<'_>,
    output: BorrowedFd<'_>,
    jail: &Jail,
    sight: &Sight,
) -> ! {
    // Whatever happens in here, it never goes back to what the supervisor was doing.
    let code = catch_unwind(AssertUnwindSafe(|| match keep_only(channel, output) {
        Ok(channel) => run_prepared(jail, sight, channel),
        Err(_) => FAILURE,
    }));
    std::process::exit(code.unwrap_or(FAILURE).into())
}

/// Leaves nothing open but the channel and the output. Leads a process group of its own.
fn keep_only(channel: BorrowedFd<'_>, output: BorrowedFd<'_>) -> io::Result<Channel> {
    rustix::stdio::dup2_stdin(channel)?;
    rustix::stdio::dup2_stdout(output)?;
    rustix::stdio::dup2_stderr(output)?;
    sys::close_others()?;
    rustix::process::setpgid(None, None)?;
    Channel::take(rustix::stdio::stdin())
}

fn failed(channel: &mut Channel, why: &str) -> u8 {
    channel.report(&Report::Failed(why.into()));
    FAILURE
}
