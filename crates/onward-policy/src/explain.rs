//! Why a call is decided as it is: every part that was found, every rule that is about it, and what follows.

use std::fmt;

use onward_event::{OnUnknown, Recovery, Risk, Semantics, Verdict};
use onward_port::{PlannedCommand, PlannedEffects, PolicyDecision, PolicyRequest, ToolPlan};

use crate::call::Call;
use crate::decide::conclude;
use crate::grant::Grant;
use crate::judge::{Because, Judged, fitting, judge};
use crate::list::{GrantLine, RuleLine};
use crate::policy::LayeredPolicy;
use crate::words;

/// The explanation of a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// Each part of the call.
    pub parts: Vec<ExplainedPart>,
    /// Why the script could not be taken apart, when it is one that could not.
    pub opaque: Option<String>,
    /// What is decided.
    pub decision: PolicyDecision,
}

/// A part of a call, with all that was said about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExplainedPart {
    /// The command, or the file and what is done with it.
    pub what: String,
    /// How dangerous it is.
    pub risk: Risk,
    /// Its verdict.
    pub verdict: Verdict,
    /// The ids of what decided.
    pub by: Vec<String>,
    /// Why.
    pub why: String,
    /// All rules that are about it, the strictest first.
    pub matched: Vec<RuleLine>,
    /// Grants that would answer something of what is asked, were their time not over.
    pub expired: Vec<GrantLine>,
}

impl LayeredPolicy {
    /// Explains the decision on a call.
    pub fn explain(&self, request: &PolicyRequest<'_>) -> Explanation {
        let call = Call::new(request);
        let judged = judge(self.rules(), self.grants(), &call);
        Explanation {
            parts: judged.iter().map(|judged| part(judged, self.grants(), &call)).collect(),
            opaque: call.script.as_ref().and_then(|script| script.opaque.clone()),
            decision: conclude(&call, &judged),
        }
    }
}

/// The plan of a command that nobody has proposed, to explain what would be decided on it.
pub fn plan_of_command(command: PlannedCommand) -> ToolPlan {
    ToolPlan {
        risk: Risk::Shell,
        semantics: Semantics::Possible(Recovery::Manual(OnUnknown::Ask)),
        resources: vec![command.dir.clone()],
        preview: command.script.clone(),
        effects: PlannedEffects { command: Some(command), ..PlannedEffects::default() },
    }
}

fn part(judged: &Judged<'_>, grants: &[Grant], call: &Call<'_>) -> ExplainedPart {
    let mut matched = judged.matched.clone();
    matched.sort_by(|a, b| b.effect.cmp(&a.effect).then_with(|| a.id.cmp(&b.id)));
    let why = match judged.because {
        Because::Nothing => "no rule is against it; the whole script is asked about".to_owned(),
        _ => words::why(judged),
    };
    ExplainedPart {
        what: judged.part.shown.clone(),
        risk: judged.part.risk(),
        verdict: judged.verdict,
        by: judged.ids(),
        why,
        matched: matched.into_iter().map(RuleLine::of).collect(),
        expired: expired(judged, grants, call),
    }
}

fn expired(judged: &Judged<'_>, grants: &[Grant], call: &Call<'_>) -> Vec<GrantLine> {
    let Because::Asked(asks) = &judged.because else { return Vec::new() };
    let now = call.request.now;
    let over = fitting(asks, grants, judged.part, call).filter(|grant| grant.is_expired(now));
    over.map(|grant| GrantLine::of(grant, now)).collect()
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PolicyDecision { verdict: decided, rules, risk, reason, .. } = &self.decision;
        writeln!(f, "{} (risk: {}; by {})", decided.name(), risk.name(), rules.join(", "))?;
        writeln!(f, "  {reason}")?;
        for part in &self.parts {
            writeln!(f, "{}", part.what)?;
            writeln!(f, "  {} ({})", part.verdict.name(), part.by.join(", "))?;
            for rule in &part.matched {
                writeln!(f, "    {rule}")?;
            }
            for grant in &part.expired {
                writeln!(f, "    {grant}")?;
            }
        }
        Ok(())
    }
}
