//! One life of the process: it opens the store, takes the session, and drives it to its end, or dies on the way.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, bail};
use onward_core::Wait;
use onward_event::{ApprovalId, Event, Record, Seq, SessionId};
use onward_runtime::{Awaited, GivenBack, Live, Owner, Quiet, RuntimeConfig, load_records};
use onward_sqlite::SqliteStore;

use super::person::Person;
use super::speaking::SpeakingLog;
use super::speaking_model::SpeakingModel;
use super::world::World;
use crate::crash::{CrashingLog, Points};
use crate::run::End;
use crate::scenario::Scenario;

/// How long an owner that is told to end waits for what ends with it.
const PAUSE_LIMIT: Duration = Duration::from_secs(60);

/// How a life ended.
pub(super) enum LifeEnd {
    /// At a point.
    Died,
    /// The owner left in order, with work open.
    Left,
    /// Nothing is left to do; the words of the last accepted output.
    Rest(End, String),
}

pub(super) struct Life<'a> {
    pub(super) world: &'a mut World,
    pub(super) scenario: &'a Scenario,
    pub(super) points: Arc<Points>,
    pub(super) store: SqliteStore,
    pub(super) person: Arc<Person>,
}

/// What the person does at a rest.
enum Next {
    GoOn,
    Leave,
    Rest(End),
}

impl Life<'_> {
    pub(super) async fn live(&mut self) -> Result<LifeEnd> {
        let points = self.points.clone();
        tokio::select! {
            biased;
            () = points.death() => Ok(LifeEnd::Died),
            end = self.work() => end,
        }
    }

    async fn work(&mut self) -> Result<LifeEnd> {
        let session = self.session().await?;
        let mut owner = self.take(session).await?;
        self.person.attend(owner.stopper());
        loop {
            let quiet = owner.drive_awaiting(Awaited::AsRuled).await?;
            if quiet == Quiet::Stopped {
                owner.pause(PAUSE_LIMIT).await?;
                self.world.left = true;
                return Ok(LifeEnd::Left);
            }
            match self.respond(session, quiet, &owner).await? {
                Next::GoOn => {}
                Next::Leave => {
                    self.world.left = true;
                    match owner.release().await? {
                        GivenBack::Done => return Ok(LifeEnd::Left),
                        GivenBack::GoOn(still) => owner = *still,
                    }
                }
                Next::Rest(end) => {
                    let answer = owner.session().last_end().map(|end| end.answer.clone());
                    match owner.release().await? {
                        GivenBack::Done => return Ok(LifeEnd::Rest(end, answer.unwrap_or_default())),
                        GivenBack::GoOn(still) => owner = *still,
                    }
                }
            }
        }
    }

    /// The session, created in the first life, with the inputs of the start in it.
    async fn session(&mut self) -> Result<SessionId> {
        let session = match self.world.session {
            Some(session) => session,
            None => {
                let workspace = self.world.workspace();
                let session = self.person.client.create(self.scenario.spec(), workspace).await?;
                *self.world.session.insert(session)
            }
        };
        self.person.speak(session).await?;
        Ok(session)
    }

    async fn take(&mut self, session: SessionId) -> Result<Owner> {
        let by_owners = |record: &&Record| record.epoch.is_some();
        let records = self.records(session).await?;
        self.person.hear(records.iter().filter(by_owners).map(|record| record.event.kind()));
        let crashing = Arc::new(CrashingLog::new(Arc::new(self.store.clone()), self.points.clone()));
        let speaking = Arc::new(SpeakingLog::new(crashing, self.person.clone()));
        let mut ports = self.world.ports(self.scenario, speaking, &self.store, &self.points)?;
        for model in ports.models.values_mut() {
            let (inner, person) = (model.clone(), self.person.clone());
            *model = Arc::new(SpeakingModel { inner, person, session });
        }
        // The fold is stored at every rest, so that whoever comes next starts from a stored one.
        let mut config =
            RuntimeConfig { owner: "test".into(), snapshot_every: 1, ..RuntimeConfig::default() };
        if let Some(seconds) = self.scenario.convergence_seconds {
            config.convergence = Duration::from_secs(seconds);
        }
        Ok(Owner::acquire(ports, config, session, Live::new()).await?)
    }

    async fn records(&self, session: SessionId) -> Result<Vec<Record>> {
        let records = load_records(&self.store, session, Seq(0)).await?;
        Ok(records.into_iter().map(|(record, _)| record).collect())
    }

    async fn respond(&mut self, session: SessionId, quiet: Quiet, owner: &Owner) -> Result<Next> {
        let waits = match quiet {
            Quiet::Waiting(waits) => waits,
            Quiet::Idle => return Ok(Next::Rest(rest(owner)?)),
            Quiet::Stopped => bail!("the owner stopped, and nobody had told it to"),
        };
        for wait in waits {
            match wait {
                Wait::Approval(_) if self.scenario.release_when_asked && !self.world.left => {
                    return Ok(Next::Leave);
                }
                Wait::Approval(approval) => {
                    let Some(at) = self.place_of(session, approval).await? else {
                        bail!("{approval} is waited for and was never asked")
                    };
                    let Some(answer) = self.scenario.answers.get(at) else {
                        return Ok(Next::Rest(End::Waiting));
                    };
                    self.person.answer(session, approval, answer).await?;
                }
                Wait::Settlement(call) => {
                    self.world.unknown = true;
                    self.person.settle(session, call, self.scenario.settle).await?;
                }
                Wait::Job(_) => bail!("the owner came to rest while a job runs that is waited for"),
                Wait::Retry(_) => bail!("the owner came to rest while it waits to try again"),
            }
        }
        Ok(Next::GoOn)
    }

    /// The place of a question among all that were ever asked.
    async fn place_of(&self, session: SessionId, approval: ApprovalId) -> Result<Option<usize>> {
        let records = self.records(session).await?;
        let mut asked = records.iter().filter_map(|record| match &record.event {
            Event::ApprovalRequested(asked) => Some(asked.approval),
            _ => None,
        });
        Ok(asked.position(|other| other == approval))
    }
}

fn rest(owner: &Owner) -> Result<End> {
    let Some(ended) = owner.session().last_end() else {
        bail!("the owner came to rest and no turn has ended")
    };
    let word = |value: serde_json::Result<serde_json::Value>| -> Result<String> {
        Ok(value?.as_str().unwrap_or_default().to_owned())
    };
    let terminal = word(serde_json::to_value(ended.end.terminal))?;
    let stop = word(serde_json::to_value(ended.end.stop))?;
    Ok(End::Ended(format!("{terminal} {stop}")))
}
