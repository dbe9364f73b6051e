//! The benchmarks behind `cargo xtask bench`, as a program of their own.
//!
//! Two kinds of figures. Those about the product are of the release binary, run as a person runs it, with a model that
//! answers at once. Those about the runtime are taken inside this process, without any other process: the real owner
//! on the real store, with a model and a tool that take no time.

mod durable;
mod idle;
mod inside;
mod log;
mod machine;
mod open;
mod options;
mod place;
mod process;
mod recovery;
mod report;
#[path = "../root.rs"]
mod root;
mod run;
mod sandbox;
mod scene;
mod server;
mod start;
mod stats;
mod steps;
mod supervision;
mod syncs;

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Parser;

use options::{Options, Part};
use place::Scratch;
use report::{Report, Row};
use scene::Scene;

#[derive(Parser)]
#[command(name = "cargo xtask bench", about = "Measures what the design promises")]
struct Cli {
    #[command(flatten)]
    options: Options,
}

type Measure = fn(&Scene) -> anyhow::Result<Vec<Row>>;

const PARTS: [(Part, Measure); 9] = [
    // First: what other parts leave behind in the heap would be used again, and the memory seem to cost nothing.
    (Part::Idle, idle::measure),
    (Part::Start, start::measure),
    (Part::Steps, steps::measure),
    (Part::Syncs, syncs::measure),
    (Part::Supervision, supervision::measure),
    (Part::Recovery, recovery::measure),
    (Part::Durable, durable::measure),
    (Part::Open, open::measure),
    (Part::Sandbox, sandbox::measure),
];

fn main() -> anyhow::Result<ExitCode> {
    let cli = Cli::parse();
    let root = root::find()?;
    let binary = root.join("target/release/onward");
    if !binary.is_file() {
        bail!("{} is not there, build it with `cargo build --release --workspace`", binary.display());
    }
    let scene = Scene { options: cli.options, binary, scratch: Scratch::new(&root)? };
    let report = measure(&scene)?;
    print!("{report}");
    save(&scene.options, &root, &report)?;
    Ok(if report.failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Every part that is wanted; one that fails does not keep the others from being measured.
fn measure(scene: &Scene) -> anyhow::Result<Report> {
    let state = || -> anyhow::Result<String> {
        let sync = machine::sync_cost(scene.scratch.path(), scene.pick(1_000, 200))?;
        Ok(format!("appending 4 KiB and fdatasync took {sync}, the load was {}", machine::load()))
    };
    let before = state()?;
    let (mut rows, mut failed) = (Vec::new(), Vec::new());
    for (part, measure) in PARTS.iter().filter(|(part, _)| scene.wants(*part)) {
        eprintln!("bench: {part:?}");
        match measure(scene) {
            Ok(measured) => rows.extend(measured),
            Err(error) => failed.push(format!("{part:?}: {error:#}")),
        }
    }
    let words = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
    let command: Vec<_> = ["cargo xtask bench".to_owned()].into_iter().chain(words).collect();
    let about = vec![
        format!("Measured on {} with `{}`.", machine::today(), command.join(" ")),
        format!("{}. Before: {before}. After: {}.", machine::describe(), state()?),
    ];
    Ok(Report { about, rows, failed })
}

fn save(options: &Options, root: &Path, report: &Report) -> anyhow::Result<()> {
    if let Some(out) = &options.out {
        std::fs::write(out, report.to_string())
            .with_context(|| format!("{} cannot be written", out.display()))?;
    }
    if options.write {
        report.write_into(&root.join("docs/performance.md"))?;
    }
    Ok(())
}
