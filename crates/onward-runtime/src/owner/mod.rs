//! The owner: one task that drives one session.
//!
//! ```text
//!  commit(Advance) ─▶ start what is due ─▶ wait for an outcome or the doorbell ─▶ commit(outcome) ─▶ …
//! ```

mod append;
mod awaited;
mod coalesce;
mod commit;
mod end_jobs;
mod flight;
mod lost;
mod pause;
mod perform;
mod release;
mod snapshot;
mod stuck;
mod sweep;
mod wind_up;

pub(crate) use append::attempt_scope;
pub use awaited::Awaited;
pub use release::GivenBack;

use std::collections::BTreeSet;
use std::sync::Arc;

use onward_core::{Effect, Input, NewTurns, Session, Wait};
use onward_event::{AppendId, CallId, Epoch, Handle, JobId, JobState, MessageId, SessionId};
use onward_port::{LogError, ToolSet};

use crate::config::RuntimeConfig;
use crate::effects::Outcome;
use crate::jobs::Board;
use crate::live::Live;
use crate::open::{self, Opened};
use crate::ports::Ports;
use crate::records::load_records;
use crate::request::{EncodedPrefix, EncodedRequest};
use crate::snapshots::StoredSnapshot;
use flight::Flight;
use stuck::STUCK_LOOK;
use tokio_util::sync::CancellationToken;

/// Drives one session. Dropping it is a crash: whoever owns the session next goes on from the log.
pub struct Owner {
    id: SessionId,
    epoch: Epoch,
    session: Session,
    ports: Ports,
    config: RuntimeConfig,
    tools: ToolSet,
    flight: Flight,
    /// The encoded prefix of the next request; lent to the task that prepares one.
    prefix: Option<EncodedPrefix>,
    /// The request that the open step sends.
    request: Option<Arc<EncodedRequest>>,
    /// Calls whose executions can be forgotten once their answers are on disk.
    answered: Vec<CallId>,
    /// Those whose answers are.
    over: Vec<CallId>,
    /// What the store has of the fold.
    snapshot: StoredSnapshot,
    live: Live,
    stop: CancellationToken,
    new_turns: NewTurns,
    /// What running calls see of the jobs.
    board: Board,
    /// Executions whose results cannot be had, as it was said.
    stuck: BTreeSet<String>,
}

/// Why there is nothing to do any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Quiet {
    /// No work is left.
    Idle,
    /// A person, or somebody who finds out, is needed.
    Waiting(Vec<Wait>),
    /// It was told to stop ([`Owner::stopper`]); [`Owner::pause`] comes next.
    Stopped,
}

/// Why the owner cannot go on. Everything that was recorded is kept.
#[derive(Debug, thiserror::Error)]
pub enum OwnerError {
    /// The log refused.
    #[error(transparent)]
    Log(#[from] LogError),
    /// The tools cannot be made: the workspace is gone, usually.
    #[error("the workspace cannot be used: {0}; the session is kept")]
    Tools(String),
    /// A fault of the runtime.
    #[error("a fault in onward: {0}; the session is kept as it is, and nothing was done on the wrong record")]
    Fault(String),
}

impl Owner {
    /// Takes ownership, reads the log, and makes ready to act.
    ///
    /// # Errors
    /// When another living process owns the session, the log is damaged, or the workspace cannot be used.
    pub async fn acquire(
        ports: Ports,
        config: RuntimeConfig,
        id: SessionId,
        live: Live,
    ) -> Result<Self, OwnerError> {
        let log = ports.log.clone();
        let append = AppendId(MessageId::from_bits(ports.ids.next()).to_string());
        // Opening first: what cannot be read must not be taken over.
        let Opened { mut session, snapshot } = open::open(log.as_ref(), id, config.verified_tail).await?;
        let epoch = log.acquire(id, config.owner.clone(), append, ports.clock.now()).await?;
        for (record, _) in load_records(log.as_ref(), id, session.head()).await? {
            session.apply(&record).map_err(|error| OwnerError::Fault(error.to_string()))?;
        }
        let tools = match (ports.tools)(session.workspace()) {
            Ok(tools) => tools.only(&session.spec().tools),
            Err(why) => {
                release::leave(&ports, id, epoch).await?;
                return Err(OwnerError::Tools(why));
            }
        };
        let mut owner = Self {
            id,
            epoch,
            board: Board::new(&session),
            session,
            ports,
            config,
            tools,
            flight: Flight::default(),
            prefix: None,
            request: None,
            answered: Vec::new(),
            over: Vec::new(),
            snapshot,
            live,
            stop: CancellationToken::new(),
            new_turns: NewTurns::Begin,
            stuck: BTreeSet::new(),
        };
        owner.sweep().await?;
        Ok(owner)
    }

