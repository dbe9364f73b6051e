//! The built-in rules behind the policy port.

use std::fmt::Write as _;

use onward_port::{Policy, PolicyDecision, PolicyRequest, digest};

use crate::judge::judge;
use crate::{BUILTIN, Rule};

/// Judges every call by the built-in rules.
#[derive(Clone, Copy, Debug)]
pub struct FixedPolicy {
    revision: u64,
}

impl FixedPolicy {
    /// The built-in rules.
    pub fn new() -> Self {
        Self { revision: revision_of(BUILTIN) }
    }
}

impl Default for FixedPolicy {
    fn default() -> Self {
        Self::new()
    }
}

impl Policy for FixedPolicy {
    fn revision(&self) -> u64 {
        self.revision
    }

    fn decide(&self, request: &PolicyRequest<'_>) -> PolicyDecision {
        judge(BUILTIN, request)
    }
}

/// A number that follows from what the rules say, so that nobody has to remember to raise it: a decision made by an
/// older binary with other rules does not count in this one. Four bytes of a digest: exact in every JSON reader.
fn revision_of(rules: &[Rule]) -> u64 {
    let mut text = String::new();
    for Rule { id, effect, modes, risks, when, ceiling, reason: _ } in rules {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{id} {effect:?} {modes:?} {risks:?} {when:?} {ceiling}");
    }
    digest(text.as_bytes()).0.iter().take(4).fold(0, |n, byte| (n << 8) | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;
    use onward_event::Verdict;

    #[test]
    fn the_revision_follows_the_rules_and_not_their_words() {
        let base = revision_of(BUILTIN);
        assert_eq!(base, FixedPolicy::new().revision());
        let mut rules = BUILTIN.to_vec();
        rules[0].reason = "other words";
        assert_eq!(revision_of(&rules), base);
        rules[0].effect = Verdict::Deny;
        assert_ne!(revision_of(&rules), base);
        assert_ne!(revision_of(&BUILTIN[1..]), base);
    }
}
