//! The rules, from a file to a decision.

mod attacks;
mod decisions;
mod explaining;
mod grants;
mod loading;
mod modes;
mod never_looser;
mod support;
