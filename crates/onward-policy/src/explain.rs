//! Why a call is decided as it is: every part that was found, every rule that is about it, and what follows.

use std::fmt;

use onward_event::{OnUnknown, Recovery, Risk, Semantics, Verdict};
use onward_port::{PlannedCommand, PlannedEffects, PolicyDecision, PolicyRequest, ToolPlan};

use crate::call::Call;
use crate::decide::conclude;
use crate::judge::{Because, Judged, judge};
use crate::policy::LayeredPolicy;
use crate::rule::Rule;
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
}

/// A rule in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleLine {
    /// Its id.
    pub id: String,
    /// Its effect.
    pub effect: Verdict,
    /// Whose it is.
    pub layer: &'static str,
    /// Where it stands.
    pub place: String,
    /// Why it is there.
    pub reason: String,
}

impl LayeredPolicy {
    /// Explains the decision on a call.
    pub fn explain(&self, request: &PolicyRequest<'_>) -> Explanation {
        let call = Call::new(request);
        let judged = judge(self.rules(), self.grants(), &call);
        Explanation {
            parts: judged.iter().map(part).collect(),
            opaque: call.script.as_ref().and_then(|script| script.opaque.clone()),
            decision: conclude(&call, &judged),
        }
    }

    /// All rules in force, by layer and id.
    pub fn list(&self) -> Vec<RuleLine> {
        let mut rules: Vec<&Rule> = self.rules().iter().collect();
        rules.sort_by(|a, b| (a.origin.layer, &a.id).cmp(&(b.origin.layer, &b.id)));
        rules.into_iter().map(line).collect()
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

fn part(judged: &Judged<'_>) -> ExplainedPart {
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
        matched: matched.into_iter().map(line).collect(),
    }
}

fn line(rule: &Rule) -> RuleLine {
    RuleLine {
        id: rule.id.clone(),
        effect: rule.effect,
        layer: rule.origin.layer.name(),
        place: rule.origin.to_string(),
        reason: rule.reason.clone(),
    }
}

impl fmt::Display for RuleLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<5} {} ({}", verdict(self.effect), self.id, self.layer)?;
        if self.place != self.layer {
            write!(f, ", {}", self.place)?;
        }
        f.write_str(")")?;
        if self.reason.is_empty() { Ok(()) } else { write!(f, ": {}", self.reason) }
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PolicyDecision { verdict: decided, rules, risk, reason, .. } = &self.decision;
        writeln!(f, "{} (risk: {}; by {})", verdict(*decided), risk.name(), rules.join(", "))?;
        writeln!(f, "  {reason}")?;
        for part in &self.parts {
            writeln!(f, "{}", part.what)?;
            writeln!(f, "  {} ({})", verdict(part.verdict), part.by.join(", "))?;
            for rule in &part.matched {
                writeln!(f, "    {rule}")?;
            }
        }
        Ok(())
    }
}

fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Allow => "allow",
        Verdict::Ask => "ask",
        Verdict::Deny => "deny",
    }
}
