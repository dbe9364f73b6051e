//! A host: it starts a process that wants the session, and another one when that has ended.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use onward_port::{Blobs, Executor, Log, LogError, Model, ToolSet};
use onward_runtime::{GivenBack, Live, Owner, OwnerError, Ports, Quiet, RuntimeConfig};

use super::door::Door;
use super::executor::Hand;
use super::fault::Fault;
use super::model::SimModel;
use super::policy::SimPolicy;
use super::process::Process;
use super::tools::SimTool;
use super::world::{Dice, Planted, World};
use super::wrong::WrongKind;

/// How long an owner that leaves in order takes for it.
const PAUSE: Duration = Duration::from_secs(5);

/// Lives after which a host gives up: somebody crashes for ever.
const MAX_LIVES: usize = 400;

/// Starts processes until everybody may go home.
pub(super) async fn host(world: Arc<World>) {
    for _ in 0..MAX_LIVES {
        let process = Process::new(&world);
        let refused = tokio::select! {
            biased;
            () = process.death() => false,
            ended = live(&process) => judge(&world, ended),
        };
        process.die();
        // Who was refused comes back when the other one may have had enough.
        let pause = match refused {
            true => world.between(Dice::Hosts, 4_000, 40_000),
            false => world.between(Dice::Hosts, 5, 2_000),
        };
        tokio::select! {
            biased;
            () = world.over.cancelled() => return,
            () = tokio::time::sleep(pause) => {}
        }
    }
}

/// The ports of one process.
pub(super) fn ports(process: &Arc<Process>) -> Ports {
    let world = &process.world;
    let door = Arc::new(Door { world: world.clone(), process: Some(process.clone()) });
    let hand = Arc::new(Hand { process: process.clone() });
    let model = SimModel::new(process).map(|model| -> Arc<dyn Model> { Arc::new(model) });
    let tools = SimTool::all(process, &hand);
    Ports {
        log: door.clone() as Arc<dyn Log>,
        blobs: door as Arc<dyn Blobs>,
        redactor: onward_port::Redactor::default(),
        models: model.map(|model| BTreeMap::from([("simulated".to_owned(), model)])).unwrap_or_default(),
        encoder: onward_model::encoder,
        tools: Arc::new(move |_| Ok(ToolSet::new(tools.clone()))),
        policy: Arc::new(SimPolicy(world.clone())),
        documents: world.clone(),
        instructions: "You are simulated.".into(),
        executor: Some(hand as Arc<dyn Executor>),
        clock: world.clone(),
        ids: world.clone(),
    }
}

/// One life, to an end that it chooses itself.
async fn live(process: &Arc<Process>) -> Result<(), OwnerError> {
    let world = &process.world;
    let config = RuntimeConfig { owner: "simulated".into(), ..RuntimeConfig::default() };
    let mut owner = Owner::acquire(ports(process), config, world.session(), Live::new()).await?;
    let stop = owner.stopper();
    if !world.is_calm() && world.one_in(Dice::Hosts, 4) {
        let (stop, after) = (stop.clone(), world.between(Dice::Hosts, 0, 15_000));
        tokio::spawn(async move {
            tokio::time::sleep(after).await;
            stop.cancel();
        });
    }
    loop {
        if owner.drive().await? == Quiet::Stopped {
            world.saw(Fault::Paused);
            return owner.pause(PAUSE).await.map(drop);
        }
        if world.over.is_cancelled() || (!world.is_calm() && world.one_in(Dice::Hosts, 8)) {
            match owner.release().await? {
                GivenBack::Done => return Ok(()),
                GivenBack::GoOn(still) => owner = *still,
            }
            continue;
        }
        tokio::select! {
            biased;
            () = world.over.cancelled() => {}
            // At rest nobody but this one looks whether it is to stop.
            () = stop.cancelled() => {
                world.saw(Fault::Paused);
                return owner.pause(PAUSE).await.map(drop);
            }
            () = owner.wait_for_news() => {}
        }
    }
}

/// What an owner may end with: that it lost the session, or that the log could not be used for too long. Says whether
/// another one has the session.
fn judge(world: &World, ended: Result<(), OwnerError>) -> bool {
    let Err(error) = ended else { return false };
    let fair = match &error {
        OwnerError::Log(LogError::Fenced { .. } | LogError::Owned { .. }) => true,
        OwnerError::Log(error) => error.may_pass(),
        OwnerError::Tools(_) | OwnerError::Fault(_) => false,
    };
    // With a defect on purpose an owner may well stumble over its log.
    if !fair && world.planted == Planted::Nothing {
        world.blame(WrongKind::OwnerFault, error.to_string());
    }
    matches!(error, OwnerError::Log(LogError::Owned { .. }))
}
