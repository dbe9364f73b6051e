//! How long it takes after a SIGKILL until the model is asked again.

use anyhow::Context;

use crate::report::Row;
use crate::run::{exec, start};
use crate::scene::Scene;
use crate::server::Script;
use crate::stats::Sample;

pub(crate) fn measure(scene: &Scene) -> anyhow::Result<Vec<Row>> {
    let late = scene.pick(1_000, 100);
    let mut rows = Vec::new();
    for step in [10, late] {
        let sample = recover_at(scene, step, scene.pick(10, 3))?;
        rows.push(
            Row::new(
                format!("`onward resume` after SIGKILL at step {step}, start to the next request"),
                format!("{:.1} ms median, {:.1} p95", sample.median(), sample.p95()),
            )
            .at_most("100 ms", &[sample.median()], &[100.0]),
        );
    }
    Ok(rows)
}

/// Kills it while the model is asked in this step, again and again: each time the step begins anew, in a new turn.
fn recover_at(scene: &Scene, step: usize, times: usize) -> anyhow::Result<Sample> {
    let script = Script { hold_at: Some(step), ..Script::of(step + 1) };
    let (server, place) = scene.stage(&format!("recovery-{step}"), script)?;
    let limit = (step + 1000).to_string();
    let (_, mut child) = start(place.onward(&exec(&limit))?, &server)?;
    server.held().with_context(|| place.said())?;
    let mut took = Vec::with_capacity(times);
    for _ in 0..times {
        child.kill().context("the process cannot be killed")?;
        child.wait().context("the killed process cannot be waited for")?;
        let (started, resumed) = start(place.onward(&["resume"])?, &server)?;
        child = resumed;
        took.push(server.held().with_context(|| place.said())? - started);
    }
    child.kill().context("the process cannot be killed")?;
    child.wait().context("the killed process cannot be waited for")?;
    Ok(Sample::millis(took))
}
