//! `onward demo`: a real run on a small repository, with the scripted model instead of a provider; with `--crash` its
//! own worker is killed in the middle, and the next one goes on from the log.

mod crash;
mod crash_log;
mod repository;
mod script;
mod show;
mod stage;
mod worker;

use std::path::{Path, PathBuf};

use crate::args::{CrashPoint, DemoArgs};
use crate::config::Environment;
use crate::drive::{Manner, drive};
use crate::error::{CliError, ErrorKind};
use crate::exit::ExitCode;
use crate::render::{Palette, Progress, Screen, Words, say};
use stage::Stage;

pub(crate) use script::{PROVIDER, demo_model};

pub(crate) use worker::{is_worker, worker};

/// The task of the demo.
const TASK: &str = "The test fails. Find out why, fix it, and show that it passes.";

/// Runs the demo.
///
/// # Errors
/// When the folder cannot be made or the store cannot be used.
pub(crate) async fn run(environment: &Environment, args: &DemoArgs) -> Result<ExitCode, CliError> {
    let folder = folder(environment, args.keep.as_deref())?;
    let stage = Stage::build(&folder, args.crash)?;
    say!("a repository with a failing test: {}", stage.repository().display());
    let session = stage.begin(environment).await?;
    say!("task: {TASK}\n");
    let code = match args.crash {
        None => {
            let app = stage.app(environment)?;
            let ports = app.ports_for(PROVIDER, &stage.workspace()?)?;
            let (_, stand) = drive(&app, ports, session, stage_screen(), Manner::PATIENT).await;
            let code = stand?.code;
            app.store.close();
            code
        }
        Some(point) => worker::crash_and_recover(&stage, session, point)?,
    };
    show::proof(&stage, environment, session).await?;
    Ok(code)
}

/// The folder that was named, which must be new or empty; or a new temporary one.
fn folder(environment: &Environment, keep: Option<&Path>) -> Result<PathBuf, CliError> {
    let failed = |path: &Path, why: String| {
        CliError::new(
            ErrorKind::Usage,
            format!("the demo cannot be made in {}: {why}; nothing was changed", path.display()),
        )
    };
    if let Some(keep) = keep {
        let path = environment.cwd.join(keep);
        std::fs::create_dir_all(&path).map_err(|error| failed(&path, error.to_string()))?;
        let mut entries = std::fs::read_dir(&path).map_err(|error| failed(&path, error.to_string()))?;
        if entries.next().is_some() {
            return Err(
                failed(&path, "it is not empty".into()).with_hint("name a folder that is new or empty")
            );
        }
        return Ok(path);
    }
    let base = environment.var("TMPDIR").map_or_else(|| PathBuf::from("/tmp"), PathBuf::from);
    for _ in 0..16 {
        let name = format!("onward-demo-{:08x}", uuid::Uuid::now_v7().as_u128() as u32);
        let path = base.join(name);
        match std::fs::create_dir(&path) {
            Ok(()) => return Ok(path),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(failed(&path, error.to_string())),
        }
    }
    Err(failed(&base, "no free name was found".into()))
}

/// A demonstration is data as a whole, and shows the words of the model too.
fn stage_screen() -> Screen {
    Screen::Conversation(Progress::new(
        crate::render::out::stdout(),
        Palette { colour: false },
        Words::AmongProgress,
    ))
}

/// The crash that a worker is told to have.
pub(super) fn crash_name(point: CrashPoint) -> &'static str {
    match point {
        CrashPoint::Edit => "edit",
        CrashPoint::Shell => "shell",
    }
}
