//! The first line of a stream, and what changes a session as a whole.

use onward_event::{ModelConfig, SessionId, SettingChange, TurnId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::convert::Stamp;
use crate::{Cursor, JobsAtEnd, Mode};

/// Name and version of the protocol. A change that an old client could misread is a new version.
pub const PROTOCOL: &str = "onward.wire/1";

/// Which model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Model {
    /// The configured provider.
    pub provider: String,
    /// The provider's name for the model.
    pub name: String,
    /// Tokens that request and answer may have together.
    pub context_window: u64,
    /// Tokens that an answer may have.
    pub max_output: u64,
}

/// The first line: what speaks, and about which session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Session {
    /// [`PROTOCOL`].
    pub protocol: String,
    /// The version of the product.
    pub version: String,
    /// The session.
    pub session: SessionId,
    /// The folder that it works in; absolute.
    pub workspace: String,
    /// The model, as it is set now.
    pub model: Model,
    /// The mode, as it is set now.
    pub mode: Mode,
}

/// A client changed the session's settings; what did not change is absent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Configured {
    /// The record.
    pub cursor: Cursor,
    /// When, in milliseconds since 1970-01-01T00:00:00Z.
    pub at: u64,
    /// The new mode.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<Mode>,
    /// The new model, from the next step on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<Model>,
    /// Whether the limits of a run changed.
    pub limits: bool,
    /// The new rule for the jobs that run when the work comes to its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jobs_at_end: Option<JobsAtEnd>,
}

/// A client asks that work be stopped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InterruptRequested {
    /// The record.
    pub cursor: Cursor,
    /// When, in milliseconds since 1970-01-01T00:00:00Z.
    pub at: u64,
    /// Which turn; whatever turn is open when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<TurnId>,
}

/// A version of the project's instructions that the model is shown from here on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DocumentLoaded {
    /// The record.
    pub cursor: Cursor,
    /// When, in milliseconds since 1970-01-01T00:00:00Z.
    pub at: u64,
    /// Relative to the workspace.
    pub path: String,
    /// Bytes that are shown.
    pub size: u64,
    /// Bytes that were cut off.
    pub cut: u64,
}

/// A record of a kind that this version of the product does not know: a newer one wrote it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RecordUnknown {
    /// The record.
    pub cursor: Cursor,
    /// When, in milliseconds since 1970-01-01T00:00:00Z.
    pub at: u64,
    /// The record's kind, as written.
    pub kind: String,
}

impl Session {
    /// The first line for a session that is set up like this.
    pub fn new(
        version: impl Into<String>,
        session: SessionId,
        workspace: impl Into<String>,
        model: &ModelConfig,
        mode: onward_event::Mode,
    ) -> Self {
        Self {
            protocol: PROTOCOL.into(),
            version: version.into(),
            session,
            workspace: workspace.into(),
            model: Model::from(model),
            mode: mode.into(),
        }
    }
}

impl From<&ModelConfig> for Model {
    fn from(config: &ModelConfig) -> Self {
        Self {
            provider: config.provider.clone(),
            name: config.model.clone(),
            context_window: config.context_window,
            max_output: config.max_output,
        }
    }
}

impl Configured {
    pub(crate) fn new((cursor, at): Stamp, change: &SettingChange) -> Self {
        let nothing = Self { cursor, at, mode: None, model: None, limits: false, jobs_at_end: None };
        match change {
            SettingChange::Mode(mode) => Self { mode: Some((*mode).into()), ..nothing },
            SettingChange::Model(model) => Self { model: Some(model.into()), ..nothing },
            SettingChange::Limits(_) => Self { limits: true, ..nothing },
            SettingChange::JobsAtEnd(rule) => Self { jobs_at_end: Some((*rule).into()), ..nothing },
        }
    }
}

impl InterruptRequested {
    pub(crate) fn new((cursor, at): Stamp, body: &onward_event::InterruptRequested) -> Self {
        Self { cursor, at, turn: body.turn }
    }
}

impl DocumentLoaded {
    pub(crate) fn new((cursor, at): Stamp, loaded: &onward_event::DocumentLoaded) -> Self {
        Self { cursor, at, path: loaded.path.clone(), size: loaded.size, cut: loaded.cut }
    }
}

impl RecordUnknown {
    pub(crate) fn new((cursor, at): Stamp, unknown: &onward_event::UnknownEvent) -> Self {
        Self { cursor, at, kind: unknown.kind.clone() }
    }
}
