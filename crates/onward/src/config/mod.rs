//! Configuration: from files, environment and command line to plain values, once, at the edge.
//!
//! Layers, each stronger than the one before: built-in defaults, the person's file
//! (`$XDG_CONFIG_HOME/onward/config.toml`), the project's file (`.onward/config.toml` in the workspace), `ONWARD_…`
//! variables, options. The project's file may come from a stranger, so it chooses and tightens, and never says where
//! requests go, what key they carry, or what may be done without asking.
//!
//! Every key is one row of the table in `keys`; each value remembers its [`Source`]. Keys for providers are references
//! (`env:NAME`, `file:/path`): their values are read when a provider is set up, and stand in no configuration.

mod budget;
mod effective;
mod environment;
mod file;
mod given;
mod keys;
mod limits;
mod load;
mod model;
mod money;
mod overrides;
mod paths;
mod problem;
mod provider;
mod proxy;
mod sandbox;
mod secret;
mod secrets;
mod set;
mod settings;
mod small;
mod source;
#[cfg(test)]
mod tests;
mod variables;

pub(crate) use budget::Budget;
pub(crate) use effective::{entries, render};
pub(crate) use environment::Environment;
pub(crate) use load::{load, load_understood};
pub(crate) use overrides::Overrides;
pub(crate) use provider::Access;
pub(crate) use sandbox::{MIB, NETWORKS, TIERS, network_name};
pub(crate) use settings::{Config, MODES, jobs_rule_named, mode_named};
pub(crate) use small::read_small;
pub(crate) use source::{Source, Sourced};
