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
#[command(after_help = help())]
pub(crate) struct Args {}

struct Rule {
    name: &'static str,
    /// What it wants, in a few words.
    wants: &'static str,
    check: fn(&Tree) -> Vec<Finding>,
}

const RULES: &[Rule] = &[
    Rule { name: "readable", wants: "every source can be cut into tokens", check: readable::check },
    Rule { name: "layers", wants: "members depend on lower layers only", check: layers::check },
    Rule {
        name: "purity",
        wants: "the lowest layers know no clock, no randomness and no I/O",
        check: purity::check,
    },
    Rule {
        name: "ambient",
        wants: "only the binary reads the environment, the home folder and the current directory",
        check: ambient::check,
    },
    Rule { name: "printing", wants: "only the binary prints", check: printing::check },
    Rule { name: "size", wants: "files and functions are small", check: size::check },
    Rule { name: "module-doc", wants: "every source says what it is for", check: module_doc::check },
    Rule { name: "unfinished", wants: "no mark of unfinished work", check: unfinished::check },
    Rule { name: "unsafe", wants: "`unsafe` stands where it is allowed to", check: unsafe_code::check },
    Rule { name: "serde-shape", wants: "formats have one shape each", check: serde_shape::check },
    Rule { name: "machine-paths", wants: "no text names somebody's machine", check: machine_paths::check },
    Rule { name: "manifests", wants: "members inherit lints and dependencies", check: manifests::check },
    Rule { name: "spawning", wants: "processes start in few places", check: spawning::check },
    Rule { name: "sqlite", wants: "the bundled SQLite keeps its data", check: sqlite::check },
];

pub(crate) fn run(root: &Path, _args: &Args) -> anyhow::Result<ExitCode> {
    let tree = read_tree(root)?;
    let report = report::Report::new(&tree, RULES);
    eprint!("{report}");
    Ok(if report.failed() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn help() -> String {
    let rules = RULES.iter().map(|rule| format!("  {:14} {}\n", rule.name, rule.wants));
    format!(
        "Rules:\n{}\nA finding is one line: where, which rule, what is wrong and what to do. The exit code is 1 when there is one \
         that is not marked as a warning.",
        rules.collect::<String>()
    )
}
