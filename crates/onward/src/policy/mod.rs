//! The rules of this process: where their files are, and how the person's own one grows.

mod paths;
mod save;

pub(crate) use paths::user_policy;
pub(crate) use save::save_rule;
