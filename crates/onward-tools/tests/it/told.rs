//! An executor that runs nothing: it tells of one end, whatever it is asked.

use onward_event::Place;
use onward_port::{Begun, BoxFuture, Cancel, Containment, Execution, ExecutionSpec, Executor, Output};
use onward_test::DirectExecutor;

/// Tells of this end.
#[derive(Debug)]
pub(crate) struct Told(pub(crate) Execution);

impl Told {
    fn tell(&self) -> BoxFuture<'_, Execution> {
        Box::pin(std::future::ready(self.0.clone()))
    }

    fn begun(&self) -> BoxFuture<'_, Begun> {
        let begun = match &self.0 {
            Execution::Ended(_) => Begun::Yes,
            Execution::NotBegun(why) => Begun::No(why.clone()),
            Execution::Unknown(why) => Begun::Unknown(why.clone()),
        };
        Box::pin(std::future::ready(begun))
    }
}

impl Executor for Told {
    fn place(&self) -> Place {
        DirectExecutor::here()
    }

    fn containment(&self) -> Result<Containment, String> {
        Err("nothing can contain commands here".into())
    }

    fn reserve<'a>(&'a self, _: &'a str) -> BoxFuture<'a, Result<(), String>> {
        Box::pin(std::future::ready(Ok(())))
    }

    fn run<'a>(&'a self, _: &'a str, _: ExecutionSpec, _: &'a dyn Cancel) -> BoxFuture<'a, Execution> {
        self.tell()
    }

    fn begin<'a>(&'a self, _: &'a str, _: ExecutionSpec) -> BoxFuture<'a, Begun> {
        self.begun()
    }

    fn find<'a>(&'a self, _: &'a str, _: &'a Place) -> BoxFuture<'a, Begun> {
        self.begun()
    }

    fn output<'a>(
        &'a self,
        _: &'a str,
        _: &'a Place,
        _: u64,
        _: usize,
    ) -> BoxFuture<'a, Result<Output, String>> {
        Box::pin(std::future::ready(Err("it says nothing".into())))
    }

    fn attach<'a>(&'a self, _: &'a str, _: &'a Place, _: &'a dyn Cancel) -> BoxFuture<'a, Execution> {
        self.tell()
    }

    fn follow<'a>(&'a self, _: &'a str, _: &'a Place, _: &'a dyn Cancel) -> BoxFuture<'a, Execution> {
        self.tell()
    }

    fn is_over(&self, _: &str, _: &Place) -> bool {
        false
    }

    fn stuck(&self, _: &str) -> Option<String> {
        None
    }

    fn forget<'a>(&'a self, _: &'a str) -> BoxFuture<'a, ()> {
        Box::pin(std::future::ready(()))
    }

    fn known<'a>(&'a self, _: &'a str) -> BoxFuture<'a, Vec<String>> {
        Box::pin(std::future::ready(Vec::new()))
    }
}
