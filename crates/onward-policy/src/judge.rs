//! From rules and the parts of a call to verdicts: the strictest match wins, part by part and over all parts.
//!
//! Nothing here has an order: rules, layers, grants and parts can be shuffled, and the verdict is the same.

use onward_event::{Digest, Mode, Verdict};
use onward_port::digest;

use crate::call::{Call, Kind, Part};
use crate::doubt;
use crate::grant::Grant;
use crate::layer::Layer;
use crate::matching::matches;
use crate::modes::{self, Ceiling};
use crate::reach::PartReach;
use crate::rule::{Rule, RuleSandbox, Special};
use crate::unmatched::{self, Unmatched};

/// Why a part has its verdict.
#[derive(Clone, Debug)]
pub(crate) enum Because<'a> {
    /// These rules, which all say so.
    Rules(Vec<&'a Rule>),
    /// The mode.
    Mode(Ceiling),
    /// These ask, some of them for want of a rule.
    Asked(Asks<'a>),
    /// Grants answer what is asked.
    Granted(Vec<&'a Grant>),
    /// Something asks, and the mode is *bypass*.
    Bypassed,
    /// It was found in a script that cannot be taken apart, and no rule is against it; the script is asked about itself.
    Nothing,
}

/// What asks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Asks<'a> {
    /// Rules.
    pub(crate) rules: Vec<&'a Rule>,
    /// The want of one.
    pub(crate) unmatched: Option<Unmatched>,
}

/// A part with its verdict.
#[derive(Clone, Debug)]
pub(crate) struct Judged<'a> {
    /// The part.
    pub(crate) part: &'a Part,
    /// All rules that are about it.
    pub(crate) matched: Vec<&'a Rule>,
    /// Its verdict.
    pub(crate) verdict: Verdict,
    /// Why.
    pub(crate) because: Because<'a>,
    /// What it may reach.
    pub(crate) reach: PartReach,
}

/// Judges every part of a call.
pub(crate) fn judge<'a>(rules: &'a [Rule], grants: &'a [Grant], call: &'a Call<'_>) -> Vec<Judged<'a>> {
    call.parts.iter().map(|part| judge_part(rules, grants, part, call)).collect()
}

fn judge_part<'a>(rules: &'a [Rule], grants: &'a [Grant], part: &'a Part, call: &Call<'_>) -> Judged<'a> {
    let mut matched: Vec<&Rule> = rules.iter().filter(|rule| matches(rule, part, call)).collect();
    if reads_only(&matched, part) {
        matched.retain(|rule| !rule.is(Special::Protected));
    }
    if doubt::is_doubtful(rules, part, call) {
        matched.retain(|rule| !rule.is(Special::Opaque));
    }
    let with =
        |effect| -> Vec<&Rule> { matched.iter().copied().filter(|rule| rule.effect == effect).collect() };
    let (allows, denies) = (with(Verdict::Allow), with(Verdict::Deny));
    // Without an *allow* the want of one asks too, beside the rules that ask: or a grant that answers one of those rules,
    // which any layer may add, would answer more with it than without.
    let asks = Asks {
        rules: with(Verdict::Ask),
        unmatched: (allows.is_empty() && !part.in_opaque).then(|| unmatched::of(part)),
    };
    let reach = PartReach::of(part, &allows, &asks, call.request.mode);
    let allowed = !allows.is_empty();
    let (verdict, because) = if !denies.is_empty() {
        (Verdict::Deny, Because::Rules(denies))
    } else if let Some(ceiling) = modes::ceiling(call, part, &allows) {
        (Verdict::Deny, Because::Mode(ceiling))
    } else if asks.is_empty() {
        (Verdict::Allow, if allows.is_empty() { Because::Nothing } else { Because::Rules(allows) })
    } else {
        answer(asks, grants, part, call)
    };
    let reach = match &because {
        Because::Granted(grants) => reach.granted(grants, allowed),
        _ => reach,
    };
    Judged { part, matched, verdict, because, reach }
}

