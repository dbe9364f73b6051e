//! How long it takes to open a session with a long history and be ready to act.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Context;
use onward_event::SessionId;
use onward_port::Log as _;
use onward_runtime::load;

use crate::inside::{Desk, block_on, drive};
use crate::report::Row;
use crate::scene::Scene;
use crate::stats::Sample;

/// Steps of a turn, while the session is made.
const TURN: u64 = 500;

/// What the store has of the session beside its log.
#[derive(Clone, Copy, Debug)]
enum Stored {
    /// Nothing: the whole log is read.
    Nothing,
    /// The fold, up to the last time that the session came to rest.
    Fold,
}

pub(crate) fn measure(scene: &Scene) -> anyhow::Result<Vec<Row>> {
    let events = scene.pick(100_000, 10_000);
    let folder = scene.scratch.folder("open")?;
    let session = block_on(make(&folder, events))?;
    let mut rows = rows_of(scene, &folder, session, Stored::Nothing)?;
    block_on(store_fold(&folder, session))?;
    rows.extend(rows_of(scene, &folder, session, Stored::Fold)?);
    Ok(rows)
}

/// Opens it again and again as it is stored.
fn rows_of(scene: &Scene, folder: &Path, session: SessionId, stored: Stored) -> anyhow::Result<Vec<Row>> {
    let (mut fold, mut ready, mut events) = (Vec::new(), Vec::new(), 0);
    for _ in 0..scene.pick(7, 3) {
        let opened = block_on(open(folder, session))?;
        fold.push(opened.folded);
        ready.push(opened.ready);
        events = opened.events;
    }
    let (fold, ready) = (Sample::millis(fold), Sample::millis(ready));
    let (how, target, limit) = match stored {
        Stored::Nothing => ("without a stored fold", "300 ms", 300.0),
        Stored::Fold => ("with a stored fold", "20 ms", 20.0),
    };
    let figures = |sample: &Sample| format!("{:.1} ms median, {:.1} p95", sample.median(), sample.p95());
    Ok(vec![
        Row::new(
            format!("open the store and a session of {events} events {how}, ready to act"),
            figures(&ready),
        )
        .at_most(target, &[ready.median()], &[limit]),
        Row::new(format!("of that {how}: reading, verifying the tail, folding"), figures(&fold)),
    ])
}

/// A session as work makes it: turns of many steps, until the log is long enough. Nothing but its log is stored.
async fn make(folder: &Path, events: u64) -> anyhow::Result<SessionId> {
    let desk = Desk::open(folder)?.without_stored_folds();
    let session = desk.create().await?;
    let mut owner = desk.own(session, TURN).await?;
    while owner.session().head().0 < events {
        desk.ask(session).await?;
        drive(&mut owner).await?;
    }
    owner.abandon().await.context("the session cannot be released")?;
    Ok(session)
}

/// Lets the session come to rest once more, where the fold is stored as for anybody.
async fn store_fold(folder: &Path, session: SessionId) -> anyhow::Result<()> {
    let desk = Desk::open(folder)?;
    let mut owner = desk.own(session, 1).await?;
    desk.ask(session).await?;
    drive(&mut owner).await?;
    owner.abandon().await.context("the session cannot be released")
}

/// What it took to open a session once.
struct Opened {
    /// The fold alone.
    folded: Duration,
    /// Everything from a closed store to an owner.
    ready: Duration,
    /// Records of the session.
    events: u64,
}

async fn open(folder: &Path, session: SessionId) -> anyhow::Result<Opened> {
    let begun = Instant::now();
    let desk = Desk::open(folder)?.without_stored_folds();
    let owner = desk.own(session, 1).await?;
    let ready = begun.elapsed();
    owner.abandon().await.context("the session cannot be released")?;
    let begun = Instant::now();
    let state = load(desk.store(), session).await?;
    let folded = begun.elapsed();
    let events = desk.store().head(session).await?.seq;
    anyhow::ensure!(state.head() == events, "the log was not read to its end");
    Ok(Opened { folded, ready, events: events.0 })
}
