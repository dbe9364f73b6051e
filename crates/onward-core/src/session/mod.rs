//! The state of a session: a fold of its log.
//!
//! The part that decisions are made on ([`State`]) is small and cheap to copy, and what seldom changes is shared; the model-visible history only grows
//! at its end. So a tentative append is undone by putting the copy back and cutting the history
//! ([`Session::mark`], [`Session::rollback`]).

mod apply;
mod approvals;
mod calls;
mod history;
mod inbox;
mod jobs;
mod run;
mod snapshot;
mod turn;

pub use approvals::{Grant, OpenApproval};
pub use calls::{Answer, Call, CallPhase};
pub use history::ASSEMBLER_VERSION;
pub use inbox::Message;
pub use jobs::{BegunCall, Job, Settled};
pub use run::{Continuation, Run, UnknownCall};
pub use snapshot::{BadSnapshot, FOLD_VERSION, HistoryPiece};
pub use turn::{Ended, Request, Step, StepPhase, Turn};

use alloc::sync::Arc;

use onward_event::{
    AgentSpec, ArtifactId, CallId, Digest, Epoch, JobId, NoticeReason, Record, RunId, Seq, SessionId,
    Timestamp, ToolStart, Usage, Workspace,
};

use serde::{Deserialize, Serialize};

use crate::IllegalEvent;
use crate::prelude::*;
use crate::shared::Shared;
use approvals::Approvals;
use history::History;
use inbox::Inbox;
use jobs::Jobs;

/// What a session's log says.
#[derive(Clone, Debug)]
pub struct Session {
    pub(crate) state: State,
    pub(crate) history: History,
}

/// Everything but the history.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct State {
    pub(crate) id: SessionId,
    pub(crate) workspace: Shared<Workspace>,
    pub(crate) spec: Shared<AgentSpec>,
    /// How often the settings changed, the creation being the first time.
    pub(crate) config: u64,
    pub(crate) head: Seq,
    /// When the last record was appended.
    pub(crate) at: Timestamp,
    pub(crate) epoch: Epoch,
    /// Acquired and not released.
    pub(crate) owned: bool,
    pub(crate) inbox: Inbox,
    pub(crate) turn: Option<Turn>,
    /// Runs that have an open turn or a continuation.
    pub(crate) runs: BTreeMap<RunId, Run>,
    pub(crate) continuations: Vec<Continuation>,
    /// Calls whose outcome is unknown and that nobody has settled.
    pub(crate) unknown: BTreeMap<CallId, UnknownCall>,
    pub(crate) approvals: Approvals,
    /// What the model must still be told by a notice, with the record that is its cause.
    pub(crate) untold: Vec<Untold>,
    /// What goes on when its call is answered.
    pub(crate) jobs: Jobs,
    /// The documents that the model was shown last, by path.
    pub(crate) documents: Shared<BTreeMap<String, Digest>>,
    /// Where the content of stored results is.
    pub(crate) artifacts: Shared<BTreeMap<ArtifactId, Digest>>,
    pub(crate) usage: Usage,
    pub(crate) last_end: Option<Ended>,
    /// Where the step's answers and notices stand, and how many messages the last request had.
    pub(crate) tail: history::Tail,
}

/// A notice that the state calls for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Untold {
    pub(crate) cause: Seq,
    pub(crate) reason: NoticeReason,
    pub(crate) text: String,
}

/// A point to which a session can be rolled back.
#[derive(Debug)]
pub struct Mark {
    state: State,
    history: usize,
}

