//! Watching a session: live pieces as they come, records from the feed when it is whole, from the log when it is not.

use std::io::Stdout;
use std::sync::Arc;

use onward_event::{Record, Seq, SessionId};
use onward_port::Log;
use onward_runtime::{LiveEvent, load_records};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{broadcast, oneshot};

use super::{JsonStream, Palette, Progress};

/// Where a session is shown.
pub(crate) enum Screen {
    /// Progress, with the answer at the end on standard output.
    Quiet(Progress),
    /// A conversation, or a demonstration: the answer is part of it.
    Conversation(Progress),
    /// The stream of `--json`.
    Json(JsonStream<Stdout>),
}

impl Screen {
    /// What is left of a screen whose task was lost: the end is still said on standard error.
    pub(crate) fn lost() -> Self {
        Self::Quiet(Progress::new(std::io::stderr(), Palette { colour: false }, false))
    }

    /// A line that is not in the log.
    pub(crate) fn notice(&mut self, text: &str) {
        match self {
            Self::Quiet(progress) => progress.notice(text),
            Self::Conversation(progress) => progress.notice(text),
            Self::Json(_) => {}
        }
    }
}

/// Shows everything after `seen` until told to stop; then shows what is still missing and gives the screen back.
pub(crate) async fn watch(
    log: Arc<dyn Log>,
    session: SessionId,
    mut seen: Seq,
    mut live: broadcast::Receiver<LiveEvent>,
    mut screen: Screen,
    mut stop: oneshot::Receiver<()>,
) -> Screen {
    loop {
        let event = tokio::select! {
            biased;
            event = live.recv() => event,
            _ = &mut stop => break,
        };
        match event {
            Ok(LiveEvent::Committed(records)) => {
                committed(&log, session, &mut seen, &records, &mut screen).await
            }
            Ok(LiveEvent::Delta { attempt, delta }) => match &mut screen {
                Screen::Quiet(_) => {}
                Screen::Conversation(progress) => progress.delta(&delta),
                Screen::Json(stream) => stream.delta(attempt, &delta),
            },
            Ok(LiveEvent::Stalled(why)) => screen.notice(&format!("waiting: {why}")),
            Ok(LiveEvent::Resumed(_)) => screen.notice("the log can be written again; going on"),
            Err(RecvError::Lagged(_)) => catch_up(&log, session, &mut seen, &mut screen).await,
            Err(RecvError::Closed) => break,
        }
    }
    catch_up(&log, session, &mut seen, &mut screen).await;
    screen
}

async fn committed(
    log: &Arc<dyn Log>,
    session: SessionId,
    seen: &mut Seq,
    records: &[Record],
    screen: &mut Screen,
) {
    let whole = records.first().is_some_and(|first| first.seq == seen.next());
    // The stream needs the records' hashes, which only the store has.
    if !whole || matches!(screen, Screen::Json(_)) {
        return catch_up(log, session, seen, screen).await;
    }
    for record in records {
        show(record, screen);
        *seen = record.seq;
    }
}

async fn catch_up(log: &Arc<dyn Log>, session: SessionId, seen: &mut Seq, screen: &mut Screen) {
    // What cannot be read now is shown by whoever looks at the log later; the owner reports a damaged one.
    let Ok(records) = load_records(log.as_ref(), session, *seen).await else { return };
    for (record, hash) in records {
        match screen {
            Screen::Json(stream) => stream.record(&record, hash),
            _ => show(&record, screen),
        }
        *seen = record.seq;
    }
}

fn show(record: &Record, screen: &mut Screen) {
    match screen {
        Screen::Quiet(progress) => progress.record(record),
        Screen::Conversation(progress) => progress.record(record),
        Screen::Json(_) => {}
    }
}
