//! From rules and a call to a decision: the strictest match wins.

use onward_event::{FileAccess, NetworkAccess, Verdict};
use onward_port::{PolicyDecision, PolicyRequest, Reach};

use crate::Rule;

/// The id under which a call is asked about that no rule matches; an approval can name it like any other.
pub(crate) const UNMATCHED: &str = "unmatched-ask";

/// What commands reach.
const REACH: Reach = Reach { files: FileAccess::WorkspaceWrite, network: NetworkAccess::Open };

/// Judges one call by these rules; their order does not matter for the verdict.
pub(crate) fn judge(rules: &[Rule], request: &PolicyRequest<'_>) -> PolicyDecision {
    let matched: Vec<&Rule> = rules.iter().filter(|rule| rule.matches(request)).collect();
    let Some(verdict) = matched.iter().map(|rule| rule.effect).max() else {
        return unmatched(request);
    };
    let deciding: Vec<&Rule> = matched.into_iter().filter(|rule| rule.effect == verdict).collect();
    PolicyDecision {
        verdict,
        rules: deciding.iter().map(|rule| rule.id.to_owned()).collect(),
        risk: request.plan.risk,
        reason: reason_of(&deciding),
        // When a rule denies as well, another mode would not help, so the mode is not to blame.
        by_mode: verdict == Verdict::Deny && deciding.iter().all(|rule| rule.ceiling),
        reach: REACH,
        rendered: None,
        files: Vec::new(),
        rules_digest: None,
        always: None,
    }
}

fn unmatched(request: &PolicyRequest<'_>) -> PolicyDecision {
    PolicyDecision {
        verdict: Verdict::Ask,
        rules: vec![UNMATCHED.to_owned()],
        risk: request.plan.risk,
        reason: format!("no rule says whether `{}` may do this, so the person decides", request.tool),
        by_mode: false,
        reach: REACH,
        rendered: None,
        files: Vec::new(),
        rules_digest: None,
        always: None,
    }
}

fn reason_of(deciding: &[&Rule]) -> String {
    deciding.iter().map(|rule| rule.reason).collect::<Vec<_>>().join("; ")
}
