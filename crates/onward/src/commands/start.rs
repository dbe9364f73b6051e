//! What every command starts with: the folder, the configuration, the store; and what those that work on a session
//! have in common.

use std::io::IsTerminal as _;
use std::path::PathBuf;
use std::sync::Arc;

use onward_event::{Mode, Seq, SessionId, Workspace};
use onward_policy::LayeredPolicy;
use onward_port::{OwnerState, SessionSummary};
use onward_runtime::Ports;
use onward_sqlite::SqliteStore;
use onward_wire::Session;
use onward_wire::terminal::exact;

use super::links;
use crate::args::{OutputArgs, PlaceArgs, SettingArgs};
use crate::compose::{App, find_workspace, missing_database, no_session, rules_for, store_error};
use crate::config::{Config, Environment, load, load_understood};
use crate::drive::{Manner, Unanswered, Work, drive};
use crate::error::{CliError, ErrorKind};
use crate::exit::ExitCode;
use crate::policy::{PolicyFiles, check_project};
use crate::render::{JsonStream, Line, Palette, Progress, Screen, Style, Words, mode_words, tell};
use crate::report::{report, report_failure};
use crate::trust::{ProjectFiles, TrustRecord};

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
    /// When the folder is not there, the configuration is wrong, or the store cannot be opened or has lost its end.
    pub(crate) fn app(&self, settings: &SettingArgs) -> Result<App, CliError> {
        let app = App::open(self.config(settings)?, self.environment.clone())?;
        app.store.whole().map_err(store_error)?;
        Ok(app)
    }

    /// As [`Start::app`], for a command that stops something: what is wrong with the configuration is said, and does not
    /// keep anybody from that. Work is refused by [`App::ports_for`] then.
    ///
    /// # Errors
    /// When the folder is not there, there never was a session, or the store cannot be opened or has lost its end.
    pub(crate) fn app_to_stop(&self) -> Result<App, CliError> {
        let workspace = self.workspace()?;
        let app = self.understood()?.ok_or_else(|| no_session(&workspace))?;
        app.store.whole().map_err(store_error)?;
        Ok(app)
    }

    /// Where the sessions are.
    ///
    /// # Errors
    /// When the folder is not there, or the configuration is wrong.
    pub(crate) fn data_dir(&self) -> Result<PathBuf, CliError> {
        self.own_config(&SettingArgs::default())?.data_dir().cloned()
    }

    /// As [`Start::app`], to look at sessions: it says so when not everything is there to be seen, or something is wrong
    /// with the configuration. None when there never was a session; no folder is made for a look.
    ///
    /// # Errors
    /// As [`Start::app`], but for the configuration; also when the database is gone and something of it is left.
    pub(crate) fn view(&self) -> Result<Option<App>, CliError> {
        let app = self.understood()?;
        if let Some(app) = &app {
            warn_of_cut(&app.store);
        }
        Ok(app)
    }

    /// The store that is there, with as much of the configuration as is understood.
    fn understood(&self) -> Result<Option<App>, CliError> {
        let (config, fault) = self.config_to_look()?;
        let folder = config.data_dir()?;
        if !SqliteStore::is_at(folder) {
            return missing_database(folder).map_or(Ok(None), Err);
        }
        let app = App::open(config, self.environment.clone())?;
        Ok(Some(App { fault, ..app }))
    }

    /// As much of the configuration as is understood; what is wrong with it is said. What a project sets decides about
    /// work, and is no business of a look.
    fn config_to_look(&self) -> Result<(Config, Option<CliError>), CliError> {
        self.workspace()?;
        let overrides = SettingArgs::default().overrides(&self.place);
        let (config, fault) = load_understood(&self.environment, &overrides)?;
        if let Some(fault) = &fault {
            let told = fault.to_string();
            tell!("warning: {}", told.strip_prefix("error: ").unwrap_or(&told));
            let folder = config.data_dir()?.display().to_string();
            tell!(
                "note: nothing works until this is right; the sessions in {} can be looked at, and stopped",
                exact(&folder)
            );
        }
        Ok((config, fault))
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
    /// When the folder is not there, or there is no store.
    pub(crate) fn look(&self) -> Result<SqliteStore, CliError> {
        let folder = self.config_to_look()?.0.data_dir()?.clone();
        if !SqliteStore::is_at(&folder) {
            let workspace = self.workspace()?;
            return Err(missing_database(&folder).unwrap_or_else(|| no_session(&workspace)));
        }
        let store = SqliteStore::open_read_only(&folder).map_err(store_error)?;
        warn_of_cut(&store);
        Ok(store)
    }

    /// The configuration in force: with the project's file, if the person trusts it.
    ///
    /// # Errors
    /// When the folder is not there, or the configuration is wrong.
    pub(crate) fn config(&self, settings: &SettingArgs) -> Result<Config, CliError> {
        let own = self.own_config(settings)?;
        let root = self.workspace()?.root;
        let Some(files) = ProjectFiles::read(root.as_ref())? else { return Ok(own) };
        let record = own.data_dir().and_then(|data| TrustRecord::read(data))?;
        if record.trusts(&root, &files) {
            let overrides = settings.overrides(&self.place);
            return load(&self.environment, root.as_ref(), &overrides, files.config());
        }
        let why = if record.knows(&root) { "changed since they were trusted" } else { "not trusted" };
        tell!("note: without effect, because {why}: {}; `onward trust` shows what they say", files.names());
        Ok(own)
    }

    /// Whether these files could take effect: what cannot is not to be trusted, because nothing could be started then.
    ///
    /// # Errors
    /// What is wrong with them.
    pub(crate) fn could_trust(&self, files: &ProjectFiles) -> Result<(), CliError> {
        let overrides = SettingArgs::default().overrides(&self.place);
        load(&self.environment, self.workspace()?.root.as_ref(), &overrides, files.config())?;
        match files.policy() {
            Some((path, text)) => check_project(&path.display().to_string(), text),
            None => Ok(()),
        }
    }

    /// The configuration without anything that the project says.
    ///
    /// # Errors
    /// When the folder is not there, or the configuration is wrong.
    pub(crate) fn own_config(&self, settings: &SettingArgs) -> Result<Config, CliError> {
        let overrides = settings.overrides(&self.place);
        load(&self.environment, self.workspace()?.root.as_ref(), &overrides, None)
    }

    /// The rules in force here.
    ///
    /// # Errors
    /// When the folder is not there, or a file of rules is wrong.
    pub(crate) fn rules(&self, config: &Config) -> Result<Arc<LayeredPolicy>, CliError> {
        let files = PolicyFiles::of(&self.environment);
        Ok(rules_for(&files, config.data_dir()?, &self.workspace()?, &[])?.rules())
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
            return Screen::Json(JsonStream::new(crate::render::out::stdout()));
        }
        let palette = self.palette(std::io::stderr().is_terminal());
        // Whoever looks at the answer reads it as it comes; whoever takes it as data gets it whole.
        let words = match std::io::stdout().is_terminal() {
            true => Words::Apart(Box::new(crate::render::out::stdout())),
            false => Words::Kept,
        };
        Screen::Quiet(Progress::new(crate::render::out::stderr(), palette, words))
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
        let error = CliError { message: format!("{}; nothing was recorded", error.message), ..error };
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
        let ports = app.ports_for(&summary.spec.model.provider, &summary.workspace);
        self.work_with(app, ports, summary, output, Manner { since, ..manner(output) }).await
    }

    /// Cancels what is open in a session, and lets nothing begin. Wrong rules do not hinder that.
    ///
    /// # Errors
    /// As [`Start::work`], but for the rules.
    pub(crate) async fn wind_up(&self, app: &App, summary: &SessionSummary) -> Result<ExitCode, CliError> {
        let ports = app.ports_to_stop(&summary.spec.model.provider, &summary.workspace);
        let output = OutputArgs::default();
        let manner = Manner { since: summary.head.seq, work: Work::WindUp, ..manner(output) };
        self.work_with(app, ports, summary, output, manner).await
    }

    async fn work_with(
        &self,
        app: &App,
        ports: Result<Ports, CliError>,
        summary: &SessionSummary,
        output: OutputArgs,
        manner: Manner,
    ) -> Result<ExitCode, CliError> {
        let mut screen = self.screen(output);
        introduce(&mut screen, summary);
        let ports = match ports {
            Ok(ports) => ports,
            Err(error) => return failed(screen, summary.session, error),
        };
        let links = links::beside(&summary.workspace.root);
        let (screen, stand) = drive(app, ports, summary.session, screen, manner).await;
        links.recv_timeout(links::LATE).iter().for_each(|line| tell!("note: {line}"));
        match stand {
            Ok(stand) => Ok(report(screen, &stand, &app.program)),
            Err(error) => failed(screen, summary.session, error),
        }
    }
}

