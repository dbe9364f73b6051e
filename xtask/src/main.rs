//! Automation for the workspace, run as `cargo xtask <command>`.
//!
//! One module per command. To add one: write its module with an `Args` and a `run`, then give it a variant in
//! [`Command`] and an arm in [`main`].

mod bench;
mod cargo;
mod root;
mod schema;
mod security;
mod soak;
mod source;
mod tidy;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", about = "Automation for the onward workspace")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Check the rules of the house that neither the compiler nor clippy can check
    Tidy(tidy::Args),
    /// Write the pages and schemas under docs that follow from the types
    Schema(schema::Args),
    /// Measure what the design promises, and hold it against the targets
    Bench(bench::Args),
    /// Run attacks and ordinary work, and count what got through and what was held up
    Security(security::Args),
    /// Kill many sessions of the real program for a while, and count what was lost or done twice
    Soak(soak::Args),
}

fn main() -> anyhow::Result<ExitCode> {
    let cli = Cli::parse();
    let root = root::find()?;
    match cli.command {
        Command::Tidy(args) => tidy::run(&root, &args),
        Command::Schema(args) => schema::run(&root, &args),
        Command::Bench(args) => bench::run(&root, &args),
        Command::Security(args) => security::run(&root, &args),
        Command::Soak(args) => soak::run(&root, &args),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::Cli;

    #[test]
    fn every_command_has_help_that_names_its_options() {
        Cli::command().debug_assert();
        let mut cli = Cli::command();
        for command in cli.get_subcommands_mut() {
            let help = command.render_long_help().to_string();
            let options: Vec<_> = command.get_arguments().filter_map(|it| it.get_long()).collect();
            assert!(command.get_about().is_some(), "{help}");
            assert!(options.iter().all(|option| help.contains(&format!("--{option}"))), "{help}");
        }
        let bench = cli.find_subcommand("bench").map(|it| it.get_arguments().count());
        assert!(bench > Some(4), "the options of the benchmarks are told by their launcher");
    }
}
