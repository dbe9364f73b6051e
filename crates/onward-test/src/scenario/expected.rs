//! How a scenario ends, without and with a crash.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::crash::{Point, PointKind};

/// The expected end.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expected {
    /// Terminal and stop reason of the last turn, or `waiting`.
    pub end: String,
    /// The words of the last accepted output.
    pub answer: Option<String>,
    /// Lines of the ledger, and how often each is written when nothing crashes.
    #[serde(default)]
    pub effects: BTreeMap<String, usize>,
    /// What files of the workspace hold in the end.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
    /// What is found at the first rest after a crash, by tool.
    #[serde(default)]
    crash: BTreeMap<String, CrashTable>,
}

/// What is found after a crash, by where it happened.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct CrashTable {
    /// The start of a call was committed, and nothing was done.
    committed: AfterCrash,
    /// A call had done a part of what it does.
    during: AfterCrash,
    /// A call had acted, and nothing was recorded.
    acted: AfterCrash,
}

/// What is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AfterCrash {
    /// Everything went on by itself, to the same end.
    #[default]
    Finished,
    /// A person has to say what became of a call.
    Unknown,
}

impl Expected {
    /// What is found after a crash at this point.
    pub fn after_crash(&self, at: &Point) -> AfterCrash {
        // A point of a call names its tool.
        let table = self.crash.get(&at.what).copied().unwrap_or_default();
        match at.kind {
            PointKind::CommitStart | PointKind::ToolBefore => table.committed,
            PointKind::ToolDuring => table.during,
            PointKind::ToolAfter => table.acted,
            PointKind::Commit
            | PointKind::Input
            | PointKind::ModelBefore
            | PointKind::ModelDelta
            | PointKind::ModelAfter => AfterCrash::Finished,
        }
    }
}
