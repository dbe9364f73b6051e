//! `cargo xtask bench`: measures the figures that the design promises, and holds each against its target.
//!
//! This is only the launcher. The benchmarks are an example of this package (`main.rs` in this folder), because they must
//! be optimised, and because nothing else of xtask should have to be compiled together with the runtime. Both read the
//! same [`Options`](options::Options): this side to help and to refuse at once, the other to follow them.

mod options;
#[cfg(test)]
mod report;
#[cfg(test)]
mod stats;
#[cfg(test)]
mod tests;

use std::path::Path;
use std::process::ExitCode;

use crate::cargo;

/// The options, and how it is done.
#[derive(clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Args {
    #[command(flatten)]
    options: options::Options,
}

const AFTER: &str = "\
The release binary is brought up to date (cargo build --release --workspace), then the benchmarks are compiled as \
optimised as it is and run. They play the model themselves, on loopback and without delay, and keep everything they \
write below target/, which must lie on the disk that is to be measured.

strace and bash are used where they are installed; what needs them is left out otherwise. Nothing else should run \
on the machine meanwhile; what a sync costs and how busy the cores are is printed with the figures, before and \
after. On a machine that is shared, `chrt -f 10 cargo xtask bench` keeps other work off the cores, though not off \
the disk.

The exit code is 1 when something could not be measured. A target that is missed is said in the table.";

pub(crate) fn run(root: &Path, args: &Args) -> anyhow::Result<ExitCode> {
    if !args.options.no_build {
        cargo::run(root, &["build", "--release", "--workspace", "--quiet"])?;
    }
    // The words behind `xtask bench`, as they were given.
    let words = std::env::args_os().skip(2);
    cargo::run_example(&["--release", "--package", "xtask", "--example", "bench"], words)
}
