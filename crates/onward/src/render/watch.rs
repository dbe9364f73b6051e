//! Watching a session: live pieces as they come, records from the feed when it is whole, from the log when it is not.

use std::io::Stdout;
use std::sync::Arc;

use onward_core::Session;
use onward_event::{AttemptId, Digest, Event, Record, Seq, SessionId};
use onward_port::{Log, ModelDelta};
use onward_runtime::{LiveEvent, load_records};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{broadcast, oneshot};

use super::out::Out;
use super::{JsonStream, Palette, Progress, Words};

/// Where a session is shown.
pub(crate) enum Screen {
    /// Progress, with the answer at the end on standard output.
    Quiet(Progress),
    /// A conversation, or a demonstration: the answer is part of it.
    Conversation(Progress),
    /// The stream of `--json`.
    Json(JsonStream<Out<Stdout>>),
}

impl Screen {
    /// What is left of a screen whose task was lost: the end is still said on standard error.
    pub(crate) fn lost() -> Self {
        Self::Quiet(Progress::new(crate::render::out::stderr(), Palette { colour: false }, Words::Kept))
    }

    /// Goes on with a session of which others have shown what came before.
    pub(crate) fn take_up(&mut self, session: &Session) {
        match self {
            Self::Quiet(progress) | Self::Conversation(progress) => progress.take_up(session),
            Self::Json(_) => {}
        }
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
///
/// Pieces and records are shown in the order in which they happened: a piece never behind the end of its attempt.
pub(crate) async fn watch(
    log: Arc<dyn Log>,
    session: SessionId,
    seen: Seq,
    mut live: broadcast::Receiver<LiveEvent>,
    screen: Screen,
    mut stop: oneshot::Receiver<()>,
) -> Screen {
    let mut watcher = Watcher { log, session, seen, screen, open: None, stalled: None };
    loop {
        let event = tokio::select! {
            biased;
            event = live.recv() => event,
            _ = &mut stop => break,
        };
        match event {
            Ok(LiveEvent::Committed(records)) => watcher.committed(&records).await,
            Ok(LiveEvent::Delta { attempt, delta }) => watcher.delta(attempt, &delta),
            Ok(LiveEvent::Stalled(why)) => watcher.stalled(why),
            Ok(LiveEvent::Stuck(why)) => {
                watcher.screen.notice(&format!("waiting: a command has ended, and {why}"))
            }
            Ok(LiveEvent::Resumed(_)) => watcher.resumed(),
            Err(RecvError::Lagged(_)) => watcher.catch_up(Seq(u64::MAX)).await,
            Err(RecvError::Closed) => break,
        }
    }
    watcher.catch_up(Seq(u64::MAX)).await;
    watcher.screen
}

struct Watcher {
    log: Arc<dyn Log>,
    session: SessionId,
    /// The last record that was shown.
    seen: Seq,
    screen: Screen,
    /// The attempt whose pieces may be shown.
    open: Option<AttemptId>,
    /// Why the log cannot be written, as it was shown.
    stalled: Option<String>,
}

impl Watcher {
    async fn committed(&mut self, records: &[Record]) {
        let (Some(first), Some(last)) = (records.first(), records.last()) else { return };
        // The stream needs the records' hashes, which only the store has. It may have later records too; their turn
        // comes when what lies in between has been shown.
        if first.seq != self.seen.next() || matches!(self.screen, Screen::Json(_)) {
            return self.catch_up(last.seq).await;
        }
        for record in records {
            self.show(record, None);
        }
    }

    /// Shows what the log has, up to this record.
    async fn catch_up(&mut self, last: Seq) {
        // What cannot be read now is shown by whoever looks at the log later; the owner reports a damaged one.
        let Ok(records) = load_records(self.log.as_ref(), self.session, self.seen).await else { return };
        for (record, hash) in records.into_iter().take_while(|(record, _)| record.seq <= last) {
            self.show(&record, Some(hash));
        }
    }

    fn show(&mut self, record: &Record, hash: Option<Digest>) {
        match (&mut self.screen, hash) {
            (Screen::Json(stream), Some(hash)) => stream.record(record, hash),
            (Screen::Json(_), None) => {}
            (Screen::Quiet(progress), _) => progress.record_quietly(record),
            (Screen::Conversation(progress), _) => progress.record(record),
        }
        match &record.event {
            Event::AttemptStart(start) => self.open = Some(start.attempt),
            Event::AttemptEnd(_) => self.open = None,
            _ => {}
        }
        self.seen = record.seq;
    }

    /// Each try fails in the same way, and is told once.
    fn stalled(&mut self, why: String) {
        if self.stalled.as_ref() != Some(&why) {
            self.screen.notice(&format!("waiting: {why}"));
            self.stalled = Some(why);
        }
    }

    fn resumed(&mut self) {
        self.screen.notice("the log can be written again; going on");
        self.stalled = None;
    }

    fn delta(&mut self, attempt: AttemptId, delta: &ModelDelta) {
        if self.open != Some(attempt) {
            return;
        }
        match &mut self.screen {
            Screen::Quiet(progress) | Screen::Conversation(progress) => progress.delta(delta),
            Screen::Json(stream) => stream.delta(attempt, delta),
        }
    }
}