impl Session {
    /// Folds a whole log.
    ///
    /// # Errors
    /// At the first record that does not fit.
    pub fn replay<'a>(records: impl IntoIterator<Item = &'a Record>) -> Result<Self, IllegalEvent> {
        let mut records = records.into_iter();
        let first = records.next().ok_or_else(|| IllegalEvent {
            seq: Seq(0),
            kind: "nothing".into(),
            why: "the log is empty".into(),
        })?;
        let mut session = Self::create(first)?;
        for record in records {
            session.apply(record)?;
        }
        Ok(session)
    }

    /// The state after `session/created`.
    ///
    /// # Errors
    /// When the record is not the first of a log.
    pub fn create(first: &Record) -> Result<Self, IllegalEvent> {
        apply::create(first)
    }

    /// Folds one record.
    ///
    /// # Errors
    /// When it does not follow the last one, or is an owner's event that does not fit the state. The session is then
    /// unchanged or must be discarded: it is never half right about a legal log.
    pub fn apply(&mut self, record: &Record) -> Result<(), IllegalEvent> {
        apply::apply(self, record)
    }

    /// Where to come back to with [`Session::rollback`].
    pub fn mark(&self) -> Mark {
        Mark { state: self.state.clone(), history: self.history.len() }
    }

    /// Undoes everything since the mark was made.
    pub fn rollback(&mut self, mark: Mark) {
        self.state = mark.state;
        self.history.truncate(mark.history);
    }

    /// The session's id.
    pub fn id(&self) -> SessionId {
        self.state.id
    }

    /// Where it works.
    pub fn workspace(&self) -> &Workspace {
        &self.state.workspace
    }

    /// What it works with now.
    pub fn spec(&self) -> &AgentSpec {
        &self.state.spec
    }

    /// The revision of the settings: decisions made on an older one no longer count.
    pub fn config_revision(&self) -> u64 {
        self.state.config
    }

    /// The last record.
    pub fn head(&self) -> Seq {
        self.state.head
    }

    /// When the last record was appended.
    pub fn last_change(&self) -> Timestamp {
        self.state.at
    }

    /// The latest owner's epoch.
    pub fn epoch(&self) -> Epoch {
        self.state.epoch
    }

    /// Whether an owner has it and has not released it (it may be dead).
    pub fn is_owned(&self) -> bool {
        self.state.owned
    }

    /// The open turn.
    pub fn turn(&self) -> Option<&Turn> {
        self.state.turn.as_ref()
    }

    /// The open step.
    pub fn step(&self) -> Option<&Step> {
        self.state.turn.as_ref().and_then(|turn| turn.step.as_ref())
    }

    /// A call of the open step.
    pub fn call(&self, id: CallId) -> Option<&Call> {
        self.step().and_then(|step| step.calls().iter().find(|call| call.proposal.call == id))
    }

    /// The calls that are started and whose ends are not recorded.
    pub fn started_calls(&self) -> impl Iterator<Item = &Call> {
        let calls = self.step().map_or(&[][..], Step::calls);
        calls.iter().filter(|call| call.start().is_some())
    }

    /// Whether a call is started under a supervisor.
    pub fn is_supervised(&self, id: CallId) -> bool {
        self.call(id).and_then(Call::start).is_some_and(ToolStart::is_supervised)
    }

    /// The jobs that have not ended, and the latest of those that have, by their ids.
    pub fn jobs(&self) -> impl Iterator<Item = &Job> {
        self.state.jobs.iter()
    }

    /// A job, if it has not ended, or not long ago.
    pub fn job(&self, id: JobId) -> Option<&Job> {
        self.state.jobs.get(id)
    }

    /// The run of the open turn.
    pub fn run(&self) -> Option<&Run> {
        self.state.turn.as_ref().and_then(|turn| self.state.runs.get(&turn.run))
    }

    /// Runs that go on by themselves or wait for an unknown outcome to be settled.
    pub fn continuations(&self) -> &[Continuation] {
        &self.state.continuations
    }

    /// Calls whose outcome is unknown and not settled.
    pub fn unknown_calls(&self) -> impl Iterator<Item = &UnknownCall> {
        self.state.unknown.values()
    }

    /// Questions that wait for a person.
    pub fn open_approvals(&self) -> impl Iterator<Item = &OpenApproval> {
        self.state.approvals.open.values()
    }

    /// Messages that are received and neither included nor cancelled.
    pub fn pending_messages(&self) -> impl Iterator<Item = &Message> {
        self.state.inbox.messages()
    }

    /// How the last turn ended.
    pub fn last_end(&self) -> Option<&Ended> {
        self.state.last_end.as_ref()
    }

    /// The sum over all attempts.
    pub fn usage(&self) -> Usage {
        self.state.usage
    }

    /// The stored results, with the digests of their content.
    pub fn artifacts(&self) -> &BTreeMap<ArtifactId, Digest> {
        &self.state.artifacts
    }

    /// As [`Session::artifacts`], to be kept: what is stored later is not in it.
    pub fn share_artifacts(&self) -> Arc<BTreeMap<ArtifactId, Digest>> {
        self.state.artifacts.share()
    }

    /// The documents that the model was shown last, with their digests.
    pub fn documents(&self) -> &BTreeMap<String, Digest> {
        &self.state.documents
    }
}
