//! A call, taken apart into what rules are about.
//!
//! A call is judged in parts, and the strictest part decides: each command of a script, those inside wrappers too; each
//! file that is read or changed, redirections too; a script that cannot be taken apart as one part more.
//!
//! - [`part`]: the parts.
//! - [`commands`]: a script, as parts.
//! - [`command`]: what is known about one command.
//! - [`operands`]: the files that a command's words name.
//! - [`place`]: where files are that may be touched.
//! - [`risk`]: what a command risks.

mod command;
mod commands;
mod operands;
mod part;
mod place;
mod risk;

pub(crate) use command::Command;
pub(crate) use part::{Call, Kind, Part, PathUse, is_effectless};
