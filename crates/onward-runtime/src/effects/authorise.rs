//! Authorising a call: plan it on the world as it is now, and have policy judge the plan (seed, section 3).

use std::sync::Arc;

use onward_core::{Authorisation, Authorised, Input, Supervised};
use onward_event::{Basis, CallId, Digest, Mode, Verdict, Workspace};
use onward_port::{
    Clock, Policy, PolicyDecision, PolicyRequest, Redactor, Supervision, Tool, ToolFault, ToolPlan,
    definition_digest,
};
use serde_json::Value;

use super::{Outcome, fault_report};

/// One call to judge.
pub(crate) struct Authorise {
    pub(crate) call: CallId,
    pub(crate) name: String,
    pub(crate) tool: Option<Arc<dyn Tool>>,
    pub(crate) input: Value,
    pub(crate) mode: Mode,
    pub(crate) workspace: Workspace,
    pub(crate) policy: Arc<dyn Policy>,
    pub(crate) redactor: Redactor,
    /// The revision of the settings that `mode` is from.
    pub(crate) config: u64,
    pub(crate) clock: Arc<dyn Clock>,
}

impl Authorise {
    pub(crate) async fn perform(self) -> Outcome {
        let authorised = match &self.tool {
            None => {
                let message = format!("the tool `{}` is not available any more", self.name);
                Authorised::Fault(fault_report(ToolFault::new("tool_unavailable", message)))
            }
            Some(tool) => match tool.plan(&self.input).await {
                Ok(plan) => Authorised::Judged(Box::new(self.judge(tool.as_ref(), plan))),
                Err(fault) => Authorised::Fault(fault_report(fault)),
            },
        };
        Outcome::input(Input::Authorised { call: self.call, authorised })
    }

    fn judge(&self, tool: &dyn Tool, plan: ToolPlan) -> Authorisation {
        // Before the decision: rules that change while it is made void it.
        let basis = Basis { policy: self.policy.revision(), config: self.config };
        let supervision = tool.supervision(&self.input);
        let definition = definition_digest(tool.definition());
        let decision = self.policy.decide(&PolicyRequest {
            tool: &self.name,
            version: &tool.definition().version,
            definition,
            input: &self.input,
            plan: &plan,
            mode: self.mode,
            workspace: &self.workspace,
            containment: supervision.as_ref().map(|supervision| &supervision.containment),
            now: self.clock.now(),
        });
        redacted(&self.redactor, authorisation(basis, definition, plan, decision, supervision))
    }
}

fn authorisation(
    basis: Basis,
    definition: Digest,
    plan: ToolPlan,
    decision: PolicyDecision,
    supervision: Option<Supervision>,
) -> Authorisation {
    let sandbox = supervision.as_ref().map(|supervision| supervision.containment.within(decision.reach));
    Authorisation {
        basis,
        verdict: decision.verdict,
        rules: decision.rules,
        risk: decision.risk,
        reason: decision.reason,
        by_mode: decision.by_mode,
        resources: plan.resources,
        preview: plan.preview,
        files: decision.files,
        rules_digest: decision.rules_digest,
        definition: (decision.verdict == Verdict::Ask).then_some(definition),
        always: decision.always,
        sandbox,
        rendered: decision.rendered,
        semantics: plan.semantics,
        supervised: supervision.map(|Supervision { place, background, .. }| Supervised { place, background }),
    }
}

/// What an approval would be bound to, as the record of the question holds it: the two are compared. Policy has judged
/// the true names.
fn redacted(redactor: &Redactor, mut judged: Authorisation) -> Authorisation {
    judged.resources = judged.resources.into_iter().map(|resource| redactor.string(resource)).collect();
    for file in &mut judged.files {
        file.path = redactor.string(std::mem::take(&mut file.path));
    }
    judged
}
