//! Rules under a configuration that is wrong: what they deny stays denied, and everything else is asked about. Whoever
//! only stops things can do so, and nothing starts on the way under a containment that the person did not mean.

use onward_event::{Digest, Verdict};
use onward_port::{Policy, PolicyDecision, PolicyRequest, digest};

use super::LivePolicy;

/// What asks while the configuration is wrong.
const SUSPENDED: &str = "configuration-unusable";

/// Rules that allow nothing.
pub(crate) struct SuspendedPolicy {
    rules: LivePolicy,
    why: String,
    digest: Digest,
}

impl SuspendedPolicy {
    /// These rules, because of what is wrong with the configuration.
    pub(crate) fn new(rules: LivePolicy, why: &str) -> Self {
        Self { rules, why: why.to_owned(), digest: digest(why.as_bytes()) }
    }
}

impl Policy for SuspendedPolicy {
    fn revision(&self) -> u64 {
        // Another number than that of the rules alone, and as small: exact in every JSON reader.
        let first = self.digest.0.iter().take(4).fold(0, |n, byte| (n << 8) | u64::from(*byte));
        self.rules.revision() ^ first
    }

    fn decide(&self, request: &PolicyRequest<'_>) -> PolicyDecision {
        let decision = self.rules.decide(request);
        if decision.verdict == Verdict::Deny {
            return decision;
        }
        let mut rules = vec![SUSPENDED.to_owned()];
        if decision.verdict == Verdict::Ask {
            rules.extend(decision.rules);
        }
        PolicyDecision {
            verdict: Verdict::Ask,
            rules,
            reason: format!(
                "the configuration is wrong, and until it is right everything is asked about: {}",
                self.why
            ),
            rules_digest: Some(self.digest),
            always: None,
            ..decision
        }
    }
}
