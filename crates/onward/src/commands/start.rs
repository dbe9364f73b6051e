//! What every command starts with: the folder, the configuration, the store; and what those that work on a session
//! have in common.

use std::io::IsTerminal as _;
use std::path::PathBuf;

use onward_event::{Seq, SessionId, Workspace};
use onward_port::{OwnerState, SessionSummary};
use onward_sqlite::SqliteStore;
use onward_wire::Session;

use crate::args::{OutputArgs, PlaceArgs, SettingArgs};
use crate::compose::{App, find_workspace, no_session, store_error};
use crate::config::{Environment, load};
use crate::drive::{Manner, Unanswered, drive};
use crate::error::{CliError, ErrorKind};
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

    /// As [`Start::app`], to look at sessions; none when there never was a session. No folder is made for a look.
    ///
    /// # Errors
    /// As [`Start::app`].
    pub(crate) fn view(&self) -> Result<Option<App>, CliError> {
        let overrides = SettingArgs::default().overrides(&self.place);
        let config = load(&self.environment, self.workspace()?.root.as_ref(), &overrides)?;
        match SqliteStore::is_at(config.data_dir()?) {
            true => App::open(config, self.environment.clone()).map(Some),
            false => Ok(None),
        }
    }

    /// As [`Start::view`], for a command that needs a session.
    ///
    /// # Errors
    /// As [`Start::view`]; also when there never was a session.
    pub(crate) fn look_at_sessions(&self) -> Result<App, CliError> {
        let workspace = self.workspace()?;
        self.view()?.ok_or_else(|| no_session(&workspace))
    }

    /// The store, to look at it only: nothing is made or written, wherever it lies and whoever works with it.
    ///
    /// # Errors
    /// When the folder is not there, the configuration is wrong, or there is no store.
    pub(crate) fn look(&self) -> Result<SqliteStore, CliError> {
        let overrides = SettingArgs::default().overrides(&self.place);
        let workspace = self.workspace()?;
        let config = load(&self.environment, workspace.root.as_ref(), &overrides)?;
        let folder = config.data_dir()?;
        if !SqliteStore::is_at(folder) {
            return Err(no_session(&workspace));
        }
        SqliteStore::open_read_only(folder).map_err(store_error)
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

    /// Whether this process could work on the session: to be asked before something is recorded that only work would
    /// answer. Nothing is recorded when it could not.
    ///
    /// # Errors
    /// Why it could not.
    pub(crate) fn could_work(
        &self,
        app: &App,
        summary: &SessionSummary,
        output: OutputArgs,
    ) -> Result<(), CliError> {
        let Err(error) = could_work(app, summary) else { return Ok(()) };
        let mut screen = self.screen(output);
        introduce(&mut screen, summary);
        failed(screen, summary.session, error).map(drop)
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
        self.work_since(app, summary, summary.head.seq, output).await
    }

    /// As [`Start::work`], with a stream that begins after this record.
    ///
    /// # Errors
    /// As [`Start::work`].
    pub(crate) async fn work_since(
        &self,
        app: &App,
        summary: &SessionSummary,
        since: Seq,
        output: OutputArgs,
    ) -> Result<ExitCode, CliError> {
        let mut screen = self.screen(output);
        introduce(&mut screen, summary);
        let ports = match app.ports_for(&summary.spec.model.provider) {
            Ok(ports) => ports,
            Err(error) => return failed(screen, summary.session, error),
        };
        let unanswered = if output.deny_unanswered { Unanswered::Deny } else { Unanswered::Wait };
        let manner = Manner { unanswered, jobs: output.jobs, since };
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

fn could_work(app: &App, summary: &SessionSummary) -> Result<(), CliError> {
    let ports = app.ports_for(&summary.spec.model.provider);
    ports
        .map_err(|error| CliError { message: format!("{}; nothing was recorded", error.message), ..error })?;
    (app.ports.tools)(&summary.workspace).map(drop).map_err(|why| {
        CliError::new(
            ErrorKind::Runtime,
            format!("the workspace cannot be used: {why}; nothing was recorded"),
        )
        .with_hint("--no-run records it all the same")
    })
}

fn failed(screen: Screen, session: SessionId, error: CliError) -> Result<ExitCode, CliError> {
    report_failure(screen, Some(session), &error);
    Err(CliError { is_in_stream: true, ..error })
}
