//! The `onward` binary: arguments, configuration, composition root.

mod args;
mod attend;
mod commands;
mod compose;
mod config;
mod demo;
mod drive;
mod error;
mod exit;
mod jobs_at_end;
mod outlives;
mod policy;
mod render;
mod report;
mod signals;
mod stand;
mod trust;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process;

use config::{Config, Environment};
use error::{CliError, ErrorKind};
use exit::ExitCode;
use render::out::hide;
use render::tell;

fn main() -> process::ExitCode {
    let words: Vec<OsString> = std::env::args_os().collect();
    // Before anything else: a supervisor and a launcher are small, and need nothing of the rest.
    if let [_, word] = words.as_slice()
        && word == onward_sandbox::LAUNCHER
    {
        return onward_sandbox::launch(std::io::stdin());
    }
    if let [_, word] = words.as_slice()
        && word == compose::SUPERVISOR
    {
        onward_sandbox::supervise(std::io::stdin());
        return process::ExitCode::SUCCESS;
    }
    let environment = match environment() {
        Ok(environment) => environment,
        Err(error) => return failed(&error),
    };
    // Before anything is read from the configuration, the usual places of keys are known.
    hide(Config::builtin(&environment).redactor(&environment));
    let result = if demo::is_worker(&words) {
        on_runtime(demo::worker(&words, environment))
    } else {
        match args::parse(words) {
            Ok(invocation) => on_runtime(commands::run(invocation, environment)),
            Err(error) if error.use_stderr() => {
                // It repeats what was typed, which may hold anything.
                tell!("{}", error.render().to_string().trim_end());
                return ExitCode::Usage.into();
            }
            Err(error) => {
                // Help: nothing in it comes from outside.
                let _ = error.print();
                return ExitCode::Completed.into();
            }
        }
    };
    match result {
        Ok(code) => code.into(),
        Err(error) => failed(&error),
    }
}

/// One thread for everything that waits; the store has its own.
fn on_runtime(work: impl Future<Output = Result<ExitCode, CliError>>) -> Result<ExitCode, CliError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| {
        CliError::new(ErrorKind::Runtime, format!("cannot start: {error}; nothing was done"))
    })?;
    let result = runtime.block_on(work);
    // A thread that still waits for a line of input must not keep the process.
    runtime.shutdown_background();
    result
}

/// The only place that reads the surroundings of the process.
fn environment() -> Result<Environment, CliError> {
    let text =
        |(name, value): (OsString, OsString)| Some((name.into_string().ok()?, value.into_string().ok()?));
    let vars: BTreeMap<String, String> = std::env::vars_os().filter_map(text).collect();
    let home = vars.get("HOME").filter(|home| !home.is_empty()).map(PathBuf::from);
    let cwd = std::env::current_dir().map_err(|error| {
        CliError::new(ErrorKind::Usage, format!("the current folder cannot be used: {error}"))
            .with_hint("change to a folder that exists")
    })?;
    Ok(Environment { vars, home, cwd })
}

fn failed(error: &CliError) -> process::ExitCode {
    tell!("{error}");
    error.code.into()
}
