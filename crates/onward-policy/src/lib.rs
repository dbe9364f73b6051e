//! The rules that decide whether a call may run.
//!
//! Rules are data: each has an id, an effect, and what it applies to. They have no order; **the strictest match wins**
//! (deny over ask over allow), and a call that no rule matches is asked about. So a rule can be added anywhere without
//! undoing a stricter one.
//!
//! The rules here are fixed; a file of rules, command analysis and saved grants join them behind the same port.

mod builtin;
mod fixed;
mod judge;
mod rule;
mod scope;
mod shell;
#[cfg(test)]
mod tests;

pub use builtin::BUILTIN;
pub use fixed::FixedPolicy;
pub use rule::{Rule, When};
pub use shell::{Analysis, Redirect, Simple, Unwrapped, analyse, harmless, unwrap};
