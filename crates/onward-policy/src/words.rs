//! Why, in words: for the person who is asked, for the model that is denied, for the log.

use onward_event::Verdict;

use crate::call::{Call, Kind};
use crate::judge::{Because, Judged};
use crate::layer::Layer;
use crate::rule::{Rule, Special};

/// Parts that one reason speaks of.
const MAX_PARTS: usize = 3;
/// For a file that a command names and most probably only reads.
const UNSURE: &str =
    "it names what other programs execute or trust, and not all of its words are known before it runs";
/// Characters of a command in a reason.
const MAX_SHOWN: usize = 120;

/// The reason of a decision, from the parts that decided.
pub(crate) fn reason(call: &Call<'_>, verdict: Verdict, deciding: &[&Judged<'_>]) -> String {
    let mut sentences: Vec<String> = Vec::new();
    for judged in deciding {
        let why = why(judged);
        // A call of a file tool is what it names; the commands of a script have to be told apart.
        let tell_apart = call.script.is_some() && verdict != Verdict::Allow && !is_ceiling(judged);
        let sentence = match judged.part.kind {
            Kind::Opaque if tell_apart => format!("{}: {why}", judged.part.shown),
            _ if tell_apart => format!("`{}`: {why}", short(&judged.part.shown)),
            _ => why,
        };
        if !sentence.is_empty() && !sentences.contains(&sentence) {
            sentences.push(sentence);
        }
    }
    let more = sentences.len().saturating_sub(MAX_PARTS);
    sentences.truncate(MAX_PARTS);
    if more > 0 {
        sentences.push(format!("and {more} more"));
    }
    sentences.join("; ")
}

fn is_ceiling(judged: &Judged<'_>) -> bool {
    matches!(judged.because, Because::Mode(_))
}

/// Why a part has its verdict.
pub(crate) fn why(judged: &Judged<'_>) -> String {
    match &judged.because {
        Because::Rules(rules) => of_rules(rules),
        Because::Mode(ceiling) => ceiling.reason.to_owned(),
        Because::Asked(asks) => {
            let mut why = if may_only_read(judged) { of_unsure(&asks.rules) } else { of_rules(&asks.rules) };
            if let Some(unmatched) = asks.unmatched.filter(|_| asks.rules.is_empty()) {
                why.push_str(unmatched.reason);
            }
            why
        }
        Because::Granted(grants) => {
            let named: Vec<String> =
                grants.iter().map(|grant| format!("{} ({})", grant.id, grant.origin)).collect();
            format!("the person allowed it for good: {}", named.join(", "))
        }
        Because::Bypassed => "bypass mode asks nothing".to_owned(),
        Because::Nothing => String::new(),
    }
}

/// A command that reads what it names, unless one of its words that are not known turns out to be an option.
fn may_only_read(judged: &Judged<'_>) -> bool {
    let Some(command) = &judged.part.command else { return false };
    judged.part.kind == Kind::Command && command.seems_harmless && !command.harmless
}

fn of_unsure(rules: &[&Rule]) -> String {
    let (protected, others): (Vec<&Rule>, Vec<&Rule>) =
        rules.iter().copied().partition(|rule| rule.is(Special::Protected));
    let said = (!protected.is_empty()).then(|| UNSURE.to_owned());
    let others = Some(of_rules(&others)).filter(|others| !others.is_empty());
    [said, others].into_iter().flatten().collect::<Vec<_>>().join("; ")
}

fn of_rules(rules: &[&Rule]) -> String {
    let mut rules = rules.to_vec();
    rules.sort_by(|a, b| (a.origin.layer, &a.id).cmp(&(b.origin.layer, &b.id)));
    let mut sentences: Vec<String> = Vec::new();
    for sentence in rules.into_iter().map(of_rule) {
        if !sentences.contains(&sentence) {
            sentences.push(sentence);
        }
    }
    sentences.join("; ")
}

fn of_rule(rule: &Rule) -> String {
    if rule.origin.layer == Layer::BuiltIn && !rule.reason.is_empty() {
        return rule.reason.clone();
    }
    let does = match rule.effect {
        Verdict::Allow => "allows it",
        Verdict::Ask => "asks",
        Verdict::Deny => "denies it",
    };
    let said = format!("the {} rule {} ({}) {does}", rule.origin.layer.name(), rule.id, rule.origin);
    if rule.reason.is_empty() { said } else { format!("{said}: {}", rule.reason) }
}

fn short(text: &str) -> String {
    if text.chars().count() <= MAX_SHOWN {
        return text.to_owned();
    }
    let start: String = text.chars().take(MAX_SHOWN).collect();
    format!("{start}…")
}
