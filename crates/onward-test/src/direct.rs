//! Commands without a supervisor: children of the test, which end with it.

use std::fmt;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{ExitStatus, Stdio};
use std::time::Instant;

use onward_event::{NetworkAccess, Place, Tier};
use onward_port::{
    Begun, BoxFuture, Cancel, Containment, Execution, ExecutionEnd, ExecutionResult, ExecutionSpec, Executor,
    Output,
};
use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::AsyncReadExt as _;
use tokio::net::unix::pipe::Receiver;
use tokio::process::Command;

/// Why nobody knows what became of a command of another life.
const GONE: &str = "its command was a child of a process that is gone";

/// Runs each command as a child of this process, uncontained. It finds nothing again and knows no jobs: for tests of
/// what is made of a command's end, not of how a tree of processes is ended.
///
/// It says that commands are contained, so that policy judges them as it does in the product.
#[derive(Default)]
pub struct DirectExecutor;

impl DirectExecutor {
    /// Where its commands run.
    pub fn here() -> Place {
        Place { machine: "this process".into(), boot: "once".into() }
    }
}

impl fmt::Debug for DirectExecutor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DirectExecutor")
    }
}

impl Executor for DirectExecutor {
    fn place(&self) -> Place {
        Self::here()
    }

    fn containment(&self) -> Result<Containment, String> {
        Ok(Containment { tier: Tier::Namespaces, network: NetworkAccess::Closed, writable: Vec::new() })
    }

    fn reserve<'a>(&'a self, _: &'a str) -> BoxFuture<'a, Result<(), String>> {
        Box::pin(std::future::ready(Ok(())))
    }

    fn run<'a>(
        &'a self,
        _: &'a str,
        spec: ExecutionSpec,
        cancel: &'a dyn Cancel,
    ) -> BoxFuture<'a, Execution> {
        Box::pin(async move {
            match Running::start(&spec) {
                Ok(running) => running.until_its_end(&spec, cancel).await,
                Err(error) => Execution::NotBegun(error.to_string()),
            }
        })
    }

    fn begin<'a>(&'a self, _: &'a str, _: ExecutionSpec) -> BoxFuture<'a, Begun> {
        Box::pin(std::future::ready(Begun::No("there are no jobs here".into())))
    }

    fn find<'a>(&'a self, _: &'a str, _: &'a Place) -> BoxFuture<'a, Begun> {
        Box::pin(std::future::ready(Begun::Unknown(GONE.into())))
    }

    fn output<'a>(
        &'a self,
        _: &'a str,
        _: &'a Place,
        _: u64,
        _: usize,
    ) -> BoxFuture<'a, Result<Output, String>> {
        Box::pin(std::future::ready(Err(GONE.into())))
    }

    fn attach<'a>(&'a self, _: &'a str, _: &'a Place, _: &'a dyn Cancel) -> BoxFuture<'a, Execution> {
        Box::pin(std::future::ready(Execution::Unknown(GONE.into())))
    }

    fn follow<'a>(&'a self, _: &'a str, _: &'a Place, _: &'a dyn Cancel) -> BoxFuture<'a, Execution> {
        Box::pin(std::future::ready(Execution::Unknown(GONE.into())))
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

/// A command that runs; with it ends its process group.
struct Running {
    child: tokio::process::Child,
    group: Option<Pid>,
    pipe: Receiver,
    begun: Instant,
}

impl Running {
    fn start(spec: &ExecutionSpec) -> io::Result<Self> {
        let [program, arguments @ ..] = spec.argv.as_slice() else {
            return Err(io::Error::other("there is no command"));
        };
        let (reader, writer) = io::pipe()?;
        let mut command = Command::new(program);
        command.args(arguments).current_dir(&spec.dir).process_group(0);
        command.env_clear().envs(spec.environment.iter().map(|(name, value)| (name, value)));
        command.stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer);
        let child = command.spawn()?;
        let group = child.id().and_then(|id| Pid::from_raw(id.cast_signed()));
        Ok(Self {
            child,
            group,
            pipe: Receiver::from_owned_fd(OwnedFd::from(reader))?,
            begun: Instant::now(),
        })
    }

    async fn until_its_end(mut self, spec: &ExecutionSpec, cancel: &dyn Cancel) -> Execution {
        let mut said = Said::default();
        let over = tokio::time::sleep(spec.timeout);
        let cancelled = cancel.cancelled();
        tokio::pin!(over, cancelled);
        let mut told = None;
        let mut buffer = vec![0; 64 << 10];
        // Until every write end is closed: whoever waits for the end of a child in the background says so by this.
        loop {
            tokio::select! {
                read = self.pipe.read(&mut buffer) => match read {
                    Ok(length) if length > 0 => said.push(&buffer[..length], spec),
                    Ok(_) | Err(_) => break,
                },
                () = &mut over, if told.is_none() => told = Some(ExecutionEnd::TimedOut),
                () = &mut cancelled, if told.is_none() => told = Some(ExecutionEnd::Stopped),
            }
            if told.is_some() {
                self.end_group();
            }
        }
        match self.child.wait().await {
            Ok(status) => Execution::Ended(said.result(told.unwrap_or(end_of(status)), self.begun)),
            Err(error) => Execution::Unknown(error.to_string()),
        }
    }

    fn end_group(&self) {
        if let Some(group) = self.group {
            // It may be gone already.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}

/// A crash drops the future: what it ran ends then, as nobody would hear of it.
impl Drop for Running {
    fn drop(&mut self) {
        if self.child.id().is_some() {
            self.end_group();
        }
    }
}

fn end_of(status: ExitStatus) -> ExecutionEnd {
    match status.code() {
        Some(code) => ExecutionEnd::Exited(code),
        None => ExecutionEnd::Signalled(status.signal().unwrap_or_default()),
    }
}

/// The output so far: what is to be kept of it, and how much it is.
#[derive(Default)]
struct Said {
    kept: Vec<u8>,
    tail: Vec<u8>,
    total: u64,
}

impl Said {
    fn push(&mut self, bytes: &[u8], spec: &ExecutionSpec) {
        let size = |bytes: u64| usize::try_from(bytes).unwrap_or(usize::MAX);
        let room = size(spec.kept_bytes).saturating_sub(self.kept.len());
        let (first, rest) = bytes.split_at(bytes.len().min(room));
        self.total += bytes.len() as u64;
        self.kept.extend_from_slice(first);
        self.tail.extend_from_slice(rest);
        self.tail.drain(..self.tail.len().saturating_sub(size(spec.tail_bytes)));
    }

    fn result(self, end: ExecutionEnd, begun: Instant) -> ExecutionResult {
        let millis = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        let Self { kept, tail, total } = self;
        ExecutionResult { end, millis, total, kept, tail, left_behind: false, restored: Vec::new() }
    }
}