/// Whether the program is known to read what it names and to change none of it (`git diff FILE`).
fn reads_only(matched: &[&Rule], part: &Part) -> bool {
    let looks = |rule: &&Rule| {
        rule.effect == Verdict::Allow
            && rule.origin.layer == Layer::BuiltIn
            && rule.sandbox == Some(RuleSandbox::ReadOnly)
    };
    part.kind == Kind::Command && matched.iter().any(looks)
}

fn answer<'a>(asks: Asks<'a>, grants: &'a [Grant], part: &Part, call: &Call<'_>) -> (Verdict, Because<'a>) {
    if call.request.mode == Mode::Bypass {
        return (Verdict::Allow, Because::Bypassed);
    }
    let about: Vec<&Grant> =
        fitting(&asks, grants, part, call).filter(|grant| !grant.is_expired(call.request.now)).collect();
    let answered = |id: &str| about.iter().any(|grant| grant.answers.iter().any(|answer| answer == id));
    if asks.may_be_granted() && asks.ids().iter().all(|id| answered(id)) {
        (Verdict::Allow, Because::Granted(about))
    } else {
        (Verdict::Ask, Because::Asked(asks))
    }
}

/// The grants that answer something of what is asked about this part, if their time is not over.
pub(crate) fn fitting<'a>(
    asks: &Asks<'_>,
    grants: &'a [Grant],
    part: &Part,
    call: &Call<'_>,
) -> impl Iterator<Item = &'a Grant> {
    let said = asks.digest();
    let answers = move |grant: &&Grant| {
        grant.rules.is_none_or(|rules| rules == said) && grant.answers.iter().any(|id| asks.has(id))
    };
    grants.iter().filter(answers).filter(|grant| grant.is_about(part, call))
}

impl Asks<'_> {
    /// Whether nothing asks.
    pub(crate) fn is_empty(&self) -> bool {
        self.rules.is_empty() && self.unmatched.is_none()
    }

    /// The ids, in the order of the alphabet.
    pub(crate) fn ids(&self) -> Vec<String> {
        let mut ids: Vec<String> = self.rules.iter().map(|rule| rule.id.clone()).collect();
        ids.extend(self.unmatched.map(|unmatched| unmatched.id.to_owned()));
        ids.sort();
        ids
    }

    fn has(&self, id: &str) -> bool {
        self.rules.iter().any(|rule| rule.id == id)
            || self.unmatched.is_some_and(|unmatched| unmatched.id == id)
    }

    /// Whether a grant may answer: an administrator's ask has to say so.
    pub(crate) fn may_be_granted(&self) -> bool {
        self.rules.iter().all(|rule| rule.grantable || rule.origin.layer != Layer::Administrator)
    }

    /// What they say, each as a line.
    pub(crate) fn texts(&self) -> Vec<String> {
        let mut texts: Vec<String> = self.rules.iter().map(|rule| rule.text()).collect();
        texts.extend(self.unmatched.map(|unmatched| format!("unmatched {}", unmatched.id)));
        texts.sort();
        texts
    }

    /// Over what they say.
    pub(crate) fn digest(&self) -> Digest {
        digest(self.texts().join("\n").as_bytes())
    }
}

impl Judged<'_> {
    /// The ids of what decided, in the order of the alphabet.
    pub(crate) fn ids(&self) -> Vec<String> {
        let mut ids = match &self.because {
            Because::Rules(rules) => rules.iter().map(|rule| rule.id.clone()).collect(),
            Because::Mode(ceiling) => vec![ceiling.id.to_owned()],
            Because::Asked(asks) => asks.ids(),
            Because::Granted(grants) => grants.iter().map(|grant| grant.id.clone()).collect(),
            Because::Bypassed => vec![modes::BYPASS.to_owned()],
            Because::Nothing => Vec::new(),
        };
        ids.sort();
        ids.dedup();
        ids
    }
}
