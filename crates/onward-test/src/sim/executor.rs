//! The way of one process to the supervisors of the machine.

use std::fmt;
use std::sync::Arc;

use onward_event::{CallId, Event, NetworkAccess, Place, Tier, ToolStart};
use onward_port::{Begun, BoxFuture, Cancel, Containment, Execution, ExecutionSpec, Executor, Output};

use super::machine::{Command, Stage, supervise};
use super::process::Process;
use super::world::Planted;
use super::wrong::WrongKind;

/// An executor of one process.
pub(super) struct Hand {
    pub(super) process: Arc<Process>,
}

impl Hand {
    fn is_here(&self, place: &Place) -> bool {
        *place == self.place()
    }

    async fn begins(&self, name: &str, spec: &ExecutionSpec) -> Result<(), String> {
        self.process.breathe().await;
        let command = command(name, spec).ok_or_else(|| format!("`{name}` names no call"))?;
        self.process.world.machine.reserve(name);
        supervise(&self.process.world, name, command);
        Ok(())
    }

    /// Waits until the supervisor has come to its gate, or somebody else has.
    async fn at_gate(&self, name: &str) -> Begun {
        let machine = &self.process.world.machine;
        let mut watch = machine.watch();
        loop {
            match machine.stage(name) {
                Some(Stage::Reserved) => {}
                Some(Stage::Running | Stage::Ended(_)) => break Begun::Yes,
                Some(Stage::Revoked) => break Begun::No("its gate was revoked".into()),
                Some(Stage::Killed) => break Begun::Unknown("its supervisor was killed".into()),
                None => break Begun::Unknown("its place is gone".into()),
            }
            let _ = watch.changed().await;
        }
    }

    async fn at_end(&self, name: &str, cancel: &dyn Cancel) -> Execution {
        let machine = &self.process.world.machine;
        let mut watch = machine.watch();
        let mut told = false;
        let end = loop {
            match machine.stage(name) {
                Some(Stage::Reserved | Stage::Running) => {}
                Some(Stage::Ended(result)) => break Execution::Ended(result),
                Some(Stage::Revoked) => break Execution::NotBegun("its gate was revoked".into()),
                Some(Stage::Killed) => break Execution::Unknown("its supervisor was killed".into()),
                None => break Execution::Unknown("its place is gone".into()),
            }
            tokio::select! {
                biased;
                () = cancel.cancelled(), if !told => {
                    machine.stop(name);
                    told = true;
                }
                _ = watch.changed() => {}
            }
        };
        self.process.breathe().await;
        end
    }
}

impl Executor for Hand {
    fn is_over(&self, _: &str, _: &Place) -> bool {
        false
    }

    fn stuck(&self, _: &str) -> Option<String> {
        None
    }

    fn containment(&self) -> Result<Containment, String> {
        Ok(Containment { tier: Tier::None, network: NetworkAccess::Closed, writable: Vec::new() })
    }

    fn place(&self) -> Place {
        let boot = self.process.world.machine.boot();
        Place { machine: "simulated".into(), boot: boot.to_string() }
    }

    fn reserve<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<(), String>> {
        Box::pin(async move {
            self.process.breathe().await;
            self.process.world.machine.reserve(name);
            Ok(())
        })
    }

