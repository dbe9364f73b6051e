//! A workspace, a data folder, and commands that run in a tier.

use std::future::Future;
use std::path::PathBuf;
use std::pin::Pin;
use std::time::{Duration, Instant};

use crate::not_tested::not_tested;

use onward_event::{FileAccess, NetworkAccess, Sandbox, Tier};
use onward_port::{Cancel, Execution, ExecutionEnd, ExecutionResult, ExecutionSpec, Executor};
use onward_sandbox::{Choice, Offer, SandboxSetup, SupervisedExecutor, probe};
use tempfile::TempDir;

/// The program that is supervisor and launcher.
pub(crate) const HOST: &str = env!("CARGO_BIN_EXE_onward-sandbox-host");

/// Where that program is in this run: an ordinary user may not see where it was built.
pub(crate) fn host() -> PathBuf {
    std::env::var_os("ONWARD_SANDBOX_TEST_USER").map_or_else(|| HOST.into(), PathBuf::from)
}

/// Both tiers that contain.
pub(crate) const TIERS: [Tier; 2] = [Tier::Namespaces, Tier::Landlock];

/// A place for tests.
pub(crate) struct Desk {
    _temp: TempDir,
    /// Everything is below it.
    pub(crate) root: PathBuf,
    pub(crate) workspace: PathBuf,
    pub(crate) tier: Tier,
    pub(crate) setup: SandboxSetup,
    pub(crate) files: FileAccess,
    pub(crate) timeout: Duration,
    pub(crate) environment: Vec<(String, String)>,
}

/// A desk for a tier; `None`, with a line that says so, where this machine does not have the tier.
pub(crate) fn desk(tier: Tier) -> Option<Desk> {
    if let Offer::Refused(why) = probe(&host()).offer(tier) {
        not_tested(&format!("{}, the tier {}", test_name(), tier.name()), &why.to_string());
        return None;
    }
    let temp = tempfile::Builder::new().prefix("onward-desk-").tempdir_in("/var/tmp").unwrap();
    let root = temp.path().canonicalize().unwrap();
    let workspace = root.join("workspace");
    std::fs::create_dir(&workspace).unwrap();
    std::fs::create_dir(root.join("data")).unwrap();
    let mut setup = SandboxSetup::strict();
    setup.choice = Choice::Exactly(tier);
    setup.hidden = vec![root.join("data").display().to_string()];
    let path = std::env::var("PATH").unwrap_or_else(|_| "/usr/bin:/bin".into());
    Some(Desk {
        _temp: temp,
        root,
        workspace,
        tier,
        setup,
        files: FileAccess::WorkspaceWrite,
        timeout: Duration::from_secs(60),
        environment: vec![("PATH".into(), path), ("HOME".into(), "/nowhere".into())],
    })
}

/// The desks of every tier that this machine has.
pub(crate) fn desks() -> Vec<Desk> {
    TIERS.into_iter().filter_map(desk).collect()
}

pub(crate) fn test_name() -> String {
    std::thread::current().name().unwrap_or("a test").to_owned()
}

impl Desk {
    pub(crate) fn executor(&self) -> SupervisedExecutor {
        let base = self.root.join("data/executions");
        std::fs::create_dir_all(&base).unwrap();
        SupervisedExecutor::new(base, host(), vec!["supervise-command".into()], self.setup.clone())
    }

    pub(crate) fn spec(&self, argv: &[&str]) -> ExecutionSpec {
        let network = self.setup.network;
        let sandbox =
            Sandbox { tier: self.tier, files: self.files, network, writable: self.setup.writable.clone() };
        ExecutionSpec {
            argv: argv.iter().map(|word| (*word).to_owned()).collect(),
            environment: self.environment.clone(),
            dir: self.workspace.display().to_string(),
            sandbox,
            workspace: self.workspace.display().to_string(),
            timeout: self.timeout,
            grace: Duration::from_millis(500),
            kept_bytes: 1 << 20,
            tail_bytes: 1 << 16,
        }
    }

    pub(crate) fn run(&self, argv: &[&str]) -> Execution {
        self.run_until(argv, &Never)
    }

    pub(crate) fn run_spec(&self, spec: ExecutionSpec) -> Execution {
        block_on(self.executor().run("spec", spec, &Never))
    }

    pub(crate) fn run_until(&self, argv: &[&str], cancel: &dyn Cancel) -> Execution {
        let executor = self.executor();
        static NUMBER: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
        let name = format!("run_{}", NUMBER.fetch_add(1, std::sync::atomic::Ordering::Relaxed));
        block_on(executor.run(&name, self.spec(argv), cancel))
    }

    /// Runs a script, which must begin and end.
    pub(crate) fn sh(&self, script: &str) -> ExecutionResult {
        ended(self.run(&["/bin/sh", "-c", script]))
    }

    /// The process that supervises, or has supervised, this execution: as it says itself.
    pub(crate) fn supervisor(&self, name: &str) -> u32 {
        let said = self.root.join("data/executions").join(name).join("supervisor");
        let said: serde_json::Value = serde_json::from_slice(&std::fs::read(said).unwrap()).unwrap();
        u32::try_from(said["pid"].as_u64().unwrap()).unwrap()
    }

    /// What an execution has said so far.
    pub(crate) fn said(&self, name: &str) -> String {
        let output = self.root.join("data/executions").join(name).join("output");
        std::fs::read_to_string(output).unwrap_or_default()
    }

    /// Waits until the file is gone: the place of a protected name stays for a moment after its command.
    pub(crate) fn is_gone(&self, name: &str) -> bool {
        let deadline = Instant::now() + Duration::from_secs(30);
        while self.file(name).exists() && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(5));
        }
        !self.file(name).exists()
    }

    /// A file of the workspace.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.workspace.join(name)
    }
}

pub(crate) fn ended(execution: Execution) -> ExecutionResult {
    match execution {
        Execution::Ended(result) => result,
        other => panic!("{other:?}"),
    }
}

pub(crate) fn text(result: &ExecutionResult) -> String {
    String::from_utf8_lossy(&result.kept).into_owned()
}

pub(crate) fn succeeded(result: &ExecutionResult) -> bool {
    result.end == ExecutionEnd::Exited(0)
}

pub(crate) fn block_on<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
}

/// Nobody cancels.
#[derive(Debug)]
pub(crate) struct Never;

impl Cancel for Never {
    fn is_cancelled(&self) -> bool {
        false
    }

    fn cancelled(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(std::future::pending())
    }
}

/// Opens the network of a desk.
pub(crate) fn open(desk: &mut Desk) {
    desk.setup.network = NetworkAccess::Open;
}
