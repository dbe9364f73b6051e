//! Jobs: commands that go on when their call is answered (seed, section 8).

use onward_event::{
    ArtifactId, CallId, JobId, JobPhase, JobState, OnUnknown, ResolvedVerdict, Seq, Timestamp, ToolStart,
};
use serde_json::Value;

use serde::{Deserialize, Serialize};

use crate::prelude::*;

/// Jobs that have ended and are still known by name; the log has them all.
pub(crate) const KEPT_ENDED_JOBS: usize = 64;

/// A job of the session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// Its id.
    pub id: JobId,
    /// The call that began it.
    pub call: CallId,
    /// The command, shortened.
    pub command: String,
    /// By what it is found, and by which tool it is understood.
    pub begun: BegunCall,
    /// When its command was started, also where that was in the foreground.
    pub started: Timestamp,
    /// The record that brought it into its phase.
    pub since: Seq,
    /// Where it stands.
    pub phase: JobState,
    /// As the record of its phase says; empty while it runs.
    pub summary: String,
    /// When it came into its phase.
    pub at: Timestamp,
    /// Where its output is stored, once it has ended.
    pub artifact: Option<ArtifactId>,
    /// The first request to stop it.
    pub cancel: Option<Seq>,
    /// What somebody said became of it, while nobody could tell by machine.
    pub settled: Option<Settled>,
}

/// The call that a job began as.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BegunCall {
    /// The tool.
    pub tool: String,
    /// Its canonical input.
    pub input: Value,
    /// As recorded, with its handle.
    pub start: ToolStart,
}

/// An answer to the question what became of a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settled {
    /// What is said about it.
    pub verdict: ResolvedVerdict,
    /// How they know.
    pub evidence: String,
}

impl Job {
    /// Whether it has not ended.
    pub fn is_open(&self) -> bool {
        !self.phase.is_end()
    }

    /// What follows when nobody can tell what became of it.
    pub fn on_unknown(&self) -> OnUnknown {
        self.begun.start.semantics.on_unknown()
    }

    pub(crate) fn enter(&mut self, seq: Seq, at: Timestamp, event: &JobPhase) {
        self.phase = event.phase;
        self.since = seq;
        self.at = at;
        self.summary.clone_from(&event.summary);
        self.artifact = event.artifact;
    }
}

/// The open jobs, and the latest of those that have ended.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Jobs {
    known: BTreeMap<JobId, Job>,
    /// How many there ever were.
    begun: u32,
}

impl Jobs {
    pub(crate) fn begun(&self) -> u32 {
        self.begun
    }

    pub(crate) fn insert(&mut self, job: Job) {
        self.begun = self.begun.saturating_add(1);
        self.known.insert(job.id, job);
    }

    pub(crate) fn get(&self, id: JobId) -> Option<&Job> {
        self.known.get(&id)
    }

    pub(crate) fn get_mut(&mut self, id: JobId) -> Option<&mut Job> {
        self.known.get_mut(&id)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Job> {
        self.known.values()
    }

    pub(crate) fn open(&self) -> impl Iterator<Item = &Job> {
        self.iter().filter(|job| job.is_open())
    }

    /// Lets go of the oldest of those that have ended, when there are too many.
    pub(crate) fn forget_old(&mut self) {
        let ended = self.known.values().filter(|job| !job.is_open());
        if ended.clone().count() > KEPT_ENDED_JOBS
            && let Some(oldest) = ended.min_by_key(|job| job.since).map(|job| job.id)
        {
            self.known.remove(&oldest);
        }
    }
}
