//! A file of configuration: TOML, of which every key must be known, each with its line.

use std::path::Path;

use toml::de::{DeTable, DeValue};

use super::environment::Environment;
use super::given::{Given, Raw, Wrong};
use super::keys::{Found, KEYS, ProjectMay, find, written};
use super::paths;
use super::problem;
use super::settings::Config;
use super::source::{FileLayer, Source};
use crate::error::CliError;

/// A file that was read.
pub(super) struct File<'a> {
    /// Whose.
    pub(super) layer: FileLayer,
    /// Where.
    pub(super) path: &'a Path,
    /// What it says.
    pub(super) text: &'a str,
}

/// Takes a file into the configuration, as far as it is understood. Gives everything that is wrong with it, each with its
/// line, in the order of the file.
pub(super) fn apply(file: &File<'_>, environment: &Environment, config: &mut Config) -> Vec<CliError> {
    let (document, errors) = DeTable::parse_recoverable(file.text);
    let faults = errors.iter().map(|error| {
        // Only the message: the whole error would show the line, and a key may stand in it.
        problem::not_toml(&file.source(error.span().map_or(0, |span| span.start)), error.message())
    });
    let mut walk = Walk { file, environment, config, faults: faults.collect() };
    walk.table(document.get_ref(), &mut Vec::new());
    walk.faults
}

impl File<'_> {
    fn source(&self, offset: usize) -> Source {
        let before = self.text.as_bytes().iter().take(offset);
        let line = 1 + before.filter(|byte| **byte == b'\n').count();
        Source::File { layer: self.layer, path: self.path.to_owned(), line }
    }
}

struct Walk<'a> {
    file: &'a File<'a>,
    environment: &'a Environment,
    config: &'a mut Config,
    faults: Vec<CliError>,
}

impl Walk<'_> {
    fn table(&mut self, table: &DeTable<'_>, path: &mut Vec<String>) {
        // In the order of the file, so that the first error is the first one that a reader meets.
        let mut items: Vec<_> = table.iter().collect();
        items.sort_by_key(|(key, _)| key.span().start);
        for (key, value) in items {
            path.push(key.get_ref().as_ref().to_owned());
            self.item(&self.file.source(key.span().start), value.get_ref(), path);
            path.pop();
        }
    }

    fn item(&mut self, source: &Source, value: &DeValue<'_>, path: &mut Vec<String>) {
        let fault = match (find(path), value) {
            (Found::Table, DeValue::Table(table)) => return self.table(table, path),
            (Found::Table, _) => problem::bad_value(source, &written(path), Wrong::is("must be a table")),
            (Found::Nothing(siblings), _) => unknown(source, path, &siblings),
            (Found::Key(key, _), _) if source.is_project() && key.project == ProjectMay::Not => {
                let user_file = paths::user_file(self.environment);
                problem::not_for_projects(source, &written(path), user_file.as_deref())
            }
            (Found::Key(key, names), value) => {
                let given = Given { names: &names, raw: &raw(value), source, environment: self.environment };
                match (key.set)(self.config, given) {
                    Ok(()) => return,
                    Err(wrong) => problem::bad_value(source, &written(path), wrong),
                }
            }
        };
        self.faults.push(fault);
    }
}

fn raw(value: &DeValue<'_>) -> Raw {
    match value {
        DeValue::String(text) => Raw::Text(text.to_string()),
        DeValue::Integer(number) => match i64::from_str_radix(number.as_str(), number.radix()) {
            Ok(number) => Raw::Integer(number),
            Err(_) => Raw::Other("a number that is too large"),
        },
        DeValue::Float(number) => Raw::Decimal(number.as_str().to_owned()),
        DeValue::Boolean(_) => Raw::Other("true or false"),
        DeValue::Datetime(_) => Raw::Other("a date"),
        DeValue::Array(items) => {
            let texts: Option<Vec<String>> =
                items.iter().map(|item| item.get_ref().as_str().map(str::to_owned)).collect();
            texts.map_or(Raw::Other("a list with something else in it"), Raw::List)
        }
        DeValue::Table(_) => Raw::Other("a table"),
    }
}

/// A key that is right but stands in the wrong table is the most frequent slip: it is looked for everywhere.
fn unknown(source: &Source, path: &[String], siblings: &[&str]) -> CliError {
    let last = path.last().map_or("", String::as_str);
    let named_so = KEYS.iter().filter(|key| key.path.last() == Some(&last) && !key.path.contains(&"*"));
    let elsewhere: Vec<String> = named_so.map(|key| key.path.join(".")).collect();
    problem::unknown_key(source, &written(path), last, siblings, &elsewhere)
}
