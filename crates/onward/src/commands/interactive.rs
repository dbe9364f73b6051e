//! `onward` alone: a conversation, line by line.
//!
//! A line is a message; while work goes on it steers. Questions of policy are answered by number. Ctrl-C once
//! interrupts, twice leaves. Everything that is said is in the log before it is acted on, so leaving at any moment
//! loses nothing.

mod jobs;
mod lines;
mod obey;
mod opening;
mod question;
mod said;
mod settle;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io::IsTerminal as _;

use onward_core::{Session, Wait};
use onward_event::{ApprovalId, CallId, MessageId, Part, SessionId, Target};
use onward_runtime::{Awaited, GivenBack, Live, Owner, Quiet};

use super::settings::change_settings;
use super::start::Start;
use crate::args::InteractiveArgs;
use crate::attend::{Attended, Left as Departed, PAUSE_LIMIT, attended, leave, owner_error};
use crate::compose::{App, store_error};
use crate::drive::{acquire, shown};
use crate::error::CliError;
use crate::exit::ExitCode;
use crate::jobs_at_end::{ask_for_ends, set_rule, waits_for_jobs};
use crate::outlives::{Outlives, found};
use crate::render::{Progress, Screen, Words, prompt, say};
use crate::signals::{Asked, Signals};
use lines::Lines;
use obey::{Left, obey};
use opening::{begin, choose, introduce, offer_trust};
use said::Said;

const HELP: &str = "\
a line is a message; while work goes on it is handed over at the next step. What is pasted is one message
  /mode NAME   read-only, plan, normal, accept-edits, auto
  /background  let the command that runs go on as a job, and the model without it
  /jobs        list the jobs; you are told of the end of each
  /quit        leave, after the work that goes on and as --jobs says; the session is kept (so does Ctrl-D)
  Ctrl-C       interrupt; twice, or at the prompt: leave";

pub(super) async fn run(start: Start, args: InteractiveArgs) -> Result<ExitCode, CliError> {
    let mut lines = Lines::new();
    offer_trust(&start, &args.settings, &mut lines).await?;
    let app = start.app(&args.settings)?;
    let session = match choose(&start, &app, &args, &mut lines).await? {
        Some(summary) => {
            change_settings(&app, &summary, &args.settings).await?;
            introduce(&summary.session.to_string(), &summary.spec, &app, &summary.workspace.root);
            summary.session
        }
        // A session begins with its first message, not with somebody who looks in.
        None => match begin(&start, &app, &args, &mut lines).await? {
            Some(session) => session,
            None => return Ok(ExitCode::Completed),
        },
    };
    // Until here there is nothing to end in order: a signal does what it does to every program.
    let signals = Signals::listen()?;
    let summary = app.find(Some(session.into()), &start.dir()).await?;
    let live = Live::new();
    let ports = app.ports_for(&summary.spec.model.provider, &summary.workspace)?;
    let owner = acquire(ports, app.runtime(), session, live.clone()).await?;
    set_rule(&app, &owner, args.jobs).await?;
    let palette = start.palette(std::io::stdout().is_terminal());
    let mut screen =
        Screen::Conversation(Progress::new(crate::render::out::stdout(), palette, Words::AmongProgress));
    screen.take_up(owner.session());
    for notice in found(&app, owner.session()).await {
        screen.notice(&notice);
    }
    let unseen = owner.session().open_approvals().map(|open| open.request.approval).collect();
    let (screen, left_open) = (Some(screen), BTreeSet::new());
    let leaving = false;
    let conversation =
        Conversation { app, session, owner, live, lines, signals, screen, unseen, left_open, leaving };
    conversation.run().await
}

/// Whether something is open that somebody must find out about.
fn has_unknown(session: &Session) -> bool {
    session.waiting_on().iter().any(|wait| matches!(wait, Wait::Settlement(_)))
}

/// The person has left at rest: how it goes on.
fn kept(app: &App, left: &Session) -> ExitCode {
    say!("the session is kept: `onward resume {0}` or `onward --session {0}`", left.id());
    jobs::say_left(app, left);
    if has_unknown(left) { ExitCode::OutcomeUnknown } else { ExitCode::Completed }
}

