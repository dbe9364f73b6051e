//! The rules of this process: where their files are, how they are loaded and stay up to date, and how the person's own
//! file grows.

mod live;
mod paths;
mod save;
mod suspended;

pub(crate) use live::{LivePolicy, OwnedLayer, check_project, rules_error};
pub(crate) use paths::{PolicyFiles, user_policy};
pub(crate) use save::{Saved, save_grant};
pub(crate) use suspended::SuspendedPolicy;
