//! The command as it is started, with the last corrections to its environment.

use std::io;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use super::failure::Failure;
use super::order::LaunchOrder;

/// Variables that lead to services of the person's session: what they name is hidden, and a program that does not find
/// them says so in a better way.
const UNSET: &[&str] = &[
    "SSH_AUTH_SOCK",
    "SSH_AGENT_PID",
    "GPG_AGENT_INFO",
    "DBUS_SESSION_BUS_ADDRESS",
    "DBUS_SYSTEM_BUS_ADDRESS",
    "XDG_RUNTIME_DIR",
    "WAYLAND_DISPLAY",
    "DISPLAY",
    "XAUTHORITY",
    "DOCKER_HOST",
    "CONTAINER_HOST",
    "LISTEN_FDS",
    "LISTEN_PID",
    "NOTIFY_SOCKET",
];

/// The command, without input; `temporary` is the folder for its temporary files.
pub(super) fn command(order: &LaunchOrder, temporary: &Path) -> Result<Command, Failure> {
    let [program, arguments @ ..] = order.argv.as_slice() else {
        return Err(Failure::new("there is no command"));
    };
    let mut command = Command::new(program);
    command.args(arguments).current_dir(&order.dir).stdin(Stdio::null());
    if order.own_group {
        command.process_group(0);
    }
    command.env_clear();
    let wanted = |name: &str| !UNSET.contains(&name) && name != "TMPDIR";
    command
        .envs(order.environment.iter().filter(|(name, _)| wanted(name)).map(|(name, value)| (name, value)));
    command.env("TMPDIR", temporary);
    Ok(command)
}

/// The words for a command that could not be started.
pub(super) fn not_started(order: &LaunchOrder, error: &io::Error) -> Failure {
    let program = order.argv.first().map_or("", String::as_str);
    Failure::new(format!("`{program}` could not be started in `{}`: {error}", order.dir))
}