    fn run<'a>(
        &'a self,
        name: &'a str,
        spec: ExecutionSpec,
        cancel: &'a dyn Cancel,
    ) -> BoxFuture<'a, Execution> {
        Box::pin(async move {
            match self.begins(name, &spec).await {
                Ok(()) => self.at_end(name, cancel).await,
                Err(why) => Execution::NotBegun(why),
            }
        })
    }

    fn begin<'a>(&'a self, name: &'a str, spec: ExecutionSpec) -> BoxFuture<'a, Begun> {
        Box::pin(async move {
            match self.begins(name, &spec).await {
                Ok(()) => self.at_gate(name).await,
                Err(why) => Begun::No(why),
            }
        })
    }

    fn find<'a>(&'a self, name: &'a str, place: &'a Place) -> BoxFuture<'a, Begun> {
        Box::pin(async move {
            self.process.breathe().await;
            if !self.is_here(place) {
                return Begun::Unknown("the machine was started again".into());
            }
            self.process.world.machine.revoke(name);
            self.at_gate(name).await
        })
    }

    fn output<'a>(
        &'a self,
        name: &'a str,
        _: &'a Place,
        _: u64,
        _: usize,
    ) -> BoxFuture<'a, Result<Output, String>> {
        Box::pin(std::future::ready(Err(format!("nobody reads what {name} says"))))
    }

    fn attach<'a>(
        &'a self,
        name: &'a str,
        place: &'a Place,
        cancel: &'a dyn Cancel,
    ) -> BoxFuture<'a, Execution> {
        Box::pin(async move {
            self.process.breathe().await;
            if !self.is_here(place) {
                return Execution::Unknown("the machine was started again".into());
            }
            self.process.world.machine.revoke(name);
            self.at_end(name, cancel).await
        })
    }

    fn follow<'a>(
        &'a self,
        name: &'a str,
        place: &'a Place,
        cancel: &'a dyn Cancel,
    ) -> BoxFuture<'a, Execution> {
        Box::pin(async move {
            self.process.breathe().await;
            if !self.is_here(place) {
                return Execution::Unknown("the machine was started again".into());
            }
            if self.process.world.planted == Planted::LosesJobEnd {
                std::future::pending::<()>().await;
            }
            self.at_end(name, cancel).await
        })
    }

    fn forget<'a>(&'a self, name: &'a str) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            self.process.breathe().await;
            self.may_be_forgotten(name);
            self.process.world.machine.forget(name);
        })
    }

    fn known<'a>(&'a self, prefix: &'a str) -> BoxFuture<'a, Vec<String>> {
        Box::pin(async move {
            self.process.breathe().await;
            self.process.world.machine.known(prefix)
        })
    }
}

impl Hand {
    /// The only thing that knows the end of a command is forgotten when the log knows it, on disk.
    fn may_be_forgotten(&self, name: &str) {
        let world = &self.process.world;
        let Some((call, _)) = call_of(name) else { return };
        let started = |event: &Event| matches!(event, Event::ToolStart(start) if is_named(start, name));
        let answered = |event: &Event| match event {
            Event::ToolResult(end) => end.call == call,
            Event::ToolCancelled(end) => end.call == call,
            Event::ToolOutcomeUnknown(end) => end.call == call,
            Event::ToolReconciled(found) => found.call == call,
            _ => false,
        };
        let is_job = |event: &Event| matches!(event, Event::JobStarted(job) if job.call == call);
        let over = |event: &Event| matches!(event, Event::JobPhase(job) if job.job.call() == call && job.phase.is_end());
        let store = &world.store;
        let known = !store.has_on_disk(started)
            || (store.has_on_disk(answered) && (!store.has_on_disk(is_job) || store.has_on_disk(over)));
        if !known {
            world.blame(
                WrongKind::ForgottenEarly,
                format!("{name} was forgotten, and its end is not on disk"),
            );
        }
    }
}

impl fmt::Debug for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Hand")
    }
}

fn is_named(start: &ToolStart, wanted: &str) -> bool {
    matches!(&start.handle, onward_event::Handle::Supervised { name, .. } if name == wanted)
}

/// The call and the run that an execution is named after.
fn call_of(name: &str) -> Option<(CallId, u32)> {
    let mut parts = name.split('.').skip(1);
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

/// The command line is `launch BEFORE AFTER`, in milliseconds.
fn command(name: &str, spec: &ExecutionSpec) -> Option<Command> {
    let (call, run) = call_of(name)?;
    let millis = |at: usize| -> Option<std::time::Duration> {
        Some(std::time::Duration::from_millis(spec.argv.get(at)?.parse().ok()?))
    };
    Some(Command { call, run, before: millis(1)?, after: millis(2)?, limit: spec.timeout })
}