    /// What the log says.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Makes [`Owner::drive`] return at the next safe point. The future of `drive` must not simply be dropped: an
    /// append may be under way.
    pub fn stopper(&self) -> CancellationToken {
        self.stop.clone()
    }

    /// Works until nothing is left to do without somebody's help; jobs that run go on, and are watched on as long as this
    /// owner lives. Not to be dropped before it returns, unless the whole owner is: see [`Owner::stopper`].
    ///
    /// # Errors
    /// When the log cannot be written, or another process has taken the session over.
    pub async fn drive(&mut self) -> Result<Quiet, OwnerError> {
        self.drive_awaiting(Awaited::None).await
    }

    /// As [`Owner::drive`], and does not rest while a job runs that is awaited: its end may bring new work. A rule that
    /// somebody changes meanwhile holds at once.
    ///
    /// # Errors
    /// As [`Owner::drive`].
    pub async fn drive_awaiting(&mut self, awaited: Awaited) -> Result<Quiet, OwnerError> {
        self.catch_up().await?;
        self.commit(Outcome::input(Input::Advance)).await?;
        loop {
            self.forget_over().await;
            self.start_due();
            let (waits, asked) = (self.session.waits_for_place_of_job(), self.is_asking());
            let (rule, over) = (self.session.spec().jobs_at_end, self.jobs_that_are_over());
            let awaited = |job| over.contains(&job) || awaited.has(job, rule, asked) || (waits && !asked);
            if self.flight.rests(awaited) {
                if self.hears_nothing_new().await? {
                    self.store_snapshot().await;
                    return Ok(self.quiet());
                }
                continue;
            }
            let log = self.ports.log.clone();
            // In this order, so that a run follows from what happens and from nothing else. What has landed comes before what
            // somebody said, and neither waits: each commit meets what was said before it.
            tokio::select! {
                biased;
                () = self.stop.cancelled() => return Ok(Quiet::Stopped),
                landed = self.flight.landed() => {
                    if let Some(outcome) = self.land(landed) {
                        self.commit(outcome).await?;
                    }
                }
                () = log.changed(self.id, self.session.head()) => {
                    self.catch_up().await?;
                    self.commit(Outcome::input(Input::Advance)).await?;
                }
                () = tokio::time::sleep(STUCK_LOOK), if self.has_executions() => self.tell_of_stuck(),
            }
        }
    }

    /// Jobs whose commands have ended, and whose ends are about to be recorded: whoever comes back to a session hears of
    /// what ended meanwhile, also where jobs that run are not waited for.
    fn jobs_that_are_over(&self) -> BTreeSet<JobId> {
        let Some(executor) = &self.ports.executor else { return BTreeSet::new() };
        let running = self.session.jobs().filter(|job| job.phase == JobState::Running);
        let over = running.filter(|job| match &job.begun.start.handle {
            Handle::Supervised { name, place, .. } => executor.is_over(name, place),
            Handle::InProcess => false,
        });
        over.map(|job| job.id).collect()
    }

    /// Whether a person is asked: whoever is should not have to wait for a job to hear of it.
    fn is_asking(&self) -> bool {
        self.session.open_approvals().next().is_some()
    }

    /// Returns when somebody has added to the log, or a job has ended; then [`Owner::drive`] may have something to do.
    pub async fn wait_for_news(&mut self) {
        let log = self.ports.log.clone();
        tokio::select! {
            biased;
            () = log.changed(self.id, self.session.head()) => {}
            () = self.flight.ready() => {}
        }
    }

    /// Looks at the log once more before coming to rest: what somebody said while the last commit was on its way has
    /// rung no bell that anybody waits for.
    async fn hears_nothing_new(&mut self) -> Result<bool, OwnerError> {
        let head = self.session.head();
        self.catch_up().await?;
        if self.session.head() != head {
            self.commit(Outcome::input(Input::Advance)).await?;
        }
        Ok(self.session.head() == head)
    }

    fn quiet(&self) -> Quiet {
        let waits = self.session.waiting_on();
        if waits.is_empty() { Quiet::Idle } else { Quiet::Waiting(waits) }
    }

    /// Starts what is due and not in flight; stops what is in flight and no longer wanted.
    fn start_due(&mut self) {
        let due: Vec<Effect> = self.session.due();
        self.flight.keep_only(&due);
        for effect in due {
            if self.flight.has(&effect.key) {
                if effect.stop {
                    self.flight.stop(&effect.key);
                }
                continue;
            }
            let task = if effect.stop { self.refuse_to_begin(&effect) } else { self.perform(&effect) };
            self.flight.start(effect.key, task);
        }
    }
}
