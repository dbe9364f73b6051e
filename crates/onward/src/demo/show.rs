//! The demo's end: the proof, from the log, and how to look at it.

use onward_event::{Event, Record, Seq, SessionId, text_of};
use onward_runtime::{check_session, load_records};

use super::stage::Stage;
use crate::compose::store_error;
use crate::config::Environment;
use crate::error::{CliError, ErrorKind};
use crate::render::{Style, counted, indented, say};

/// Prints what the log proves: both real outputs of the test, and that the log keeps its promises.
pub(super) async fn proof(
    stage: &Stage,
    environment: &Environment,
    session: SessionId,
) -> Result<(), CliError> {
    let app = stage.app(environment)?;
    let records = load_records(app.ports.log.as_ref(), session, Seq(0)).await.map_err(store_error)?;
    let records: Vec<Record> = records.into_iter().map(|(record, _)| record).collect();
    say!("\n── proof, from the log");
    for (n, (seq, output)) in test_outputs(&records).into_iter().enumerate() {
        say!("run {} of the test (record {seq}):", n + 1);
        for line in indented(&output, Style::Plain) {
            say!("{}", line.text);
        }
    }
    let report = check_session(&app.ports, session, Vec::new())
        .await
        .map_err(|error| CliError::new(ErrorKind::Store, error.to_string()))?;
    match report.is_clean() {
        true => say!("the log: {}, every promise kept", counted(report.records as u64, "record")),
        false => say!(
            "the log: {}, {} broken",
            counted(report.records as u64, "record"),
            counted(report.violations.len() as u64, "promise")
        ),
    }
    let data = stage.data();
    say!("it is in {}\nlook at it with:", data.display());
    for command in ["log", "show", "check"] {
        say!("  onward --data-dir {} {command} {session}", data.display());
    }
    app.store.close();
    Ok(())
}

/// What each run of the test printed.
fn test_outputs(records: &[Record]) -> Vec<(Seq, String)> {
    let is_test = |call| {
        records.iter().any(|record| {
            matches!(&record.event, Event::ToolCall(proposed) if proposed.call == call && proposed.name == "shell")
        })
    };
    let outputs = records.iter().filter_map(|record| match &record.event {
        Event::ToolResult(result) if is_test(result.call) => Some((record.seq, text_of(&result.content))),
        _ => None,
    });
    outputs.collect()
}
