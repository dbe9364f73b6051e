//! Session and owner: who may act, what is set, what was said to the model by the runtime itself.

use crate::prelude::*;
use crate::{AgentSpec, Epoch, JobsAtEnd, Limits, Mode, ModelConfig, Seq, SessionId, TurnId, Workspace};

/// `session/created`: the first record of every log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SessionCreated {
    /// The session.
    pub session: SessionId,
    /// What it works with.
    pub spec: AgentSpec,
    /// Where it works.
    pub workspace: Workspace,
}

/// One change of a session's settings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SettingChange {
    /// Another mode, for calls that are not yet started.
    Mode(Mode),
    /// Another model, from the next step on.
    Model(ModelConfig),
    /// Other limits.
    Limits(Limits),
    /// Another rule for the jobs that run when the work comes to its end.
    JobsAtEnd(JobsAtEnd),
}

/// `session/configured`: one change, by a client.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SessionConfigured {
    /// What changes.
    pub change: SettingChange,
}

/// `owner/acquired`: from here on only records with this epoch may be the owner's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OwnerAcquired {
    /// The fencing token; one more than the last.
    pub epoch: Epoch,
    /// Which process, for people: host, process id.
    pub owner: String,
}

/// `owner/released`: the owner left in order; at most what runs under supervisors is in flight, and the next owner finds it again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OwnerReleased {
    /// The epoch that ends.
    pub epoch: Epoch,
}

/// `interrupt/requested`: a client asks that the current turn be cancelled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InterruptRequested {
    /// Which turn; whatever turn is open when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<TurnId>,
}

/// Why the runtime speaks to the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NoticeReason {
    /// The same call keeps failing.
    RepeatedCall,
    /// The mode changed.
    ModeChanged,
    /// Work was interrupted and goes on.
    Recovered,
    /// What became of a call whose outcome was unknown.
    LateTruth,
    /// Nobody can tell what became of a job.
    JobUnknown,
}

/// `notice/added`: words of the runtime that the model sees with its next request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NoticeAdded {
    /// The words.
    pub text: String,
    /// Why.
    pub reason: NoticeReason,
    /// The record that caused it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Seq>,
}
