//! `cargo xtask tidy`: the rules of the house that neither the compiler nor clippy can check.
//!
//! Each rule is a function from a [`Tree`](crate::source::Tree) to findings, in a file of its own, with tests that
//! show it failing on a bad input. To add one, write its file and give it a row in [`RULES`].

mod ambient;
mod finding;
mod layers;
mod machine_paths;
mod manifests;
mod module_doc;
mod printing;
mod purity;
mod readable;
mod report;
mod serde_shape;
mod size;
mod spawning;
mod sqlite;
mod unfinished;
mod unsafe_code;

use std::path::Path;
use std::process::ExitCode;

use crate::source::{Tree, read_tree};
use finding::Finding;

/// Nothing to choose: the rules hold everywhere.
#[derive(clap::Args)]
pub(crate) struct Args {}

struct Rule {
    name: &'static str,
    check: fn(&Tree) -> Vec<Finding>,
}

const RULES: &[Rule] = &[
    Rule { name: "readable", check: readable::check },
    Rule { name: "layers", check: layers::check },
    Rule { name: "purity", check: purity::check },
    Rule { name: "ambient", check: ambient::check },
    Rule { name: "printing", check: printing::check },
    Rule { name: "size", check: size::check },
    Rule { name: "module-doc", check: module_doc::check },
    Rule { name: "unfinished", check: unfinished::check },
    Rule { name: "unsafe", check: unsafe_code::check },
    Rule { name: "serde-shape", check: serde_shape::check },
    Rule { name: "machine-paths", check: machine_paths::check },
    Rule { name: "manifests", check: manifests::check },
    Rule { name: "spawning", check: spawning::check },
    Rule { name: "sqlite", check: sqlite::check },
];

pub(crate) fn run(root: &Path, _args: &Args) -> anyhow::Result<ExitCode> {
    let tree = read_tree(root)?;
    let report = report::Report::new(&tree, RULES);
    eprint!("{report}");
    Ok(if report.failed() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
