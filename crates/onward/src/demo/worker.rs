//! The demo's worker: a process of its own, which can be killed.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Arc;

use onward_event::SessionId;

use super::crash::Kill;
use super::crash_log::ArmedLog;
use super::stage::Stage;
use super::{PROVIDER, crash_name, stage_screen};
use crate::args::CrashPoint;
use crate::config::Environment;
use crate::drive::{Manner, drive};
use crate::error::{CliError, ErrorKind};
use crate::exit::ExitCode;
use crate::render::say;
use crate::report::report;

/// The words that make this program a worker of its own demo, or the one who sets the stage; nobody types them.
const WORD: &str = "demo-worker";
const STAGE_WORD: &str = "demo-stage";

/// Whether the command line is that of a part of the demo.
pub(crate) fn is_worker(words: &[OsString]) -> bool {
    words.get(1).is_some_and(|word| word == WORD || word == STAGE_WORD)
}

/// Works on the demo's session: `demo-worker FOLDER SESSION KILL`; or sets the stage in a folder and prints the
/// session that waits there for a worker: `demo-stage FOLDER`.
///
/// # Errors
/// When the session is owned elsewhere or the store cannot be used.
pub(crate) async fn worker(words: &[OsString], environment: Environment) -> Result<ExitCode, CliError> {
    let wrong = || CliError::new(ErrorKind::Usage, "a demo's worker is started by the demo only");
    if let [_, word, folder] = words
        && word == STAGE_WORD
    {
        let session = Stage::build(Path::new(folder), None)?.begin(&environment).await?;
        say!("{session}");
        return Ok(ExitCode::Completed);
    }
    let [_, _, folder, session, kill] = words else { return Err(wrong()) };
    let session: SessionId = session.to_str().and_then(|text| text.parse().ok()).ok_or_else(wrong)?;
    let kill = kill.to_str().and_then(Kill::from_word).ok_or_else(wrong)?;
    let stage = Stage::at(Path::new(folder));
    let app = stage.app(&environment)?;
    let mut ports = app.ports_for(PROVIDER, &stage.workspace()?)?;
    let tools = ports.tools.clone();
    ports.tools = Arc::new(move |workspace| tools(workspace).map(|tools| kill.arm(&tools)));
    ports.log = Arc::new(ArmedLog::new(ports.log, kill));
    let (screen, stand) = drive(&app, ports, session, stage_screen(), Manner::PATIENT).await;
    let code = match &stand {
        Ok(stand) if stand.code == ExitCode::Completed => stand.code,
        Ok(stand) => report(screen, stand, &app.program),
        Err(_) => ExitCode::Error,
    };
    app.store.close();
    stand.map(|_| code)
}

/// The first worker is killed, the next one goes on.
pub(super) fn crash_and_recover(
    stage: &Stage,
    session: SessionId,
    point: CrashPoint,
) -> Result<ExitCode, CliError> {
    say!("── the first worker");
    let first = start(stage, session, crash_name(point))?;
    let what = match point {
        CrashPoint::Edit => "after the edit was applied and before its result was recorded",
        CrashPoint::Shell => "while the test ran",
    };
    if first.success() {
        return Err(CliError::new(
            ErrorKind::Runtime,
            "the first worker was to be killed, and ended by itself",
        ));
    }
    say!("── {first}: killed {what}\n── the next worker");
    let next = start(stage, session, "never")?;
    Ok(ExitCode::ALL
        .into_iter()
        .find(|code| Some(i32::from(code.number())) == next.code())
        .unwrap_or(ExitCode::Error))
}

fn start(stage: &Stage, session: SessionId, kill: &str) -> Result<ExitStatus, CliError> {
    let failed = |error: std::io::Error| {
        CliError::new(ErrorKind::Runtime, format!("a worker cannot be started: {error}"))
    };
    let program = std::env::current_exe().map_err(failed)?;
    let mut command = Command::new(program);
    command.arg(WORD).arg(stage.folder()).arg(session.to_string()).arg(kill).stdin(Stdio::null());
    command.status().map_err(failed)
}
