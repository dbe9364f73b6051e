//! File work leaves the asynchronous threads: a slow disk must not hold the runtime.

use std::sync::Arc;

use onward_port::{Cancel, ToolFault, ToolOutcome, ToolReport};

/// Why file work ended without an answer.
pub(crate) enum Stopped {
    /// It failed.
    Fault(ToolFault),
    /// It was told to stop. It had no effects.
    Cancelled,
}

impl From<ToolFault> for Stopped {
    fn from(fault: ToolFault) -> Self {
        Self::Fault(fault)
    }
}

/// Runs `work` on a thread that may block.
///
/// # Errors
/// Those of `work`; `internal` when the thread was lost.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ToolFault> + Send + 'static,
) -> Result<T, ToolFault> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|lost| Err(lost_thread(&lost)))
}

/// Runs work that only looks, and makes its answer the call's.
pub(crate) async fn looking(
    work: impl FnOnce() -> Result<ToolReport, Stopped> + Send + 'static,
) -> ToolOutcome {
    match tokio::task::spawn_blocking(work).await {
        Ok(Ok(report)) => ToolOutcome::Finished(report),
        Ok(Err(Stopped::Fault(fault))) => ToolOutcome::Finished(ToolReport::fault(fault)),
        Ok(Err(Stopped::Cancelled)) => {
            ToolOutcome::Cancelled { content: "stopped while looking; nothing was changed".into() }
        }
        Err(lost) => ToolOutcome::Finished(ToolReport::fault(lost_thread(&lost))),
    }
}

/// Ends work that was told to stop; to be asked between two pieces of it.
///
/// # Errors
/// [`Stopped::Cancelled`].
pub(crate) fn go_on(cancel: &Arc<dyn Cancel>) -> Result<(), Stopped> {
    if cancel.is_cancelled() { Err(Stopped::Cancelled) } else { Ok(()) }
}

fn lost_thread(lost: &tokio::task::JoinError) -> ToolFault {
    ToolFault::new("internal", format!("the thread that worked on this call was lost: {lost}"))
}
