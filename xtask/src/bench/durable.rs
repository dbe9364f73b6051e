//! How many steps a second are put on disk, when neither the model nor the tool takes time.

use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};
use tokio::task::JoinSet;

use crate::inside::{Desk, block_on, block_on_all, drive};
use crate::report::Row;
use crate::scene::Scene;
use crate::stats::Sample;

/// What a run of many steps took.
#[derive(Clone, Copy)]
struct Rate {
    steps: f64,
    wall: Duration,
    cpu: Duration,
}

pub(crate) fn measure(scene: &Scene) -> anyhow::Result<Vec<Row>> {
    let (one, each, times) = scene.pick((1_000, 200, 3), (200, 20, 1));
    let alone = best_of(times, |n| {
        let folder = scene.scratch.folder(&format!("durable-1-{n}"))?;
        block_on(run(Desk::open(&folder)?, 1, one))
    })?;
    let threads = best_of(times, |n| {
        let folder = scene.scratch.folder(&format!("durable-50-{n}"))?;
        block_on_all(run(Desk::open(&folder)?, 50, each))
    })?;
    let thread = best_of(times, |n| {
        let folder = scene.scratch.folder(&format!("durable-50-one-{n}"))?;
        block_on(run(Desk::open(&folder)?, 50, each))
    })?;
    let (many, how) = if thread.per_second() > threads.per_second() {
        (thread, "one thread for all")
    } else {
        (threads, "a thread for each core")
    };
    Ok(vec![
        Row::new(
            format!("durable steps per second, one session of {one} steps"),
            format!("{:.0}, {:.2} ms CPU each", alone.per_second(), alone.cpu_millis()),
        )
        .at_least("1,200", alone.per_second(), 1_200.0),
        Row::new(
            format!("durable steps per second, 50 sessions of {each} steps, {how}"),
            format!("{:.0}", many.per_second()),
        )
        .at_least("4,000", many.per_second(), 4_000.0),
        Row::new(
            "the same, with a thread for each core / one thread",
            format!("{:.0} / {:.0}", threads.per_second(), thread.per_second()),
        ),
        Row::new("CPU of a durable step at 50 sessions", format!("{:.2} ms", many.cpu_millis())).at_most(
            "0.3 ms",
            &[many.cpu_millis()],
            &[0.3],
        ),
    ])
}

impl Rate {
    fn per_second(&self) -> f64 {
        self.steps / self.wall.as_secs_f64()
    }

    fn cpu_millis(&self) -> f64 {
        self.cpu.as_secs_f64() * 1000.0 / self.steps
    }
}

/// The run in the middle, by its rate.
fn best_of(times: usize, mut run: impl FnMut(usize) -> anyhow::Result<Rate>) -> anyhow::Result<Rate> {
    let rates = (0..times.max(1)).map(&mut run).collect::<anyhow::Result<Vec<_>>>()?;
    let middle = Sample::new(rates.iter().map(Rate::per_second)).median();
    let found = rates.iter().find(|rate| rate.per_second() >= middle).or(rates.first());
    found.copied().ok_or_else(|| anyhow::anyhow!("nothing was run"))
}

/// Opens the sessions, then drives them all at once.
async fn run(desk: Desk, sessions: usize, steps: u64) -> anyhow::Result<Rate> {
    let mut owners = Vec::with_capacity(sessions);
    for _ in 0..sessions {
        let session = desk.create().await?;
        desk.ask(session).await?;
        owners.push(desk.own(session, steps).await?);
    }
    let (begun, used) = (Instant::now(), cpu());
    let mut running = JoinSet::new();
    for mut owner in owners {
        running.spawn(async move { drive(&mut owner).await });
    }
    while let Some(ended) = running.join_next().await {
        ended??;
    }
    let (wall, cpu) = (begun.elapsed(), cpu().saturating_sub(used));
    Ok(Rate { steps: sessions as f64 * steps as f64, wall, cpu })
}

/// What this process has used, all threads together.
fn cpu() -> Duration {
    let now = clock_gettime(ClockId::ProcessCPUTime);
    let (seconds, nanos) = (now.tv_sec.unsigned_abs(), now.tv_nsec.unsigned_abs());
    Duration::from_secs(seconds) + Duration::from_nanos(nanos)
}
