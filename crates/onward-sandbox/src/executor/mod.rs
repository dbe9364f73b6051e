//! The runtime's side: start a supervisor, wait for its result, find one again.

mod begun;
mod deadline;
mod fork_server;
mod spares;
mod supervisor;
mod wait;

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use onward_event::{NetworkAccess, Place, Tier};
use onward_port::{Begun, BoxFuture, Cancel, Containment, Execution, ExecutionSpec, Executor, Output};

use deadline::Deadline;
use spares::Spares;
use supervisor::{Start, Supervisor};

use crate::folder::{Folder, Gate};
use crate::place;
use crate::probe;
use crate::setup::SandboxSetup;
use crate::spec::{Prepare, Run};

/// Starts supervisors as `PROGRAM ARGUMENT…`, and keeps their folders below one folder.
#[derive(Clone, Debug)]
pub struct SupervisedExecutor {
    start: Start,
    spares: Arc<Spares>,
    place: Place,
    margin: Duration,
    setup: SandboxSetup,
}

/// What a supervisor may take beyond the limits of its command, unless told otherwise. It needs up to five seconds to
/// end what does not want to end; the rest is for a machine that has much to do.
const SUPERVISOR_MARGIN: Duration = Duration::from_secs(15);

/// How long a supervisor that has waited for its command may take to say that it was told. It takes some microseconds.
const SPARE_ANSWERS: Duration = Duration::from_secs(2);

impl SupervisedExecutor {
    /// Executions live below `base`; `program` with `arguments` calls [`crate::supervise`].
    /// `setup` says how commands are contained; the same program with [`crate::LAUNCHER`] calls [`crate::launch`].
    pub fn new(base: PathBuf, program: PathBuf, arguments: Vec<OsString>, setup: SandboxSetup) -> Self {
        let start = Start { program, arguments, base, fork_server: Arc::default() };
        Self { start, spares: Arc::default(), place: place::here(), margin: SUPERVISOR_MARGIN, setup }
    }

    /// What a supervisor may take beyond the time limit of its command and the time to end it. Past that it does not
    /// answer, and the outcome of its command is unknown.
    #[must_use]
    pub fn with_margin(self, margin: Duration) -> Self {
        Self { margin, ..self }
    }

    fn folder(&self, name: &str) -> Option<Folder> {
        // A name comes from a log: one that would lead elsewhere is none of ours.
        let plain =
            !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"_.-".contains(&b));
        (plain && !name.starts_with('.')).then(|| Folder::at(self.start.base.join(name)))
    }

    async fn begin_in(&self, folder: &Folder, spec: ExecutionSpec) -> io::Result<Supervisor> {
        folder.create()?;
        if folder.has_started() {
            // Names are used once, so the log that this one comes from has lost its end. It runs, or ran: no second one does.
            return Err(io::Error::new(
                io::ErrorKind::AlreadyExists,
                "an execution of this name has begun before",
            ));
        }
        let prepare = Prepare::new(&spec, &self.setup);
        let supervisor = self.told_to_run(&prepare, &Run::new(folder, spec)).await?;
        // The next command will most likely be contained like this one. What that needs is made while this one runs and
        // the model speaks.
        self.spares.put_one_by(prepare, &self.start);
        Ok(supervisor)
    }

    async fn told_to_run(&self, prepare: &Prepare, run: &Run) -> io::Result<Supervisor> {
        if let Some(mut spare) = self.spares.take(prepare).await
            && spare.run(run).await.is_ok()
        {
            if spare.answers_within(SPARE_ANSWERS).await {
                return Ok(spare);
            }
            // Something stopped it while it waited. Another one must not begin before this one is known to be gone.
            spare.kill().await?;
            if run.folder().has_started() {
                return Ok(spare);
            }
        }
        let mut supervisor = self.start.supervisor(prepare)?;
        supervisor.run(run).await?;
        Ok(supervisor)
    }
}

/// The folder is there before the name is recorded.
const GONE: &str = "its folder was taken away, and with it everything that is known about it";

impl Executor for SupervisedExecutor {
    fn place(&self) -> Place {
        self.place.clone()
    }

    fn containment(&self) -> Result<Containment, String> {
        let tier = probe::tier(&self.start.program, self.setup.choice)?;
        // Without containment it would be a lie to say less.
        let network = if tier == Tier::None { NetworkAccess::Open } else { self.setup.network };
        Ok(Containment { tier, network, writable: self.setup.writable.clone() })
    }

    fn reserve<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<(), String>> {
        Box::pin(async move {
            let folder = self.folder(name).ok_or_else(|| bad(name))?;
            folder.create().map_err(|error| error.to_string())
        })
    }

