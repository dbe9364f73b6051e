//! What every command starts with: the folder, the configuration, the store; and what those that work on a session
//! have in common.

use std::io::IsTerminal as _;
use std::path::PathBuf;

use onward_event::{SessionId, Workspace};
use onward_port::{OwnerState, SessionSummary};
use onward_wire::Session;

use crate::args::{OutputArgs, PlaceArgs, SettingArgs};
use crate::compose::{App, find_workspace};
use crate::config::{Environment, load};
use crate::drive::{Manner, Unanswered, drive};
use crate::error::CliError;
use crate::exit::ExitCode;
use crate::render::{JsonStream, Palette, Progress, Screen};
use crate::report::{report, report_failure};

/// The surroundings of a command.
pub(crate) struct Start {
    pub(crate) environment: Environment,
    pub(crate) place: PlaceArgs,
}

impl Start {
    /// The folder to work in.
    pub(crate) fn dir(&self) -> PathBuf {
        match &self.place.dir {
            Some(dir) => self.environment.cwd.join(dir),
            None => self.environment.cwd.clone(),
        }
    }

    /// Where the work happens.
    ///
    /// # Errors
    /// When the folder is not there.
    pub(crate) fn workspace(&self) -> Result<Workspace, CliError> {
        find_workspace(&self.dir())
    }

    /// Reads the configuration and opens the store.
    ///
    /// # Errors
    /// When the folder is not there, the configuration is wrong, or the store cannot be opened.
    pub(crate) fn app(&self, settings: &SettingArgs) -> Result<App, CliError> {
        let workspace = self.workspace()?;
        let overrides = settings.overrides(&self.place);
        let config = load(&self.environment, workspace.root.as_ref(), &overrides)?;
        App::open(config, self.environment.clone())
    }

    /// Whether standard error takes colours.
    pub(crate) fn palette(&self, terminal: bool) -> Palette {
        Palette { colour: terminal && self.environment.var("NO_COLOR").is_none() && !self.is_dumb() }
    }

    fn is_dumb(&self) -> bool {
        self.environment.var("TERM") == Some("dumb")
    }

    /// The screen of a command that works without a conversation.
    pub(crate) fn screen(&self, output: OutputArgs) -> Screen {
        if output.json {
            return Screen::Json(JsonStream::new(std::io::stdout()));
        }
        let palette = self.palette(std::io::stderr().is_terminal());
        Screen::Quiet(Progress::new(std::io::stderr(), palette, false))
    }

    /// Works on a session until it is quiet, and says how it stands.
    ///
    /// # Errors
    /// When it is owned elsewhere, or the log or the model cannot be set up.
    pub(crate) async fn work(
        &self,
        app: &App,
        summary: &SessionSummary,
        output: OutputArgs,
    ) -> Result<ExitCode, CliError> {
        let mut screen = self.screen(output);
        introduce(&mut screen, summary);
        let ports = match app.ports_for(&summary.spec.model.provider) {
            Ok(ports) => ports,
            Err(error) => return failed(screen, summary.session, error),
        };
        let unanswered = if output.deny_unanswered { Unanswered::Deny } else { Unanswered::Wait };
        let manner = Manner { unanswered, jobs: output.jobs };
        let (screen, stand) = drive(app, ports, summary.session, screen, manner).await;
        match stand {
            Ok(stand) => Ok(report(screen, &stand)),
            Err(error) => failed(screen, summary.session, error),
        }
    }
}

/// The first line of the stream.
pub(crate) fn introduce(screen: &mut Screen, summary: &SessionSummary) {
    if let Screen::Json(stream) = screen {
        let version = env!("CARGO_PKG_VERSION");
        let (spec, dir) = (&summary.spec, summary.workspace.dir.as_str());
        stream.session(Session::new(version, summary.session, dir, &spec.model, spec.mode));
    }
}

/// Whether a living process works on the session.
pub(crate) fn is_held(summary: &SessionSummary) -> bool {
    matches!(summary.owner, OwnerState::Held { .. })
}

fn failed(screen: Screen, session: SessionId, error: CliError) -> Result<ExitCode, CliError> {
    report_failure(screen, Some(session), &error);
    Err(error)
}
