//! The only use of wall time: a test that hangs is ended with its name, long after a slow machine would have finished.

use std::panic::resume_unwind;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::Duration;

use anyhow::{Result, bail};

/// How long a piece of work may take before it counts as hanging.
const LIMIT: Duration = Duration::from_secs(120);

/// Does the work on a thread of its own. A panic of the work is a panic of the caller.
///
/// # Errors
/// When it hangs; its thread is then left behind.
pub fn within<T: Send + 'static>(
    what: impl Into<String>,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T> {
    let what = what.into();
    let (sender, receiver) = sync_channel(1);
    let thread = std::thread::Builder::new().name(what.clone()).spawn(move || {
        // Nobody listens any more only after the limit.
        let _ = sender.send(work());
    })?;
    match receiver.recv_timeout(LIMIT) {
        Ok(done) => Ok(done),
        Err(RecvTimeoutError::Timeout) => {
            bail!("{what} hangs: nothing came back in {} seconds", LIMIT.as_secs())
        }
        Err(RecvTimeoutError::Disconnected) => match thread.join() {
            Err(panic) => resume_unwind(panic),
            Ok(()) => bail!("{what} ended without a result"),
        },
    }
}
