//! The events, as one enum: names are `scope/fact`, past facts and never commands.

use crate::prelude::*;
use crate::*;

/// Who may append an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventWriter {
    /// The session's one owner, fenced by its epoch.
    Owner,
    /// Any client, with a key of its own choice.
    Client,
    /// Either.
    Both,
}

/// An event of a kind, or of a version, that this binary does not know: it may be shown, never acted on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownEvent {
    /// The kind, as written.
    pub kind: String,
    /// The version, as written.
    pub version: u32,
    /// The body, as written.
    pub body: Value,
}

macro_rules! events {
    ($($kind:literal $variant:ident $writer:ident,)*) => {
        /// A fact in a session's log. Each variant's type says what it means.
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[expect(missing_docs, reason = "the payload types carry the documentation")]
        #[allow(clippy::large_enum_variant, reason = "events live briefly; boxing the large ones costs every reader")]
        pub enum Event {
            $($variant($variant),)*
            Unknown(UnknownEvent),
        }

        impl Event {
            /// Every kind that this binary knows, with who may write it.
            pub const KINDS: &'static [(&'static str, EventWriter)] = &[$(($kind, EventWriter::$writer),)*];

            /// The name of the kind, for example `turn/start`.
            pub fn kind(&self) -> &str {
                match self {
                    $(Self::$variant(_) => $kind,)*
                    Self::Unknown(unknown) => &unknown.kind,
                }
            }

            /// Who may append it.
            pub fn writer(&self) -> EventWriter {
                match self {
                    $(Self::$variant(_) => EventWriter::$writer,)*
                    Self::Unknown(_) => EventWriter::Both,
                }
            }

            /// The body as JSON text.
            ///
            /// # Errors
            /// Never for an event of this crate's types; the signature follows `serde_json`.
            pub fn body_json(&self) -> Result<String, serde_json::Error> {
                match self {
                    $(Self::$variant(body) => serde_json::to_string(body),)*
                    Self::Unknown(unknown) => serde_json::to_string(&unknown.body),
                }
            }

            /// Reads the body of an event of this kind and version.
            pub(crate) fn from_body(kind: &str, version: u32, body: &str) -> Result<Self, serde_json::Error> {
                if version <= crate::record::BODY_VERSION {
                    match kind {
                        $($kind => return serde_json::from_str(body).map(Self::$variant),)*
                        _ => {}
                    }
                }
                let body = serde_json::from_str(body)?;
                Ok(Self::Unknown(UnknownEvent { kind: kind.into(), version, body }))
            }

            /// The JSON Schema of every kind's body, in the order of the vocabulary.
            pub fn schemas(generator: &mut schemars::SchemaGenerator) -> Vec<(&'static str, EventWriter, schemars::Schema)> {
                Vec::from([$(($kind, EventWriter::$writer, generator.subschema_for::<$variant>()),)*])
            }
        }

        $(impl From<$variant> for Event {
            fn from(body: $variant) -> Self {
                Self::$variant(body)
            }
        })*
    };
}

events! {
    "session/created" SessionCreated Client,
    "session/configured" SessionConfigured Client,
    "owner/acquired" OwnerAcquired Owner,
    "owner/released" OwnerReleased Owner,
    "interrupt/requested" InterruptRequested Client,
    "notice/added" NoticeAdded Owner,
    "inbox/received" InboxReceived Both,
    "inbox/cancelled" InboxCancelled Both,
    "turn/start" TurnStart Owner,
    "turn/end" TurnEnd Owner,
    "step/start" StepStart Owner,
    "step/end" StepEnd Owner,
    "recovery/continuation" RecoveryContinuation Owner,
    "document/loaded" DocumentLoaded Owner,
    "request/prepared" RequestPrepared Owner,
    "attempt/start" AttemptStart Owner,
    "attempt/end" AttemptEnd Owner,
    "assistant/accepted" AssistantAccepted Owner,
    "tool/call" ToolCall Owner,
    "policy/decided" PolicyDecided Owner,
    "approval/requested" ApprovalRequested Owner,
    "approval/resolved" ApprovalResolved Client,
    "tool/start" ToolStart Owner,
    "artifact/stored" ArtifactStored Owner,
    "tool/result" ToolResult Owner,
    "tool/denied" ToolDenied Owner,
    "tool/cancelled" ToolCancelled Owner,
    "tool/outcome_unknown" ToolOutcomeUnknown Owner,
    "tool/reconciled" ToolReconciled Owner,
    "reconciliation/resolved" ReconciliationResolved Client,
    "tool/background_requested" BackgroundRequested Client,
    "job/started" JobStarted Owner,
    "job/phase" JobPhase Owner,
    "job/cancel_requested" JobCancelRequested Client,
}
