//! The simulated rules: a verdict for each call that stays the same until the rules change.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use onward_event::{FileAccess, Mode, NetworkAccess, Risk, Verdict};
use onward_port::{Policy, PolicyDecision, PolicyRequest, Reach, digest};

use super::world::World;

/// The rules of a world.
pub(super) struct SimPolicy(pub(super) Arc<World>);

impl Policy for SimPolicy {
    fn revision(&self) -> u64 {
        self.0.rules.load(Ordering::Relaxed)
    }

    fn decide(&self, request: &PolicyRequest<'_>) -> PolicyDecision {
        let risk = request.plan.risk;
        let by_mode = risk != Risk::Read && matches!(request.mode, Mode::Plan | Mode::ReadOnly);
        let what = format!("{} {} {}", self.revision(), request.tool, request.input);
        let drawn = digest(what.as_bytes()).0[0] % 16;
        let verdict = match (by_mode, risk, request.mode, drawn) {
            (true, ..) => Verdict::Deny,
            (_, Risk::Read, ..) => Verdict::Allow,
            (.., 0) => Verdict::Deny,
            (_, _, Mode::Normal, 1..=6) => Verdict::Ask,
            (.., 1..=2) => Verdict::Ask,
            _ => Verdict::Allow,
        };
        PolicyDecision {
            verdict,
            rules: vec!["simulated".into()],
            risk,
            reason: "so it was drawn".into(),
            by_mode,
            reach: Reach { files: FileAccess::WorkspaceWrite, network: NetworkAccess::Closed },
            rendered: None,
            files: Vec::new(),
            rules_digest: (verdict == Verdict::Ask).then(|| digest(&self.revision().to_le_bytes())),
            always: None,
        }
    }
}
