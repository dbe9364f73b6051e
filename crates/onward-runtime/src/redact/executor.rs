//! What commands print, without secrets, before anybody cuts it: half a secret is not found any more.
//!
//! The supervisor writes what the command says as it comes, into a file that only the user can read and that is removed
//! when the answer is on disk in the log. Everything that is read from it passes here.

use std::sync::Arc;

use onward_event::Place;
use onward_port::{
    Begun, BoxFuture, Cancel, Containment, Execution, ExecutionResult, ExecutionSpec, Executor, Output,
    Redactor,
};

/// An executor behind a redactor.
#[derive(Debug)]
pub struct RedactedExecutor {
    inner: Arc<dyn Executor>,
    redactor: Redactor,
}

impl RedactedExecutor {
    /// Everything that commands of `inner` print passes the redactor.
    pub fn new(inner: Arc<dyn Executor>, redactor: Redactor) -> Self {
        Self { inner, redactor }
    }

    /// For the answer of a call: nobody has seen positions in it.
    fn marked(&self, execution: Execution) -> Execution {
        self.cleaned(execution, |bytes| self.redactor.bytes(bytes).into_owned())
    }

    /// For the end of a job: the positions in its output were named while it ran.
    fn masked(&self, execution: Execution) -> Execution {
        self.cleaned(execution, |bytes| self.redactor.mask(bytes).into_owned())
    }

    fn cleaned(&self, execution: Execution, clean: impl Fn(&[u8]) -> Vec<u8>) -> Execution {
        match execution {
            Execution::Ended(result) if !self.redactor.is_empty() => {
                Execution::Ended(self.cleaned_result(result, clean))
            }
            other => other,
        }
    }

    /// The total goes with the parts, so that what was whole stays whole.
    fn cleaned_result(&self, result: ExecutionResult, clean: impl Fn(&[u8]) -> Vec<u8>) -> ExecutionResult {
        let dropped = result.total.saturating_sub((result.kept.len() + result.tail.len()) as u64);
        let kept = clean(&result.kept);
        // The end may begin in the middle of a secret.
        let cut = self.redactor.cut_at_start(&result.tail);
        let mut tail = vec![b'*'; cut];
        tail.extend(clean(&result.tail[cut..]));
        let total = dropped + (kept.len() + tail.len()) as u64;
        ExecutionResult { total, kept, tail, ..result }
    }
}

impl Executor for RedactedExecutor {
    fn is_over(&self, name: &str, place: &Place) -> bool {
        self.inner.is_over(name, place)
    }

    fn stuck(&self, name: &str) -> Option<String> {
        self.inner.stuck(name)
    }

    fn run<'a>(
        &'a self,
        name: &'a str,
        spec: ExecutionSpec,
        cancel: &'a dyn Cancel,
    ) -> BoxFuture<'a, Execution> {
        Box::pin(async move { self.marked(self.inner.run(name, spec, cancel).await) })
    }

    fn attach<'a>(
        &'a self,
        name: &'a str,
        place: &'a Place,
        cancel: &'a dyn Cancel,
    ) -> BoxFuture<'a, Execution> {
        Box::pin(async move { self.marked(self.inner.attach(name, place, cancel).await) })
    }

    fn follow<'a>(
        &'a self,
        name: &'a str,
        place: &'a Place,
        cancel: &'a dyn Cancel,
    ) -> BoxFuture<'a, Execution> {
        Box::pin(async move { self.masked(self.inner.follow(name, place, cancel).await) })
    }

    /// Looks further to both sides than it was asked, for a secret that reaches into the part.
    fn output<'a>(
        &'a self,
        name: &'a str,
        place: &'a Place,
        offset: u64,
        limit: usize,
    ) -> BoxFuture<'a, Result<Output, String>> {
        Box::pin(async move {
            let margin = self.redactor.margin();
            let from = offset.saturating_sub(margin as u64);
            let before = usize::try_from(offset - from).unwrap_or(margin);
            let most = limit.saturating_add(before).saturating_add(margin);
            let seen = self.inner.output(name, place, from, most).await?;
            let masked = self.redactor.mask(&seen.bytes);
            let (start, end) = (before.min(masked.len()), before.saturating_add(limit).min(masked.len()));
            Ok(Output { bytes: masked[start..end].to_vec(), kept: seen.kept })
        })
    }

    fn place(&self) -> Place {
        self.inner.place()
    }

    fn containment(&self) -> Result<Containment, String> {
        self.inner.containment()
    }

    fn reserve<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<(), String>> {
        self.inner.reserve(name)
    }

    fn begin<'a>(&'a self, name: &'a str, spec: ExecutionSpec) -> BoxFuture<'a, Begun> {
        self.inner.begin(name, spec)
    }

    fn find<'a>(&'a self, name: &'a str, place: &'a Place) -> BoxFuture<'a, Begun> {
        self.inner.find(name, place)
    }

    fn forget<'a>(&'a self, name: &'a str) -> BoxFuture<'a, ()> {
        self.inner.forget(name)
    }

    fn known<'a>(&'a self, prefix: &'a str) -> BoxFuture<'a, Vec<String>> {
        self.inner.known(prefix)
    }
}
