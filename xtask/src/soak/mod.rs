//! `cargo xtask soak`: many sessions of the real program in one data folder, killed again and again, and counted.
//!
//! Each session has a scripted model that runs commands, some of them in the background. Each command leaves one line
//! in a *ledger* outside of the product, so what really happened can be held against what the logs say. While they
//! work, people speak to them, and processes are killed with SIGKILL at random moments. At the end everything is driven
//! to quiet, and what must never happen is counted.

mod audit;
mod child;
mod count;
mod crowd;
mod killer;
mod log;
mod quiet;
mod random;
mod script;
mod session;
mod stage;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};

use crate::cargo;
use count::Verdict;
use crowd::Crowd;
use random::Random;
use stage::Stage;

/// The longest soak: the scripts of the sessions have an end.
const MOST_MINUTES: f64 = 24.0 * 60.0;

/// How long, how many, and which program.
#[derive(clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Args {
    /// For how long processes are killed; may be a fraction. Coming to quiet takes a little longer
    #[arg(long, value_name = "N", default_value_t = 1.0)]
    minutes: f64,

    /// Sessions that are worked on at the same time
    #[arg(long, value_name = "COUNT", default_value_t = 50)]
    sessions: usize,

    /// Decides whom to kill, what to say and what the models do, alike each time; every run prints its own
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,

    /// The program under test; without it target/release/onward, which is built when it is not there
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
}

const AFTER: &str = "\
The last line is the verdict:

  kills 97, acknowledged inputs lost 0, effects doubled 0, sessions hung 0

The exit code is 1 when one of the last three is not 0, when the soak itself failed (`no verdict` and why), when `onward check` finds a log that is not as it should be, \
or when a log tells of an effect that the ledger does not have. The folder is kept then, below target/.

The seed decides what is done; when it happens depends on the machine, so two runs of one seed are alike and not equal.";

pub(crate) fn run(root: &Path, args: &Args) -> anyhow::Result<ExitCode> {
    let lasts = args.minutes > 0.0 && args.minutes <= MOST_MINUTES;
    ensure!(lasts, "--minutes must be more than 0 and at most {MOST_MINUTES}, nothing was started");
    ensure!((1..=500).contains(&args.sessions), "--sessions must be from 1 to 500, nothing was started");
    let program = program(root, args.program.as_deref())?;
    let seed = args.seed.unwrap_or_else(random::seed);
    println!("soak: seed {seed}, {} sessions, {} minutes", args.sessions, args.minutes);
    let (line, good) = concluded(&perform(root, program, seed, args));
    println!("{line}");
    Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Sets the stage and soaks on it; what is not as it should be is kept.
fn perform(root: &Path, program: PathBuf, seed: u64, args: &Args) -> anyhow::Result<Verdict> {
    let stage = Stage::set(root, program, seed, args.sessions)?;
    let verdict = soak(&stage, Random::new(seed), args);
    match &verdict {
        Ok(verdict) if verdict.is_good() => stage.strike(),
        _ => println!("everything is kept in {}", stage.folder().display()),
    }
    verdict
}

/// The last line, and whether it is a good one. A soak that did not come to its end has counted nothing, which is no
/// good end, and says so.
fn concluded(verdict: &anyhow::Result<Verdict>) -> (String, bool) {
    match verdict {
        Ok(verdict) => (verdict.to_string(), verdict.is_good()),
        Err(error) => (format!("no verdict, nothing was counted: {error:#}"), false),
    }
}

/// Kills for the time that was asked for, lets everything come to quiet, and counts.
fn soak(stage: &Stage, random: Random, args: &Args) -> anyhow::Result<Verdict> {
    let mut crowd = Crowd::new(stage, random, args.sessions);
    crowd.work_until(Instant::now() + Duration::from_secs_f64(args.minutes * 60.0))?;
    let hung = quiet::reach(&mut crowd)?;
    audit::audit(&crowd, hung)
}

/// The program that was named, or the release build; built as for the benchmarks when it is not there.
fn program(root: &Path, named: Option<&Path>) -> anyhow::Result<PathBuf> {
    if let Some(path) = named {
        return path
            .canonicalize()
            .with_context(|| format!("{} is not there, nothing was started", path.display()));
    }
    let program = root.join("target/release/onward");
    if !program.is_file() {
        cargo::run(root, &["build", "--release", "--workspace", "--quiet"])?;
    }
    Ok(program)
}
