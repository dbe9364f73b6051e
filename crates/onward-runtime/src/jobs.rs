//! The session's jobs, as its calls see them while they run: a board that the owner keeps, and a desk that reads it.

use std::sync::Arc;

use onward_core::{Job, Session};
use onward_event::{
    AppendId, By, CallId, Handle, JobCancelRequested, JobId, JobState, Place, SessionId, Timestamp,
};
use onward_port::{Append, BoxFuture, Cancel, Clock, JobView, Jobs, Log, ToolFault};
use tokio::sync::watch;

/// What the owner says about its jobs, for those who look and those who wait.
#[derive(Debug)]
pub(crate) struct Board(watch::Sender<Arc<Vec<JobView>>>);

impl Board {
    /// As the session stands.
    pub(crate) fn new(session: &Session) -> Self {
        Self(watch::channel(Arc::new(views(session))).0)
    }

    /// After each change of the session.
    pub(crate) fn show(&self, session: &Session) {
        let now = views(session);
        self.0.send_if_modified(|shown| {
            let changed = **shown != now;
            if changed {
                *shown = Arc::new(now);
            }
            changed
        });
    }

    fn watch(&self) -> watch::Receiver<Arc<Vec<JobView>>> {
        self.0.subscribe()
    }
}

/// What one call is lent.
pub(crate) struct Desk {
    board: watch::Receiver<Arc<Vec<JobView>>>,
    session: SessionId,
    call: CallId,
    log: Arc<dyn Log>,
    clock: Arc<dyn Clock>,
}

impl Desk {
    pub(crate) fn new(
        board: &Board,
        session: SessionId,
        call: CallId,
        log: Arc<dyn Log>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self { board: board.watch(), session, call, log, clock }
    }
}

impl Jobs for Desk {
    fn list(&self) -> Vec<JobView> {
        self.board.borrow().to_vec()
    }

    fn ended<'a>(&'a self, id: JobId, cancel: &'a dyn Cancel) -> BoxFuture<'a, Option<JobView>> {
        let mut board = self.board.clone();
        Box::pin(async move {
            loop {
                let job = board.borrow_and_update().iter().find(|job| job.id == id).cloned()?;
                if job.phase != JobState::Running || cancel.is_cancelled() {
                    return Some(job);
                }
                tokio::select! {
                    biased;
                    // Without its owner nothing changes any more.
                    changed = board.changed() => if changed.is_err() { return Some(job) },
                    () = cancel.cancelled() => {}
                }
            }
        })
    }

    /// As any client: the owner hears of it through the log.
    fn cancel(&self, id: JobId) -> BoxFuture<'_, Result<(), ToolFault>> {
        Box::pin(async move {
            let key = AppendId(format!("cancel {id} {}", self.call));
            let by = By { principal: "model".into(), channel: "tool".into() };
            let event = JobCancelRequested { job: id }.into();
            let append = Append::by_client(self.session, key, self.clock.now(), by, event);
            let said = self.log.append(append).await;
            said.map(drop).map_err(|error| ToolFault::new("not_recorded", error.to_string()))
        })
    }

    fn now(&self) -> Timestamp {
        self.clock.now()
    }
}

fn views(session: &Session) -> Vec<JobView> {
    let mut views: Vec<JobView> = session.jobs().map(view).collect();
    views.sort_by_key(|job| (job.started, job.id));
    views
}

/// A job as tools and people see it.
fn view(job: &Job) -> JobView {
    let (execution, place) = match &job.begun.start.handle {
        Handle::Supervised { name, place, .. } => (name.clone(), place.clone()),
        // The fold admits no such job; nothing can be found under an empty name.
        Handle::InProcess => (String::new(), Place { machine: String::new(), boot: String::new() }),
    };
    JobView {
        id: job.id,
        command: job.command.clone(),
        phase: job.phase,
        started: job.started,
        since: job.at,
        summary: job.summary.clone(),
        artifact: job.artifact,
        execution,
        place,
    }
}
