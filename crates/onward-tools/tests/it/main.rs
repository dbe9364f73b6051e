//! The built-in tools over real folders and processes.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot set up its workspace has failed")]

mod change;
mod desk;
mod edit;
mod glob;
mod grep;
mod input;
mod jobs;
mod list;
mod paths;
mod properties;
mod read;
mod read_artifact;
mod setup;
mod shell;
mod shell_ends;
mod shell_output;
mod told;
mod write;
