//! What can be chosen about a measurement. The launcher reads it to check it, the benchmarks to follow it.

use std::path::PathBuf;

/// What to measure, and where the figures go.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Options {
    /// Shorter runs and fewer of them: for a first look, not for the record
    #[arg(long)]
    pub(crate) quick: bool,

    /// Measure only this; may be given several times
    #[arg(long, value_enum, value_name = "NAME")]
    pub(crate) only: Vec<Part>,

    /// Write the table into this file too
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    /// Put the table into docs/performance.md, in place of the one that is there
    #[arg(long)]
    pub(crate) write: bool,

    /// Use target/release/onward as it is, instead of having cargo bring it up to date first
    #[arg(long)]
    pub(crate) no_build: bool,
}

/// A group of figures that are measured together.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// Process start to the first request; a one-step answer; the size of the binary
    Start,
    /// One long run: gap and CPU of each step, memory, requests, log
    Steps,
    /// Syncs of a steady step, counted by strace
    Syncs,
    /// What a supervisor adds to a command
    Supervision,
    /// From the start of `onward resume` after a SIGKILL to the next request
    Recovery,
    /// Durable steps per second without processes, with one session and with fifty
    Durable,
    /// Opening a session of 100,000 events, without and with a stored fold
    Open,
    /// Memory of an open session that has nothing to do
    Idle,
    /// What containing a command costs, by each tier
    Sandbox,
}
