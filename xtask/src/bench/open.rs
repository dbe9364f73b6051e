//! How long it takes to open a session with a long history and be ready to act.

use std::path::Path;
use std::time::Instant;

use anyhow::Context;
use onward_event::SessionId;
use onward_port::Log as _;
use onward_runtime::{RuntimeConfig, load};

use crate::inside::{Desk, block_on, drive};
use crate::report::Row;
use crate::scene::Scene;
use crate::stats::Sample;

/// Steps of a turn, while the session is made.
const TURN: u64 = 500;

pub(crate) fn measure(scene: &Scene) -> anyhow::Result<Vec<Row>> {
    let events = scene.pick(100_000, 10_000);
    let folder = scene.scratch.folder("open")?;
    let session = block_on(make(&folder, events))?;
    let (mut fold, mut ready) = (Vec::new(), Vec::new());
    for _ in 0..scene.pick(7, 3) {
        let (folded, acted) = block_on(open(&folder, session))?;
        fold.push(folded);
        ready.push(acted);
    }
    let (fold, ready) = (Sample::millis(fold), Sample::millis(ready));
    Ok(vec![
        Row::new(
            format!("open the store and a session of {events} events, ready to act"),
            format!("{:.0} ms median, {:.0} p95", ready.median(), ready.p95()),
        )
        .at_most("300 ms without a snapshot", &[ready.median()], &[300.0]),
        Row::new(
            "of that: reading, verifying the tail, folding",
            format!(
                "{:.0} ms median, {:.1} µs an event",
                fold.median(),
                fold.median() * 1000.0 / events as f64
            ),
        ),
    ])
}

/// A session as work makes it: turns of many steps, until the log is long enough.
async fn make(folder: &Path, events: u64) -> anyhow::Result<SessionId> {
    let desk = Desk::open(folder)?;
    let session = desk.create().await?;
    let mut owner = desk.own(session, TURN).await?;
    while owner.session().head().0 < events {
        desk.ask(session).await?;
        drive(&mut owner).await?;
    }
    owner.abandon().await.context("the session cannot be released")?;
    Ok(session)
}

/// The fold alone, and everything from a closed store to an owner.
async fn open(
    folder: &Path,
    session: SessionId,
) -> anyhow::Result<(std::time::Duration, std::time::Duration)> {
    let begun = Instant::now();
    let desk = Desk::open(folder)?;
    let owner = desk.own(session, 1).await?;
    let ready = begun.elapsed();
    owner.abandon().await.context("the session cannot be released")?;
    let begun = Instant::now();
    let state = load(desk.store(), session, RuntimeConfig::default().verified_tail).await?;
    let folded = begun.elapsed();
    anyhow::ensure!(state.head() == desk.store().head(session).await?.seq, "the log was not read to its end");
    Ok((folded, ready))
}
