//! What an open session costs while it has nothing to do: a server has many of them.

use anyhow::{Context, ensure};

use crate::inside::{Desk, block_on, drive};
use crate::process;
use crate::report::Row;
use crate::scene::Scene;

/// Steps that each has behind it.
const STEPS: u64 = 10;

pub(crate) fn measure(scene: &Scene) -> anyhow::Result<Vec<Row>> {
    let sessions = scene.pick(500, 50);
    let desk = Desk::open(&scene.scratch.folder("idle")?)?;
    let kib = block_on(open(desk, sessions))?;
    Ok(vec![
        Row::new(
            format!("memory of an idle open session of {STEPS} steps, {sessions} in one process"),
            format!("{kib:.0} KiB"),
        )
        .at_most("50 KiB", &[kib], &[50.0]),
    ])
}

async fn open(desk: Desk, sessions: usize) -> anyhow::Result<f64> {
    let mut owners = Vec::with_capacity(sessions + 1);
    let mut before = 0;
    for n in 0..=sessions {
        let session = desk.create().await?;
        desk.ask(session).await?;
        let mut owner = desk.own(session, STEPS).await?;
        drive(&mut owner).await?;
        owners.push(owner);
        if n == 0 {
            // What the first one needs is there once for all.
            before = anonymous()?;
        }
    }
    let grown = anonymous()?.saturating_sub(before);
    ensure!(
        grown > 0,
        "{sessions} sessions took no memory: the heap had room from before, and nothing was measured"
    );
    Ok(grown as f64 / sessions as f64)
}

fn anonymous() -> anyhow::Result<u64> {
    Ok(process::read(std::process::id()).context("the kernel does not tell about this process")?.anonymous)
}
