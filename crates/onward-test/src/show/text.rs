//! The three views.

use onward_wire::from_record;

use super::event::fields;
use super::normal::normalised;
use crate::run::Run;

/// One line for each record: its number, who wrote it, its kind, and what matters about it.
pub fn events(run: &Run) -> String {
    let mut out = String::new();
    for (record, _) in &run.records {
        let who = record.epoch.map_or_else(|| "client".to_owned(), |epoch| format!("owner {}", epoch.0));
        let (kind, fields) = (record.event.kind(), fields(&record.event));
        out.push_str(format!("{:>3} {who} {kind} {fields}", record.seq).trim_end());
        out.push('\n');
    }
    normalised(&out, &run.workspace)
}

/// What the model is shown, one message a line.
pub fn history(run: &Run) -> String {
    let lines =
        run.session.history().iter().map(|message| serde_json::to_string(message).unwrap_or_default());
    normalised(&lines.map(|line| line + "\n").collect::<String>(), &run.workspace)
}

/// What a client is told.
pub fn screen(run: &Run) -> String {
    let told = run.records.iter().filter_map(|(record, hash)| from_record(record, hash));
    let lines = told.map(|line| line.to_line().unwrap_or_default() + "\n");
    normalised(&lines.collect::<String>(), &run.workspace)
}