/// A conversation that is going on.
struct Conversation {
    app: App,
    session: SessionId,
    owner: Owner,
    live: Live,
    lines: Lines,
    signals: Signals,
    /// Lent to the task that shows what happens.
    screen: Option<Screen>,
    /// Questions of an earlier process, which this screen has not shown.
    unseen: BTreeSet<ApprovalId>,
    /// Calls of unknown outcome that the person does not want to be asked about again.
    left_open: BTreeSet<CallId>,
    /// The person has left, and the session's rule has its jobs waited for.
    leaving: bool,
}

/// What to do after a line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum After {
    GoOn,
    /// The person leaves, once nothing is left that somebody said.
    Leave,
    /// The process is told to end: nothing begins any more, and what was said waits for whoever comes next.
    End,
}

impl After {
    /// What a signal asks for where nothing is worked on.
    fn of(asked: Asked) -> Self {
        match asked {
            Asked::Interrupt => Self::Leave,
            Asked::End | Asked::HangUp => Self::End,
        }
    }
}

impl Conversation {
    async fn run(mut self) -> Result<ExitCode, CliError> {
        loop {
            match self.work().await? {
                Attended::Quiet(Quiet::Stopped) => return self.left_in_the_middle().await,
                Attended::AtOnce => return Ok(said_at_once(&self.app, self.session)),
                Attended::Quiet(Quiet::Idle | Quiet::Waiting(_)) => {}
            }
            self.say_held();
            let asked = self.owner.session().open_approvals().next().map(|open| open.request.clone());
            let after = match (asked, self.next_unknown()) {
                (Some(request), _) => self.ask(&request).await?,
                (None, Some(unknown)) => self.settle(&unknown).await?,
                (None, None) => self.listen().await?,
            };
            match after {
                After::GoOn => {}
                After::Leave if waits_for_jobs(self.owner.session()) => self.wait_for_jobs(),
                After::End => {
                    ask_for_ends(&self.app, &self.owner).await?;
                    return Ok(match leave(self.owner, &mut self.signals).await? {
                        Departed::InOrder(left) => kept(&self.app, &left),
                        Departed::AtOnce => said_at_once(&self.app, self.session),
                    });
                }
                After::Leave => {
                    ask_for_ends(&self.app, &self.owner).await?;
                    self.owner.await_cancelled_jobs(PAUSE_LIMIT).await.map_err(owner_error)?;
                    let left = self.owner.session().clone();
                    if let GivenBack::GoOn(owner) = self.owner.release().await.map_err(owner_error)? {
                        self.owner = *owner;
                        continue;
                    }
                    return Ok(kept(&self.app, &left));
                }
            }
        }
    }

    /// Told to end while something is under way: it ends in order, and what goes on is named.
    async fn left_in_the_middle(mut self) -> Result<ExitCode, CliError> {
        self.keep_typed(Target::NextStep).await;
        ask_for_ends(&self.app, &self.owner).await?;
        let (program, session) = (&self.app.program, self.session);
        let left = match leave(self.owner, &mut self.signals).await? {
            Departed::InOrder(left) => left,
            Departed::AtOnce => return Ok(said_at_once(&self.app, session)),
        };
        say!("left in the middle; `{program} resume {session}` goes on");
        for line in Outlives::of(&left).lines(session, program) {
            say!("{}", line.text);
        }
        jobs::say_left(&self.app, &left);
        Ok(ExitCode::Interrupted)
    }

    /// The person has left; what the session still waits for is worked on without them.
    fn wait_for_jobs(&mut self) {
        jobs::say_waited_for(&self.app, self.owner.session());
        self.leaving = true;
        self.lines.end();
    }

