//! What the tests are made of: a sandbox for each test, processes in it, and the log as it is on disk.

mod disk;
mod filter;
mod process;
mod records;
mod sandbox;
mod waiting;

pub(crate) use disk::SmallDisk;
pub(crate) use process::{Done, Running};
pub(crate) use records::{Records, records};
pub(crate) use sandbox::Sandbox;
pub(crate) use waiting::{eventually, not_tested};
