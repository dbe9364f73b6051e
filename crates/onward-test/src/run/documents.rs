//! The workspace's documents, read as the product reads them, and there at once.

use std::future::ready;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use onward_event::Workspace;
use onward_port::{BoxFuture, Documents, FoundDocuments};
use onward_tools::AgentDocuments;

/// The pause between two looks at the thread that reads.
const PAUSE: Duration = Duration::from_micros(100);

/// [`AgentDocuments`] whose thread is waited for on the spot: what a scenario records follows from the scenario, and not
/// from whether a thread was faster than the end of a job.
pub(super) struct PromptDocuments;

impl Documents for PromptDocuments {
    fn load<'a>(&'a self, workspace: &'a Workspace) -> BoxFuture<'a, FoundDocuments> {
        let mut load = AgentDocuments.load(workspace);
        loop {
            match load.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
                Poll::Ready(found) => return Box::pin(ready(found)),
                Poll::Pending => std::thread::sleep(PAUSE),
            }
        }
    }
}