    fn run<'a>(
        &'a self,
        name: &'a str,
        spec: ExecutionSpec,
        cancel: &'a dyn Cancel,
    ) -> BoxFuture<'a, Execution> {
        Box::pin(async move {
            let Some(folder) = self.folder(name) else { return Execution::Unknown(bad(name)) };
            let deadline = Deadline::of_spec(&spec, self.margin);
            match self.begin_in(&folder, spec).await {
                Ok(supervisor) => wait::for_ours(&folder, supervisor, deadline, cancel).await,
                // It may have been started all the same: the gate tells.
                Err(error) => match wait::revoke(&folder) {
                    Ok(Gate::Revoked) => {
                        Execution::NotBegun(format!("its supervisor could not be started: {error}"))
                    }
                    Ok(Gate::Started) => wait::for_lock(&folder, self.margin, cancel).await,
                    Err(gate) if !folder.exists() => {
                        Execution::NotBegun(format!("its folder could not be made: {error}; {gate}"))
                    }
                    Err(gate) => {
                        Execution::Unknown(format!("its supervisor could not be reached: {error}; {gate}"))
                    }
                },
            }
        })
    }

    fn attach<'a>(
        &'a self,
        name: &'a str,
        place: &'a Place,
        cancel: &'a dyn Cancel,
    ) -> BoxFuture<'a, Execution> {
        Box::pin(async move {
            if !place::same(place, &self.place) {
                return Execution::Unknown(elsewhere(place, &self.place));
            }
            let Some(folder) = self.folder(name) else { return Execution::Unknown(bad(name)) };
            if !folder.exists() {
                return Execution::Unknown(GONE.into());
            }
            match wait::revoke(&folder) {
                Ok(Gate::Revoked) => {
                    Execution::NotBegun("its supervisor had not begun, and now never will".into())
                }
                Ok(Gate::Started) => wait::for_lock(&folder, self.margin, cancel).await,
                Err(error) => Execution::Unknown(format!("its folder cannot be read: {error}")),
            }
        })
    }

    fn begin<'a>(&'a self, name: &'a str, spec: ExecutionSpec) -> BoxFuture<'a, Begun> {
        Box::pin(async move {
            let Some(folder) = self.folder(name) else { return Begun::Unknown(bad(name)) };
            match self.begin_in(&folder, spec).await {
                // The supervisor is not ours to wait for: it is collected when it ends.
                Ok(supervisor) => begun::by_ours(&folder, supervisor, self.margin).await,
                Err(error) if !folder.exists() => Begun::No(format!("its folder could not be made: {error}")),
                Err(error) => begun::now(&folder, &format!("its supervisor could not be started: {error}")),
            }
        })
    }

    fn find<'a>(&'a self, name: &'a str, place: &'a Place) -> BoxFuture<'a, Begun> {
        Box::pin(async move {
            if !place::same(place, &self.place) {
                return Begun::Unknown(elsewhere(place, &self.place));
            }
            let Some(folder) = self.folder(name) else { return Begun::Unknown(bad(name)) };
            match folder.exists() {
                true => begun::now(&folder, "its supervisor had not begun, and now never will"),
                false => Begun::Unknown(GONE.into()),
            }
        })
    }

    fn follow<'a>(
        &'a self,
        name: &'a str,
        place: &'a Place,
        cancel: &'a dyn Cancel,
    ) -> BoxFuture<'a, Execution> {
        Box::pin(async move {
            if !place::same(place, &self.place) {
                return Execution::Unknown(elsewhere(place, &self.place));
            }
            match self.folder(name) {
                None => Execution::Unknown(bad(name)),
                // Nobody may close the gate of what has begun: without its folder nothing is known.
                Some(folder) if !folder.has_started() => {
                    Execution::Unknown("the folder of its supervisor is gone, or damaged".into())
                }
                Some(folder) => wait::for_lock(&folder, self.margin, cancel).await,
            }
        })
    }

    fn output<'a>(
        &'a self,
        name: &'a str,
        place: &'a Place,
        offset: u64,
        limit: usize,
    ) -> BoxFuture<'a, Result<Output, String>> {
        Box::pin(async move {
            if !place::same(place, &self.place) {
                return Err(elsewhere(place, &self.place));
            }
            let folder = self.folder(name).ok_or_else(|| bad(name))?;
            let read = tokio::task::spawn_blocking(move || folder.read_output(offset, limit));
            let read = read.await.map_err(io::Error::other).and_then(|read| read);
            read.map_err(|error| format!("its output cannot be read: {error}"))
        })
    }

    fn is_over(&self, name: &str, place: &Place) -> bool {
        let runs = |folder: Folder| folder.has_started() && folder.is_locked().unwrap_or(false);
        !place::same(place, &self.place) || !self.folder(name).is_some_and(runs)
    }

    fn stuck(&self, name: &str) -> Option<String> {
        let folder = self.folder(name).filter(Folder::waits_for_room)?;
        Some(format!("its result cannot be written to {}: is there room?", folder.path().display()))
    }

    fn forget<'a>(&'a self, name: &'a str) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            if let Some(folder) = self.folder(name)
                && !folder.is_locked().unwrap_or(true)
            {
                // What stays is swept by the next owner.
                let _ = tokio::task::spawn_blocking(move || folder.remove()).await;
            }
        })
    }

    fn known<'a>(&'a self, prefix: &'a str) -> BoxFuture<'a, Vec<String>> {
        let (base, prefix) = (self.start.base.clone(), prefix.to_owned());
        Box::pin(async move {
            let look = move || names(&base, &prefix);
            tokio::task::spawn_blocking(look).await.unwrap_or_default()
        })
    }
}

fn names(base: &Path, prefix: &str) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(base) else { return Vec::new() };
    let names = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
    names.filter(|name| name.starts_with(prefix) && !name.starts_with('.')).collect()
}

fn bad(name: &str) -> String {
    format!("`{name}` is not a name of an execution")
}

fn elsewhere(there: &Place, here: &Place) -> String {
    let what = match there.machine == here.machine {
        true => "this machine was restarted since",
        false => "it ran on another machine",
    };
    format!("{what}, and nothing is left of it here")
}
