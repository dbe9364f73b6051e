//! The commands, one file each. Each gives the exit code of the process.

mod accept_loss;
mod answerable;
mod approve;
mod background;
mod check;
mod config;
mod doctor;
mod exec;
mod first;
mod interactive;
mod interrupt;
mod jobs;
mod links;
mod log;
mod policy;
mod reconcile;
mod recover;
mod request;
mod resume;
mod sandbox;
mod send;
mod sessions;
mod settings;
mod show;
mod standing;
mod start;
mod task;
mod trust;

use crate::args::{Command, Invocation};
use crate::config::Environment;
use crate::demo;
use crate::error::CliError;
use crate::exit::ExitCode;
use crate::render::{JsonStream, Screen};
use crate::report::report_failure;
use start::Start;

/// Carries a command out.
///
/// # Errors
/// When it failed as a command; work that ended badly is an exit code.
pub(crate) async fn run(invocation: Invocation, environment: Environment) -> Result<ExitCode, CliError> {
    let Invocation { place, command } = invocation;
    let start = Start { environment, place };
    let streams = command.streams();
    let done = carry_out(start, command).await;
    if let (Err(error), true) = (&done, streams)
        && !error.is_in_stream
    {
        // There is no session to name yet.
        report_failure(Screen::Json(JsonStream::new(crate::render::out::stdout())), None, error);
    }
    done
}

async fn carry_out(start: Start, command: Command) -> Result<ExitCode, CliError> {
    match command {
        Command::Interactive(args) => interactive::run(start, args).await,
        Command::Exec(args) => exec::run(start, args).await,
        Command::Resume(args) => resume::run(start, args).await,
        Command::Send(args) => send::run(start, args).await,
        Command::Interrupt(args) => interrupt::run(start, args).await,
        Command::Jobs(args) => jobs::run(start, args).await,
        Command::Background(args) => background::run(start, args).await,
        Command::Approve(args) => approve::approve(start, args).await,
        Command::Reject(args) => approve::reject(start, args).await,
        Command::Reconcile(args) => reconcile::run(start, args).await,
        Command::Recover(args) if args.accept_loss => accept_loss::run(&start, &args).await,
        Command::Recover(args) => recover::run(start, args).await,
        Command::Sessions(args) => sessions::run(start, args).await,
        Command::Show(args) => show::run(start, args).await,
        Command::Log(args) => log::run(start, args).await,
        Command::Check(args) => check::run(start, args).await,
        Command::Request(args) => request::run(start, args).await,
        Command::Config(args) => config::run(&start, args),
        Command::Policy(args) => policy::run(&start, args).await,
        Command::Trust(args) => trust::run(&start, args),
        Command::Sandbox(args) => sandbox::run(&start, args),
        Command::Doctor(args) => doctor::run(&start, &args),
        Command::Demo(args) => demo::run(&start.environment, &args).await,
    }
}
