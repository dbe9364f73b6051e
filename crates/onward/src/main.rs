//! The `onward` binary: arguments, configuration, composition root.

#[cfg_attr(not(test), expect(dead_code, reason = "the commands that use it follow"))]
mod args;
#[cfg_attr(not(test), expect(dead_code, reason = "the commands that use it follow"))]
mod config;
#[cfg_attr(not(test), expect(dead_code, reason = "the commands that use it follow"))]
mod error;
#[cfg_attr(not(test), expect(dead_code, reason = "the commands that use it follow"))]
mod exit;

fn main() {}
