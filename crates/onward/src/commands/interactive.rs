//! `onward` alone: a conversation, line by line.
//!
//! A line is a message; while work goes on it steers. Questions of policy are answered by number. Ctrl-C once
//! interrupts, twice leaves. Everything that is said is in the log before it is acted on, so leaving at any moment
//! loses nothing.

mod lines;
mod question;

use std::io::{IsTerminal as _, Write as _};

use onward_event::{Part, SessionId, SettingChange, Target};
use onward_port::{OwnerState, SessionSummary};
use onward_runtime::{Live, Owner};
use tokio::signal::ctrl_c;

use super::start::Start;
use crate::args::InteractiveArgs;
use crate::compose::{App, store_error};
use crate::config::mode_named;
use crate::drive::{acquire, owner_error, shown};
use crate::error::CliError;
use crate::exit::ExitCode;
use crate::render::{Progress, Screen, settle_hint};
use lines::Lines;

const HELP: &str = "\
a line is a message; while work goes on it is handed over at the next step
  /mode NAME   read-only, plan, normal, accept-edits, auto
  /quit        leave; the session is kept (so does Ctrl-D)
  Ctrl-C       interrupt; twice: leave
shell commands are not contained by a sandbox yet: a command that runs can do what you can do";

pub(super) async fn run(start: Start, args: InteractiveArgs) -> Result<ExitCode, CliError> {
    let app = start.app(&args.settings)?;
    let mut lines = Lines::new();
    let session = match choose(&start, &app, &args, &mut lines).await? {
        Some(session) => session,
        None => app.client.create(app.spec()?, start.workspace()?).await.map_err(store_error)?,
    };
    let summary = app.find(Some(session), &start.dir()).await?;
    let live = Live::new();
    let ports = app.ports_for(&summary.spec.model.provider)?;
    let owner = acquire(ports, app.runtime(), session, live.clone()).await?;
    println!(
        "onward · {session} · {}/{} · mode {}",
        summary.spec.model.provider,
        summary.spec.model.model,
        summary.spec.mode.name()
    );
    println!("{HELP}");
    let palette = start.palette(std::io::stdout().is_terminal());
    let screen = Screen::Conversation(Progress::new(std::io::stdout(), palette, true));
    Conversation { app, session, owner, live, lines, screen: Some(screen) }.run().await
}

/// The session to go on with: the named one, or the interrupted one of this folder if the person wants it.
async fn choose(
    start: &Start,
    app: &App,
    args: &InteractiveArgs,
    lines: &mut Lines,
) -> Result<Option<SessionId>, CliError> {
    if args.session.is_some() {
        return Ok(Some(app.find(args.session, &start.dir()).await?.session));
    }
    let Ok(latest) = app.find(None, &start.dir()).await else { return Ok(None) };
    if !is_interrupted(&latest) {
        return Ok(None);
    }
    print!("{} was interrupted here. Go on with it? [Y/n] ", latest.session);
    flush();
    let answer = lines.next().await;
    let no = answer.is_some_and(|line| line.trim().eq_ignore_ascii_case("n"));
    Ok((!no).then_some(latest.session))
}

fn is_interrupted(summary: &SessionSummary) -> bool {
    matches!(summary.owner, OwnerState::Orphaned { .. })
}

/// A conversation that is going on.
struct Conversation {
    app: App,
    session: SessionId,
    owner: Owner,
    live: Live,
    lines: Lines,
    /// Lent to the task that shows what happens.
    screen: Option<Screen>,
}

/// What to do after a line.
enum After {
    GoOn,
    Leave,
}

impl Conversation {
    async fn run(mut self) -> Result<ExitCode, CliError> {
        loop {
            if let After::Leave = self.work().await? {
                println!("left in the middle; `onward resume {}` goes on", self.session);
                return Ok(ExitCode::Interrupted);
            }
            let asked = self.owner.session().open_approvals().next().map(|open| open.request.clone());
            let after = match asked {
                Some(request) => self.ask(&request).await?,
                None => self.listen().await?,
            };
            if let After::Leave = after {
                self.owner.release().await.map_err(owner_error)?;
                println!("the session is kept: `onward resume {0}` or `onward --session {0}`", self.session);
                return Ok(ExitCode::Completed);
            }
        }
    }

    /// Works until quiet; lines steer, Ctrl-C interrupts.
    async fn work(&mut self) -> Result<After, CliError> {
        let Some(screen) = self.screen.take() else { return Ok(After::Leave) };
        let seen = self.owner.session().head();
        let (app, owner, lines) = (&self.app, &mut self.owner, &mut self.lines);
        let session = self.session;
        let work = async {
            let mut interrupts = 0;
            loop {
                tokio::select! {
                    quiet = owner.drive() => {
                        quiet.map_err(owner_error)?;
                        return Ok(After::GoOn);
                    }
                    _ = ctrl_c() => {
                        interrupts += 1;
                        if interrupts > 1 {
                            return Ok(After::Leave);
                        }
                        app.client.interrupt(session).await.map_err(store_error)?;
                    }
                    line = lines.next_if_open() => {
                        if let Some(text) = line.filter(|line| !line.trim().is_empty()) {
                            let steer = app.client.send(session, vec![Part::Text(text)], Target::NextStep, true);
                            steer.await.map_err(store_error)?;
                        }
                    }
                }
            }
        };
        let (screen, after) = shown(&app.ports.log, session, seen, &self.live, screen, work).await;
        self.screen = Some(screen);
        after
    }

    /// Waits for a message, or for somebody else's.
    async fn listen(&mut self) -> Result<After, CliError> {
        for unknown in self.owner.session().unknown_calls() {
            println!("{}", settle_hint(&unknown.call.to_string()));
        }
        print!("\n> ");
        flush();
        tokio::select! {
            line = self.lines.next() => match line {
                None => Ok(After::Leave),
                Some(line) => self.said(line.trim()).await,
            },
            () = self.owner.wait_for_news() => Ok(After::GoOn),
            _ = ctrl_c() => Ok(After::Leave),
        }
    }

    async fn said(&mut self, line: &str) -> Result<After, CliError> {
        match line.split_once(' ').unwrap_or((line, "")) {
            ("", _) => {}
            ("/quit" | "/exit", _) => return Ok(After::Leave),
            ("/help", _) => println!("{HELP}"),
            ("/mode", name) => match mode_named(name.trim()) {
                Some(mode) => {
                    let change = SettingChange::Mode(mode);
                    self.app.client.configure(self.session, change).await.map_err(store_error)?;
                    println!("mode {}", mode.name());
                }
                None => println!(
                    "there is no mode `{}`: read-only, plan, normal, accept-edits, auto",
                    name.trim()
                ),
            },
            (command, _) if command.starts_with('/') => {
                println!("there is no command `{command}`; /help lists them")
            }
            _ => {
                let content = vec![Part::Text(line.to_owned())];
                let sent = self.app.client.send(self.session, content, Target::NextTurn, true);
                sent.await.map_err(store_error)?;
            }
        }
        Ok(After::GoOn)
    }
}

fn flush() {
    // A terminal that is gone ends the lines too.
    let _ = std::io::stdout().flush();
}
