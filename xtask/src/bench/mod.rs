//! `cargo xtask bench`: measures the figures that the design promises, and holds each against its target.
//!
//! This is only the launcher. The benchmarks are a target of their own (`main.rs` in this folder), because they must be
//! optimised, and because nothing else of xtask should have to be compiled together with the runtime.

mod options;
#[cfg(test)]
mod report;
#[cfg(test)]
mod stats;
#[cfg(test)]
mod tests;

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context, bail};

/// The options, and how it is done.
#[derive(clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Args {
    #[command(flatten)]
    options: options::Options,
}

const AFTER: &str = "\
The release binary is brought up to date (cargo build --release --workspace), then the benchmarks are compiled as
optimised as it is and run (cargo bench --package xtask). They play the model themselves, on loopback and without
delay, and keep everything they write below target/, which must lie on the disk that is to be measured.
strace and bash are used where they are installed; what needs them is left out otherwise. Nothing else should run
on the machine meanwhile; what a sync costs and how busy the cores are is printed with the figures, before and
after. On a machine that is shared, `chrt -f 10 cargo xtask bench` keeps other work off the cores, though not off
the disk.";

pub(crate) fn run(root: &Path, args: &Args) -> anyhow::Result<ExitCode> {
    if !args.options.no_build {
        cargo(root, &["build", "--release", "--workspace", "--quiet"], &[])?;
    }
    let here = std::env::current_dir().context("the current directory cannot be read")?;
    let bench = ["bench", "--package", "xtask", "--bench", "bench", "--quiet", "--"];
    cargo(root, &bench, &words(&args.options, &here))?;
    Ok(ExitCode::SUCCESS)
}

fn cargo(root: &Path, words: &[&str], more: &[OsString]) -> anyhow::Result<()> {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(program).args(words).args(more).current_dir(root).status();
    let status = status.context("cargo cannot be started")?;
    if !status.success() {
        bail!("`cargo {}` failed, nothing was written into docs", words.join(" "));
    }
    Ok(())
}

/// The same choice as words of a command line; paths start at `here`, wherever the benchmarks are run.
fn words(options: &options::Options, here: &Path) -> Vec<OsString> {
    let mut words = options.named();
    if let Some(out) = &options.out {
        words.push("--out".into());
        words.push(here.join(out).into());
    }
    for (flag, word) in [(options.write, "--write"), (options.no_build, "--no-build")] {
        words.extend(flag.then(|| word.into()));
    }
    words
}