fn manner(output: OutputArgs) -> Manner {
    let unanswered = if output.deny_unanswered { Unanswered::Deny } else { Unanswered::Wait };
    Manner { unanswered, jobs: output.jobs, ..Manner::PATIENT }
}

fn warn_of_cut(store: &SqliteStore) {
    if store.whole().is_err() {
        tell!("warning: the end of the store is missing, and this is what is left; `onward check` says more");
    }
}

/// The first line of the stream; for people, that nothing will be asked about.
pub(crate) fn introduce(screen: &mut Screen, summary: &SessionSummary) {
    let (spec, dir) = (&summary.spec, summary.workspace.dir.as_str());
    match screen {
        Screen::Json(stream) => {
            let version = env!("CARGO_PKG_VERSION");
            stream.session(Session::new(version, summary.session, dir, &spec.model, spec.mode));
        }
        Screen::Quiet(progress) | Screen::Conversation(progress) => {
            if spec.mode == Mode::Bypass {
                progress.line(&Line::new(Style::Bad, format!("mode {}", mode_words(spec.mode))));
            }
        }
    }
}

/// Whether a living process works on the session.
pub(crate) fn is_held(summary: &SessionSummary) -> bool {
    matches!(summary.owner, OwnerState::Held { .. })
}

/// Whether this process could work on the session.
///
/// # Errors
/// Why it could not.
pub(crate) fn could_work(app: &App, summary: &SessionSummary) -> Result<(), CliError> {
    app.ports_for(&summary.spec.model.provider, &summary.workspace)?;
    (app.ports.tools)(&summary.workspace).map(drop).map_err(|why| {
        CliError::new(ErrorKind::Runtime, format!("the workspace cannot be used: {why}"))
            .with_hint("--no-run records it all the same")
    })
}

fn failed(screen: Screen, session: SessionId, error: CliError) -> Result<ExitCode, CliError> {
    report_failure(screen, Some(session), &error);
    Err(CliError { is_in_stream: true, ..error })
}
