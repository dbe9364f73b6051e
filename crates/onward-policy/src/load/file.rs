//! One file of rules.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::error::LoadError;
use super::fields::{At, Fields};
use super::source::Source;
use super::{grant, rule, syntax};
use crate::grant::Grant;
use crate::layer::Layer;
use crate::rule::Rule;
use crate::suggest::suggestion;

/// Rules and grants of one file.
pub(super) const MAX_ENTRIES: usize = 4_096;

/// What a file holds.
pub(crate) struct Parsed {
    /// Its rules.
    pub(crate) rules: Vec<Rule>,
    /// Its grants.
    pub(crate) grants: Vec<Grant>,
    /// All that is wrong with it.
    pub(crate) errors: Vec<LoadError>,
}

/// Reads the text of a file.
pub(crate) fn parse(layer: Layer, file: &str, text: &str) -> Parsed {
    let mut source = Source::new(layer, file, text);
    let (table, broken) = DeTable::parse_recoverable(text);
    for error in &broken {
        let at = error.span().unwrap_or(0..0);
        let message = error.message().trim();
        let instead = syntax::instead(text, &at, message);
        source.wrong(&at, format!("this is not TOML: {message}"), instead);
    }
    let (mut rules, mut grants): (Vec<At<Rule>>, Vec<Grant>) = (Vec::new(), Vec::new());
    // What is read from a text that is not TOML is not what was meant.
    if broken.is_empty() {
        for (key, value) in table.get_ref() {
            match key.get_ref().as_ref() {
                "rule" => entries(&mut source, "rule", value, |source, fields| {
                    rules.extend(rule::read(source, fields));
                }),
                "grant" => entries(&mut source, "grant", value, |source, fields| {
                    grants.extend(grant::read(source, fields));
                }),
                other => unknown(&mut source, other, &key.span()),
            }
        }
    }
    doubled(&mut source, &rules);
    Parsed { rules: rules.into_iter().map(|rule| rule.it).collect(), grants, errors: source.into_errors() }
}

fn entries<'a>(
    source: &mut Source<'_>,
    what: &'static str,
    value: &'a Spanned<DeValue<'a>>,
    mut read: impl FnMut(&mut Source<'_>, Fields<'a>),
) {
    let Some(items) = value.get_ref().as_array() else {
        source.wrong(
            &value.span(),
            format!("`{what}` must be a list of tables"),
            format!("write [[{what}]] with two brackets"),
        );
        return;
    };
    if items.len() > MAX_ENTRIES {
        source.wrong(&value.span(), format!("there are more than {MAX_ENTRIES} {what}s"), "remove some");
    }
    for item in items.iter().take(MAX_ENTRIES) {
        match item.get_ref().as_table() {
            Some(table) => read(source, Fields::new(table, what, item.span())),
            None => {
                source.wrong(&item.span(), format!("a {what} must be a table"), format!("write [[{what}]]"))
            }
        }
    }
}

fn unknown(source: &mut Source<'_>, key: &str, at: &Range<usize>) {
    let instead = match suggestion(key, ["rule", "grant"]) {
        Some(near) => format!("did you mean [[{near}]]?"),
        None => "a file of rules has [[rule]] and [[grant]]".to_owned(),
    };
    source.wrong(at, format!("there is no `{key}` here"), instead);
}

fn doubled(source: &mut Source<'_>, rules: &[At<Rule>]) {
    for (index, rule) in rules.iter().enumerate() {
        let earlier = rules.iter().take(index).find(|earlier| earlier.it.id == rule.it.id);
        if let Some(earlier) = earlier {
            let what =
                format!("the id `{}` is taken by the rule in line {}", rule.it.id, earlier.it.origin.line);
            source.wrong(&rule.at, what, "give it an id of its own: decisions and grants name rules by it");
        }
    }
}
