//! `match` and `not_match`: argument vectors that a rule must match, and must not. A rule whose examples do not hold is
//! not what its writer thinks it is.

use onward_event::Verdict;
use toml::Spanned;
use toml::de::DeValue;

use super::fields::{At, Fields, texts_of};
use super::source::Source;
use crate::rule::Rule;

/// The examples of one rule.
#[derive(Default)]
pub(super) struct Examples {
    yes: Vec<At<Vec<String>>>,
    no: Vec<At<Vec<String>>>,
}

/// Reads both lists.
pub(super) fn read(source: &mut Source<'_>, fields: &mut Fields<'_>) -> Examples {
    let yes = fields.value("match").map(|value| vectors(source, value, "match"));
    let no = fields.value("not_match").map(|value| vectors(source, value, "not_match"));
    Examples { yes: yes.unwrap_or_default(), no: no.unwrap_or_default() }
}

/// Holds a rule to its examples. Only words are compared: what programs are on this machine does not matter.
pub(super) fn check(source: &mut Source<'_>, rule: &Rule, examples: &Examples) {
    for (list, expected) in [(&examples.yes, true), (&examples.no, false)] {
        for example in list {
            let Some(pattern) = &rule.argv else {
                source.wrong(
                    &example.at,
                    "the rule has no `argv` that an example could match",
                    "add one, or remove the examples",
                );
                return;
            };
            let program = |word: &str| example.it.first().is_some_and(|first| first == word);
            let matches = match rule.effect {
                Verdict::Allow => pattern.covers(&example.it, program),
                Verdict::Ask | Verdict::Deny => pattern.may_match(&example.it, true, program),
            };
            if matches != expected {
                let (does, must) =
                    if matches { ("matches", "not_match") } else { ("does not match", "match") };
                let what = format!("the rule {does} `{}`, which stands in `{must}`", example.it.join(" "));
                source.wrong(&example.at, what, "correct `argv`, or the example");
            }
        }
    }
}

fn vectors(source: &mut Source<'_>, value: &Spanned<DeValue<'_>>, key: &str) -> Vec<At<Vec<String>>> {
    let Some(items) = value.get_ref().as_array() else {
        let instead = format!("write {key} = [[\"npm\", \"test\"]]");
        source.wrong(&value.span(), format!("`{key}` must be a list of argument vectors"), instead);
        return Vec::new();
    };
    let mut vectors = Vec::new();
    for item in items {
        if let Some(words) = texts_of(source, item, key) {
            vectors.push(At { it: words.into_iter().map(|word| word.it).collect(), at: item.span() });
        }
    }
    vectors
}
