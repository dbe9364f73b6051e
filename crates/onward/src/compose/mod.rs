//! The composition root: from plain configuration to adapters behind ports.

mod app;
mod models;
mod named;
mod rules;
mod sandbox;
mod session;
mod shell_env;
mod traces;
mod workspace;

pub(crate) use app::{App, SELF, SUPERVISOR, store_error, tool_factory};
pub(crate) use named::only;
pub(crate) use rules::rules_for;
pub(crate) use sandbox::sandbox_setup;
pub(crate) use session::{find_session, no_session, same_place};
pub(crate) use shell_env::shell_environment;
pub(crate) use traces::missing_database;
pub(crate) use workspace::find_workspace;
