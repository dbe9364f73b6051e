//! One damaged log, and the ways to damage one.

use onward_core::check::Report;
use onward_event::{AppendId, Event, Record};

use crate::env::{Env, Stored, check_stored, seal};
use crate::log::Log;

/// A damaged log with the rules that must speak up.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) rules: &'static [u8],
    pub(crate) case: Box<dyn Fn() -> Case>,
}

pub(crate) struct Case {
    pub(crate) records: Vec<Record>,
    pub(crate) env: Env,
    /// What is done to the stored form.
    pub(crate) tamper: fn(&mut Vec<Stored>),
}

/// A good log, then a damage.
pub(crate) fn row(name: &'static str, rules: &'static [u8], log: fn() -> Log, damage: fn(&mut Case)) -> Row {
    let case = move || {
        let mut case = Case::new(log());
        damage(&mut case);
        case
    };
    Row { name, rules, case: Box::new(case) }
}

/// A log that no session makes.
pub(crate) fn bad(name: &'static str, rules: &'static [u8], log: fn() -> Log) -> Row {
    row(name, rules, log, |_| {})
}

/// Changes the n-th event of a kind, counted from 0.
macro_rules! edit {
    ($case:expr, $kind:ident, $nth:expr, |$body:ident| $change:expr) => {{
        let mut bodies = $case.records.iter_mut().filter_map(|record| match &mut record.event {
            onward_event::Event::$kind(body) => Some(body),
            _ => None,
        });
        let $body = bodies.nth($nth).unwrap();
        $change;
    }};
}
pub(crate) use edit;

impl Case {
    pub(crate) fn new(log: Log) -> Self {
        Self { records: log.records, env: Env::default(), tamper: |_| {} }
    }

    pub(crate) fn report(mut self) -> Report {
        let mut stored = seal(&self.records);
        (self.tamper)(&mut stored);
        check_stored(&stored, &mut self.env)
    }

    /// The n-th record of a kind, counted from 0.
    pub(crate) fn find(&self, kind: &str, nth: usize) -> usize {
        let mut places = self.records.iter().enumerate().filter(|(_, record)| record.event.kind() == kind);
        places.nth(nth).unwrap().0
    }

    pub(crate) fn at(&mut self, kind: &str, nth: usize) -> &mut Record {
        let place = self.find(kind, nth);
        &mut self.records[place]
    }

    pub(crate) fn drop(&mut self, kind: &str, nth: usize) {
        let place = self.find(kind, nth);
        self.records.remove(place);
    }

    pub(crate) fn duplicate(&mut self, kind: &str, nth: usize) {
        let place = self.find(kind, nth);
        self.records.insert(place, self.records[place].clone());
    }

    /// Puts an event behind the n-th record of a kind, in the same append.
    pub(crate) fn insert_after(&mut self, kind: &str, nth: usize, event: Event) {
        let place = self.find(kind, nth);
        let record = Record { event, ..self.records[place].clone() };
        self.records.insert(place + 1, record);
    }

    /// Makes the n-th record of a kind, and what follows it in its append, an append of its own.
    pub(crate) fn split_before(&mut self, kind: &str, nth: usize) {
        let place = self.find(kind, nth);
        let append = self.records[place].append.clone();
        for record in self.records[place..].iter_mut().filter(|record| record.append == append) {
            record.append = AppendId("another append".into());
        }
    }
}
