//! The words of plans, as a person reads them.

use onward_core::{Planned, Session, recovery_plan};
use onward_event::Mode;

use super::cases;
use crate::good::{asked, crash_before_request, owned, unknown_waits};
use crate::log::Log;

fn shown(log: &Log) -> String {
    let session = Session::replay(&log.records).unwrap();
    let now = log.records.last().unwrap().at;
    let line = |line: &Planned| {
        let id = line.item.id().unwrap_or_else(|| line.item.kind().to_owned());
        format!("{id} {}: {}", line.then.name(), line.why)
    };
    recovery_plan(&session, now).iter().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn plans_read_like_this() {
    let mut all = String::new();
    let mut cases: Vec<(&str, Log)> = cases::all();
    let mut cut = crash_before_request();
    cut.records.truncate(5);
    cases.push(("a turn whose request was not recorded", cut));
    cases.push(("while the model was asked", owned().turn(&[1]).ask().message(2)));
    cases.push(("a question of an owner that left", asked().release()));
    cases.push(("a new message while a run waits", unknown_waits().message(2).release()));
    cases.push(("a setting that the model must hear of", owned().turn(&[1]).ask().configure(Mode::Auto)));
    cases.push(("nothing at all", owned().turn(&[1]).ask().answer().release()));
    for (name, log) in cases {
        all.push_str(&format!("── {name}\n{}\n", shown(&log)));
    }
    insta::assert_snapshot!(all);
}
