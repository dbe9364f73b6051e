//! What is in flight: each effect by its key, until its outcome has landed.

use std::collections::BTreeMap;

use onward_core::{Action, Effect, EffectKey};
use onward_event::JobId;
use tokio::task::{Id, JoinError, JoinSet};
use tokio_util::sync::CancellationToken;

use crate::effects::{Outcome, Task};

/// The effects that were started and have not landed.
#[derive(Default)]
pub(super) struct Flight {
    tasks: JoinSet<Outcome>,
    /// Ended, and not taken yet.
    waiting: Option<Result<(Id, Outcome), JoinError>>,
    by_key: BTreeMap<EffectKey, Airborne>,
}

struct Airborne {
    task: Id,
    /// What is being done: of a run that was lost, not what the key says.
    action: Action,
    cancel: CancellationToken,
    abort: tokio::task::AbortHandle,
}

/// How an effect landed.
pub(super) enum Landed {
    /// With its outcome.
    Outcome(Box<Outcome>),
    /// Its task is gone: it panicked.
    Lost(EffectKey, Action),
    /// It was given up on purpose, because the state no longer called for it.
    Dropped,
}

impl Flight {
    pub(super) fn is_empty(&self) -> bool {
        self.by_key.is_empty()
    }

    /// Whether nothing but jobs is in flight, and none of those that are awaited. What has come to its end is to be taken
    /// first, or whoever waits for news of it would be told of it for ever.
    pub(super) fn rests(&self, awaited: impl Fn(JobId) -> bool) -> bool {
        self.waiting.is_none()
            && self.by_key.values().all(|airborne| match airborne.action {
                Action::WatchJob(job) => !awaited(job),
                _ => false,
            })
    }

    pub(super) fn has(&self, key: &EffectKey) -> bool {
        self.by_key.contains_key(key)
    }

    pub(super) fn start(&mut self, key: EffectKey, task: Task) {
        self.start_instead(key, key.action, task);
    }

    /// Starts another action in the place of the one that the key names: the state goes on calling for that one.
    pub(super) fn start_instead(&mut self, key: EffectKey, action: Action, task: Task) {
        let abort = self.tasks.spawn(task.work);
        let airborne = Airborne { task: abort.id(), action, cancel: task.cancel, abort };
        self.by_key.insert(key, airborne);
    }

    /// Asks an effect to stop; its outcome is still awaited.
    pub(super) fn stop(&mut self, key: &EffectKey) {
        if let Some(airborne) = self.by_key.get(key) {
            airborne.cancel.cancel();
        }
    }

    /// Asks every model request to stop.
    pub(super) fn stop_asking(&self) {
        for airborne in self.by_key.values().filter(|airborne| matches!(airborne.action, Action::Ask(_))) {
            airborne.cancel.cancel();
        }
    }

    /// Gives up everything but what is to be kept.
    pub(super) fn drop_others(&mut self, keep: impl Fn(Action) -> bool) {
        self.by_key.retain(|_, airborne| {
            let keep = keep(airborne.action);
            if !keep {
                airborne.abort.abort();
            }
            keep
        });
    }

    /// Gives up everything that is no longer due. Only what has no effect on the world can be in this case: an
    /// attempt or a started call stays due until its end is recorded.
    pub(super) fn keep_only(&mut self, due: &[Effect]) {
        self.by_key.retain(|key, airborne| {
            let wanted = due.iter().any(|effect| effect.key == *key);
            if !wanted {
                airborne.abort.abort();
            }
            wanted
        });
    }

    /// Returns when an effect has come to its end; [`Flight::landed`] then has it at once.
    pub(super) async fn ready(&mut self) {
        if self.waiting.is_none() {
            match self.tasks.join_next_with_id().await {
                None => std::future::pending().await,
                landed => self.waiting = landed,
            }
        }
    }

    /// The next effect that lands. Never returns while nothing is in flight.
    pub(super) async fn landed(&mut self) -> Landed {
        self.ready().await;
        match self.waiting.take() {
            None => std::future::pending().await,
            Some(Ok((id, outcome))) => {
                self.take(id);
                Landed::Outcome(Box::new(outcome))
            }
            Some(Err(error)) => match self.take(error.id()) {
                Some((key, action)) => Landed::Lost(key, action),
                None => Landed::Dropped,
            },
        }
    }

    fn take(&mut self, id: Id) -> Option<(EffectKey, Action)> {
        let key = self.by_key.iter().find(|(_, airborne)| airborne.task == id).map(|(key, _)| *key)?;
        self.by_key.remove(&key).map(|airborne| (key, airborne.action))
    }
}

#[cfg(test)]
mod tests {
    use onward_core::{Input, JobReport};
    use onward_event::{Epoch, Seq};

    use super::*;

    /// A job that nobody awaits holds nothing up while it runs; its end is something to do.
    #[tokio::test]
    async fn the_end_of_a_job_is_no_rest() {
        let job = JobId::from_bits(7);
        let key = EffectKey { action: Action::WatchJob(job), cause: Seq(1), epoch: Epoch(1) };
        let report = JobReport::Unknown { evidence: "a test".into() };
        let mut flight = Flight::default();
        let work = async move { Outcome::input(Input::JobEnded { job, report }) };
        flight.start(key, Task::new(work));
        assert!(flight.rests(|_| false));
        assert!(!flight.rests(|_| true));
        flight.ready().await;
        assert!(!flight.rests(|_| false), "it was told to rest with the end of a job in its hands");
        assert!(matches!(flight.landed().await, Landed::Outcome(_)));
        assert!(flight.rests(|_| false));
    }
}
