//! Forgetting executions: only when their results are on disk in the log, because until then their folders are the
//! only ones who know.

use std::collections::BTreeSet;

use onward_core::{CallPhase, Job, Session};
use onward_event::{
    AppendId, CallId, Event, Handle, JobId, MessageId, NoticeAdded, NoticeReason, Record, Seq, ToolStart,
};
use onward_port::{Append, Appended, Begun, Expect};

use super::{Owner, OwnerError};

/// Records that are looked through at a time.
const WINDOW: u64 = 1_024;

/// How often an append is decided on again because somebody else was faster.
const TRIES: usize = 64;

impl Owner {
    /// Notes which calls were answered, and which jobs have ended. A synced append puts on disk what came before it, too.
    pub(super) fn note_answered(&mut self, events: &[Event], synced: bool) {
        let over = events.iter().filter_map(over).filter(|call| !is_open_job(&self.session, *call));
        self.answered.extend(over);
        if synced {
            self.over.append(&mut self.answered);
        }
    }

    /// Forgets the executions whose ends are on disk. To be called before what is due is started: between that and the
    /// next look at whether to stop, nothing else may be awaited.
    pub(super) async fn forget_over(&mut self) {
        let over = std::mem::take(&mut self.over);
        let Some(executor) = self.ports.executor.clone() else { return };
        for call in over {
            for name in executor.known(&format!("{}.{call}.", self.id)).await {
                executor.forget(&name).await;
            }
        }
    }

    /// What earlier owners left behind: executions of this session whose calls are not open any more. Taking ownership
    /// has put everything before it on disk.
    ///
    /// Only what the log names is forgotten. An execution is named there before it begins, so one that began and has no
    /// name there proves that the log has lost its end. It stays where it is, and the log says so.
    pub(super) async fn sweep(&mut self) -> Result<(), OwnerError> {
        let Some(executor) = self.ports.executor.clone() else { return Ok(()) };
        let mut over = executor.known(&format!("{}.", self.id)).await;
        over.retain(|name| !self.needs(name));
        let Named { begun, told } = self.named(&over).await?;
        let mut lost = Vec::new();
        for name in over {
            if begun.contains(&name) {
                executor.forget(&name).await;
                continue;
            }
            match executor.find(&name, &executor.place()).await {
                // Its owner died between making its place and naming it.
                Begun::No(_) => executor.forget(&name).await,
                // Started again under the same name, it is found there.
                Begun::Yes | Begun::Unknown(_) if self.is_open(&name) => {}
                Begun::Yes | Begun::Unknown(_) => lost.push(name),
            }
        }
        lost.retain(|name| !told.contains(name));
        if lost.is_empty() { Ok(()) } else { self.tell_of_lost(&lost).await }
    }

    /// Whether the call of this execution has no answer.
    fn is_open(&self, name: &str) -> bool {
        call_of(name).is_some_and(|call| self.session.call(call).is_some_and(|call| !call.is_answered()))
    }

    /// Whether the call of this execution runs, or goes on as a job. A name that is none of ours is nobody's to forget.
    fn needs(&self, name: &str) -> bool {
        let Some(call) = call_of(name) else { return true };
        let phase = self.session.call(call).map(|call| &call.phase);
        matches!(phase, Some(CallPhase::Started { .. })) || is_open_job(&self.session, call)
    }

    /// Which of these the log names, from its end on: what was left behind is hardly ever old.
    async fn named(&self, names: &[String]) -> Result<Named, OwnerError> {
        let mut named = Named::default();
        let mut end = self.session.head();
        while end > Seq(0) && names.iter().any(|name| !named.has(name)) {
            let after = Seq(end.0.saturating_sub(WINDOW));
            let count = usize::try_from(end.0 - after.0).unwrap_or(usize::MAX);
            for stored in self.ports.log.read(self.id, after, count).await? {
                // Opening has verified what matters; a record that this version cannot read names nothing for it.
                let Ok(record) = Record::from_bytes(&stored.bytes) else { continue };
                named.by(&record.event, names);
            }
            end = after;
        }
        Ok(named)
    }

    async fn tell_of_lost(&mut self, names: &[String]) -> Result<(), OwnerError> {
        let text = format!(
            "The end of this session's log was lost: commands ran that it does not know. What they did is done; look \
             before doing it again. Their output is kept in the folder of executions: {}",
            names.join(", ")
        );
        let event = Event::from(NoticeAdded { text, reason: NoticeReason::Recovered, cause: None });
        for _ in 0..TRIES {
            let append = Append {
                session: self.id,
                expect: Expect::Head { seq: self.session.head(), epoch: self.epoch },
                id: AppendId(MessageId::from_bits(self.ports.ids.next()).to_string()),
                at: self.ports.clock.now(),
                by: None,
                events: vec![event.clone()],
                blobs: Vec::new(),
                ends_side: Vec::new(),
                sync: true,
            };
            let appended = self.ports.log.append(append).await?;
            self.catch_up().await?;
            if let Appended::Committed { .. } = appended {
                return Ok(());
            }
        }
        // Somebody speaks without a pause. The next owner tells it: the executions are kept.
        Ok(())
    }
}

/// What a log says about executions.
#[derive(Default)]
struct Named {
    /// It says that they were to begin.
    begun: BTreeSet<String>,
    /// It says that it does not know them.
    told: BTreeSet<String>,
}

impl Named {
    fn has(&self, name: &String) -> bool {
        self.begun.contains(name) || self.told.contains(name)
    }

    fn by(&mut self, event: &Event, names: &[String]) {
        match event {
            Event::ToolStart(ToolStart { handle: Handle::Supervised { name, .. }, .. }) => {
                self.begun.insert(name.clone());
            }
            Event::NoticeAdded(notice) => {
                let words = |name: &&String| notice.text.split([' ', ',']).any(|word| word == *name);
                self.told.extend(names.iter().filter(words).cloned());
            }
            _ => {}
        }
    }
}

fn call_of(name: &str) -> Option<CallId> {
    name.split('.').nth(1)?.parse().ok()
}

/// Whether the call goes on as a job: then its execution is needed until the job has ended.
fn is_open_job(session: &Session, call: CallId) -> bool {
    session.job(JobId::of(call)).is_some_and(Job::is_open)
}

/// The call whose answer, or whose job's end, this is.
fn over(event: &Event) -> Option<CallId> {
    match event {
        Event::ToolResult(result) => Some(result.call),
        Event::ToolCancelled(cancelled) => Some(cancelled.call),
        Event::ToolOutcomeUnknown(unknown) => Some(unknown.call),
        Event::JobPhase(phase) if phase.phase.is_end() => Some(phase.job.call()),
        _ => None,
    }
}
