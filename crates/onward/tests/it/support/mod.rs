//! What the tests are made of: a sandbox for each test, processes in it, and the log as it is on disk.

mod damage;
mod disk;
mod files;
mod filter;
mod messages;
mod process;
mod processes;
mod records;
mod sandbox;
mod scripts;
mod waiting;

pub(crate) use damage::{change, cut_behind, other_letter, rows, sql};
pub(crate) use disk::SmallDisk;
pub(crate) use files::{contents, copy_folder};
pub(crate) use messages::{message, shown_in};
pub(crate) use process::{Done, Running};
pub(crate) use processes::{executions, kill_supervisor, lives, process_known_as, supervisor};
pub(crate) use records::{Records, records};
pub(crate) use sandbox::{PROGRAM, Sandbox, built_out_of_sight};
pub(crate) use scripts::{
    fatal_command, hanging, kill_its_supervisor, one_command, pid_of_command, waiting_command,
};
pub(crate) use waiting::{eventually, not_tested};
