//! The rules in force, behind the policy port.

use onward_port::{Policy, PolicyDecision, PolicyRequest, digest};

use crate::decide::decide;
use crate::grant::Grant;
use crate::load::{LayerFile, LayerText, LoadErrors, Parsed, read_files, read_texts};
use crate::rule::Rule;

/// Judges every call by the rules and grants of all layers (seed, section 3).
///
/// A value never changes: to reload, load again and replace it.
#[derive(Clone, Debug)]
pub struct LayeredPolicy {
    rules: Vec<Rule>,
    grants: Vec<Grant>,
    revision: u64,
}

impl LayeredPolicy {
    /// The built-in rules alone.
    pub fn new() -> Self {
        Self::of(crate::builtin::parsed())
    }

    /// The built-in rules, and those of these files. Order does not matter.
    ///
    /// # Errors
    /// All that is wrong with any of the files; then nothing of them is to be used.
    pub fn load(files: &[LayerFile]) -> Result<Self, LoadErrors> {
        read_files(files).map(Self::of)
    }

    /// The built-in rules, and those of these texts.
    ///
    /// # Errors
    /// All that is wrong with any of them.
    pub fn from_texts(layers: &[LayerText<'_>]) -> Result<Self, LoadErrors> {
        read_texts(layers).map(Self::of)
    }

    /// The rules in force, of all layers.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// The grants in force.
    pub fn grants(&self) -> &[Grant] {
        &self.grants
    }

    fn of(Parsed { rules, grants, .. }: Parsed) -> Self {
        let revision = revision_of(&rules, &grants);
        Self { rules, grants, revision }
    }
}

impl Default for LayeredPolicy {
    fn default() -> Self {
        Self::new()
    }
}

impl Policy for LayeredPolicy {
    fn revision(&self) -> u64 {
        self.revision
    }

    fn decide(&self, request: &PolicyRequest<'_>) -> PolicyDecision {
        decide(&self.rules, &self.grants, request)
    }
}

/// A number that follows from what the rules and grants say, whatever their order and words: a decision made under
/// others does not count under these. Four bytes of a digest: exact in every JSON reader.
fn revision_of(rules: &[Rule], grants: &[Grant]) -> u64 {
    let mut texts: Vec<String> = rules.iter().map(Rule::text).chain(grants.iter().map(Grant::text)).collect();
    texts.sort();
    let all = digest(texts.join("\n").as_bytes());
    all.0.iter().take(4).fold(0, |n, byte| (n << 8) | u64::from(*byte))
}