    /// Works until quiet; lines steer, Ctrl-C interrupts.
    async fn work(&mut self) -> Result<Attended, CliError> {
        let Some(screen) = self.screen.take() else { return Ok(Attended::Quiet(Quiet::Stopped)) };
        let seen = self.owner.session().head();
        let (app, owner, lines, signals) = (&self.app, &mut self.owner, &mut self.lines, &mut self.signals);
        let session = self.session;
        // A line that was taken is said, even if the work ends while it is on its way: under the same id, it is said
        // once.
        let taken: RefCell<Option<Taken>> = RefCell::new(None);
        let steer = async {
            loop {
                let Some(line) = lines.next_if_open().await else { continue };
                let now = Taken { id: app.client.new_message_id(), said: Said::of(&line) };
                taken.replace(Some(now.clone()));
                if let After::Leave = now.steer(app, session).await? {
                    lines.end();
                }
                taken.take();
            }
        };
        let awaited = if self.leaving { Awaited::AsRuled } else { Awaited::None };
        let work = attended(app, owner, session, signals, awaited, steer);
        let (screen, quiet) = shown(&app.ports.log, session, seen, &self.live, screen, work).await;
        self.screen = Some(screen);
        if let Some(taken) = taken.take()
            && let After::Leave = taken.steer(&self.app, session).await?
        {
            self.lines.end();
        }
        quiet
    }

    /// Waits for a message, or for somebody else's.
    async fn listen(&mut self) -> Result<After, CliError> {
        prompt!("\n> ");
        tokio::select! {
            line = self.lines.next() => match line {
                // The last line may have been said just when the work before it had ended.
                None if self.has_news().await? => Ok(After::GoOn),
                None => Ok(After::Leave),
                Some(line) => self.said(line.trim()).await,
            },
            () = self.owner.wait_for_news() => Ok(After::GoOn),
            asked = self.signals.next() => match self.keep_typed(Target::NextTurn).await {
                true => Ok(After::End),
                false => Ok(After::of(asked)),
            },
        }
    }

    /// A message that was typed just before the end is a message: whoever works on the session next has it. Whether there
    /// was one.
    async fn keep_typed(&mut self, target: Target) -> bool {
        let Some(line) = self.lines.rest() else { return false };
        let Said::Message(text) = Said::of(&line) else { return false };
        let content = vec![Part::Text(text)];
        if let Err(error) = self.app.client.send(self.session, content, target, true).await {
            say!("what was typed last was not kept: {error}");
        }
        true
    }

    /// Whether the log holds something that was not worked on.
    async fn has_news(&self) -> Result<bool, CliError> {
        let head = self.app.ports.log.head(self.session).await.map_err(store_error)?;
        Ok(head.seq > self.owner.session().head())
    }

    async fn said(&mut self, line: &str) -> Result<After, CliError> {
        match obey(&self.app, self.session, Said::of(line)).await? {
            Left::Nothing => {}
            Left::Leave => return Ok(After::Leave),
            Left::Message(text) => {
                let content = vec![Part::Text(text)];
                let sent = self.app.client.send(self.session, content, Target::NextTurn, true);
                sent.await.map_err(store_error)?;
            }
        }
        Ok(After::GoOn)
    }
}

/// There was no time for an orderly end.
fn said_at_once(app: &App, session: SessionId) -> ExitCode {
    say!(
        "left at once; `{} resume {session}` finds out what became of what was under way, and goes on",
        app.program
    );
    ExitCode::Interrupted
}

/// A line that was typed while work goes on.
#[derive(Clone)]
struct Taken {
    /// As what it is said, if it is for the model.
    id: MessageId,
    said: Said,
}

impl Taken {
    /// Does what it says; words are handed over with the next step. Whoever leaves does so when the work has ended.
    async fn steer(self, app: &App, session: SessionId) -> Result<After, CliError> {
        match obey(app, session, self.said).await? {
            Left::Nothing => Ok(After::GoOn),
            Left::Message(text) => {
                let content = vec![Part::Text(text)];
                let sent = app.client.send_as(session, self.id, content, Target::NextStep, true);
                sent.await.map_err(store_error)?;
                Ok(After::GoOn)
            }
            Left::Leave => {
                say!("leaving when this is done; Ctrl-C twice leaves at once");
                Ok(After::Leave)
            }
        }
    }
}
