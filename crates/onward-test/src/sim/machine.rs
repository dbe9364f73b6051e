//! The simulated machine: supervisors, whose commands go on while the owner is dead.
//!
//! An execution has a gate. Its supervisor opens it, or a new owner revokes it: whoever comes first. A supervisor takes
//! a while to come to its gate, so both win now and then.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use onward_event::CallId;
use onward_port::{ExecutionEnd, ExecutionResult};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::fault::Fault;
use super::world::{Dice, Planted, World, locked};

/// All executions.
#[derive(Default)]
pub(super) struct Machine {
    executions: Mutex<BTreeMap<String, Execution>>,
    changed: watch::Sender<u64>,
    boot: AtomicU64,
}

#[derive(Clone)]
struct Execution {
    stage: Stage,
    stop: CancellationToken,
}

/// How far an execution has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// It has its place, and its supervisor has not come to the gate.
    Reserved,
    /// The gate was taken away.
    Revoked,
    /// The command runs.
    Running,
    /// It has ended as a whole.
    Ended(ExecutionResult),
    /// The supervisor is gone, and left no result.
    Killed,
}

/// A command.
#[derive(Clone, Debug)]
pub(super) struct Command {
    pub(super) call: CallId,
    pub(super) run: u32,
    /// Before its effect.
    pub(super) before: Duration,
    /// After it.
    pub(super) after: Duration,
    pub(super) limit: Duration,
}

impl Machine {
    /// Counts how often the machine was started.
    pub(super) fn boot(&self) -> u64 {
        self.boot.load(Ordering::Relaxed)
    }

    pub(super) fn reserve(&self, name: &str) {
        let fresh = Execution { stage: Stage::Reserved, stop: CancellationToken::new() };
        locked(&self.executions).entry(name.into()).or_insert(fresh);
    }

    pub(super) fn stage(&self, name: &str) -> Option<Stage> {
        locked(&self.executions).get(name).map(|execution| execution.stage.clone())
    }

    pub(super) fn stop(&self, name: &str) {
        if let Some(execution) = locked(&self.executions).get(name) {
            execution.stop.cancel();
        }
    }

    pub(super) fn forget(&self, name: &str) {
        locked(&self.executions).remove(name);
        self.tell();
    }

    pub(super) fn known(&self, prefix: &str) -> Vec<String> {
        locked(&self.executions).keys().filter(|name| name.starts_with(prefix)).cloned().collect()
    }

    pub(super) fn watch(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    /// Takes the gate away, if nobody came to it yet.
    pub(super) fn revoke(&self, name: &str) {
        self.change(name, |stage| *stage == Stage::Reserved, Stage::Revoked);
    }

    /// Everything that ran is gone; what had ended has left its result.
    pub(super) fn lose_power(&self) {
        self.boot.fetch_add(1, Ordering::Relaxed);
        for execution in locked(&self.executions).values_mut() {
            if !matches!(execution.stage, Stage::Ended(_)) {
                execution.stage = Stage::Killed;
            }
        }
        self.tell();
    }

    /// Comes into another stage, if it is in a fitting one. Says whether it was.
    fn change(&self, name: &str, fits: impl Fn(&Stage) -> bool, to: Stage) -> bool {
        let mut executions = locked(&self.executions);
        let Some(execution) = executions.get_mut(name).filter(|execution| fits(&execution.stage)) else {
            return false;
        };
        execution.stage = to;
        drop(executions);
        self.tell();
        true
    }

    fn tell(&self) {
        self.changed.send_modify(|version| *version += 1);
    }

    fn stopper(&self, name: &str) -> Option<CancellationToken> {
        locked(&self.executions).get(name).map(|execution| execution.stop.clone())
    }
}

/// Starts a supervisor, which belongs to nobody from here on.
pub(super) fn supervise(world: &Arc<World>, name: &str, command: Command) {
    let (world, name) = (world.clone(), name.to_owned());
    let boot = world.machine.boot();
    tokio::spawn(async move {
        let most = if world.one_in(Dice::Tools, 4) { 4_000 } else { 60 };
        let start = world.between(Dice::Tools, 1, most);
        tokio::time::sleep(start).await;
        if world.machine.boot() != boot || !opens(&world, &name) {
            return;
        }
        // Most supervisors live for as long as their commands.
        let is_killed = world.is_rough() && world.one_in(Dice::Tools, 12) && world.spend();
        let killed_after = is_killed.then(|| world.between(Dice::Tools, 0, 3_000));
        let stop = world.machine.stopper(&name).unwrap_or_default();
        let stage = tokio::select! {
            biased;
            () = after(killed_after) => {
                world.saw(Fault::SupervisorKilled);
                Stage::Killed
            }
            () = stop.cancelled() => ended(ExecutionEnd::Stopped),
            end = run(&world, &command, boot) => ended(end),
        };
        if world.machine.boot() == boot {
            let runs = |stage: &Stage| *stage == Stage::Running;
            world.machine.change(&name, runs, stage);
        }
    });
}

/// The gate: the supervisor begins only when nobody has revoked it.
fn opens(world: &World, name: &str) -> bool {
    let anyway = world.planted == Planted::NoGate;
    let opened = world.machine.change(
        name,
        |stage| *stage == Stage::Reserved || (anyway && *stage == Stage::Revoked),
        Stage::Running,
    );
    if !opened {
        world.saw(Fault::GateRevoked);
    }
    // Without a gate the command does not even notice that its folder is gone.
    opened || anyway
}

async fn run(world: &World, command: &Command, boot: u64) -> ExecutionEnd {
    let work = async {
        tokio::time::sleep(command.before).await;
        if world.machine.boot() == boot {
            world.acts(command.call, command.run);
        }
        tokio::time::sleep(command.after).await;
    };
    match tokio::time::timeout(command.limit, work).await {
        Ok(()) => ExecutionEnd::Exited(0),
        Err(_) => ExecutionEnd::TimedOut,
    }
}

async fn after(time: Option<Duration>) {
    match time {
        Some(time) => tokio::time::sleep(time).await,
        None => std::future::pending().await,
    }
}

fn ended(end: ExecutionEnd) -> Stage {
    let kept = b"the command's words\n".to_vec();
    let total = kept.len() as u64;
    Stage::Ended(ExecutionResult {
        end,
        millis: 1,
        total,
        kept,
        tail: Vec::new(),
        left_behind: false,
        restored: Vec::new(),
    })
}
