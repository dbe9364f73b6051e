//! The task of a session in a few words: those of its first message.

use onward_event::Event;
use onward_port::{LogError, SessionSummary};
use onward_runtime::load_first;

use crate::compose::App;
use crate::render::{content_words, printable};

/// Characters of a task that a line shows.
pub(super) const SHOWN_TASK_CHARS: usize = 60;
/// Records in which the first message of a session is looked for.
const FIRST_RECORDS: usize = 16;

/// The words of the first message, empty if there is none yet; and whether what was read to find it is whole.
pub(super) async fn task(app: &App, summary: &SessionSummary) -> (String, Result<(), LogError>) {
    let log = app.ports.log.as_ref();
    let (records, whole) = load_first(log, summary.session, FIRST_RECORDS).await;
    let words = records.into_iter().find_map(|(record, _)| match record.event {
        Event::InboxReceived(received) => Some(content_words(&received.message.content)),
        _ => None,
    });
    (words.unwrap_or_default(), whole)
}

/// A task on one line, cut to [`SHOWN_TASK_CHARS`]; what is no visible character can be seen.
pub(super) fn shortened(task: &str) -> String {
    let words = printable(&task.split_whitespace().collect::<Vec<_>>().join(" "));
    match words.char_indices().nth(SHOWN_TASK_CHARS) {
        Some((at, _)) => format!("{}…", &words[..at]),
        None => words,
    }
}
