//! Where a call runs.

use crate::prelude::*;

/// By what a later process finds the execution again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Handle {
    /// It runs inside the runtime and is gone with it.
    InProcess,
    /// It runs under a supervisor of its own, which lives on when the runtime dies.
    Supervised {
        /// The execution's name.
        name: String,
        /// Where it runs: elsewhere it cannot be found again.
        place: Place,
        /// Whether the call is answered with a job as soon as it runs.
        #[serde(default, skip_serializing_if = "crate::prelude::is_false")]
        background: bool,
    },
}

/// A machine, as long as it runs: after a restart nothing of before is left.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Place {
    /// The machine.
    pub machine: String,
    /// This run of it.
    pub boot: String,
}
