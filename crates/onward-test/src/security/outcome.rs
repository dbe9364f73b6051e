//! What came of attacks and of work.

use std::collections::BTreeMap;

use serde::Serialize;

/// What came of an attack in one tier.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "is", content = "what")]
pub enum Outcome {
    /// No harm was done.
    Held,
    /// It did harm, which the tier does not promise to prevent.
    Residual(Vec<String>),
    /// It did harm.
    Harm(Vec<String>),
    /// It was not run, for this reason.
    NotRun(String),
}

/// An attack, and what came of it.
#[derive(Clone, Debug, Serialize)]
pub struct AttackRow {
    /// Its name.
    pub id: String,
    /// What policy says in `normal` mode.
    pub policy: String,
    /// Whether that is less than it has to be.
    pub too_loose: bool,
    /// The harm that it does uncontained: without any, it shows nothing.
    pub uncontained: Outcome,
    /// By tier.
    pub tiers: BTreeMap<String, Outcome>,
}

/// What came of ordinary work in one tier.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Work {
    /// Who ran it.
    pub user: String,
    /// The tier, or what else ran it.
    pub tier: String,
    /// How many commands did what they do.
    pub worked: usize,
    /// Those that did not, with what was seen.
    pub broken: Vec<(String, String)>,
    /// Those that were not run, with the reason.
    pub not_run: Vec<(String, String)>,
}

/// Everything as numbers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Totals {
    /// Attacks.
    pub attacks: usize,
    /// Attacks that policy asks about or denies.
    pub stopped_by_policy: usize,
    /// Runs of attacks in a tier.
    pub runs: usize,
    /// Runs that did no harm.
    pub held: usize,
    /// Runs that did harm which their tier does not promise to prevent.
    pub residual: usize,
    /// Runs that did harm.
    pub harm: usize,
    /// Commands that should ask nothing.
    pub ordinary: usize,
    /// Those that are held up.
    pub false_asks: usize,
    /// The same, of a hundred.
    pub false_ask_percent: f64,
    /// Runs of ordinary commands that worked.
    pub worked: usize,
    /// Runs that did not.
    pub broken: usize,
}
