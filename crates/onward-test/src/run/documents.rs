//! The workspace's documents, read as the product reads them, at a moment that no thread decides.

use std::task::{Context, Poll, Waker};
use std::time::Duration;

use onward_event::Workspace;
use onward_port::{BoxFuture, Documents, FoundDocuments};
use onward_tools::AgentDocuments;

/// The pause between two looks at the thread that reads.
const PAUSE: Duration = Duration::from_micros(100);

/// [`AgentDocuments`] that are never there at once, as it is with threads, and always a moment later: what a scenario
/// records follows from the scenario, and not from whether a thread was faster than the end of a job.
pub(super) struct PunctualDocuments;

impl Documents for PunctualDocuments {
    fn load<'a>(&'a self, workspace: &'a Workspace) -> BoxFuture<'a, FoundDocuments> {
        Box::pin(async move {
            tokio::task::yield_now().await;
            let mut load = AgentDocuments.load(workspace);
            loop {
                match load.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
                    Poll::Ready(found) => return found,
                    Poll::Pending => std::thread::sleep(PAUSE),
                }
            }
        })
    }
}
