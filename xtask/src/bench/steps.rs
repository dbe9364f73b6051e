//! One long run of the binary: what a step costs, whether that grows with the history, and what the run leaves behind.

use std::ops::Range;
use std::time::Duration;

use anyhow::{Context, bail};

use crate::log;
use crate::report::Row;
use crate::run::{exec, to_end};
use crate::scene::Scene;
use crate::server::{Exchange, Script};
use crate::stats::Sample;

pub(crate) fn measure(scene: &Scene) -> anyhow::Result<Vec<Row>> {
    let steps = scene.pick(1_040, 140);
    let (server, place) = scene.stage("steps", Script::of(steps))?;
    let limit = (steps + 10).to_string();
    to_end(place.onward(&exec(&limit))?, &place, &server)?;
    let exchanges = server.take();
    if exchanges.len() != steps + 1 {
        bail!("{} requests came, where {} were expected", exchanges.len(), steps + 1);
    }
    let mut rows = gaps(&exchanges, steps);
    rows.extend(costs(&exchanges));
    rows.extend(requests(&exchanges)?);
    rows.extend(log::measure(&place.data(), &exchanges)?);
    rows.push(thinking(scene)?);
    Ok(rows)
}

/// The gap behind a model that takes its time, as every model does: what can be prepared meanwhile is not in it.
fn thinking(scene: &Scene) -> anyhow::Result<Row> {
    let script = Script { thinks: THINKS, ..Script::of(scene.pick(200, 60)) };
    let (server, place) = scene.stage("thinking", script)?;
    to_end(place.onward(&exec(&(script.steps + 10).to_string()))?, &place, &server)?;
    let gaps = Sample::millis(gaps_between(&server.take()));
    Ok(Row::new(
        format!(
            "gap of a step, {} steps, when the model says nothing for {} ms first",
            script.steps,
            THINKS.as_millis()
        ),
        format!("{:.2} ms median, {:.2} p95", gaps.median(), gaps.p95()),
    )
    .at_most("5 ms median, 8 p95", &[gaps.median(), gaps.p95()], &[5.0, 8.0]))
}

/// How long such a model says nothing: far less than any real one.
const THINKS: Duration = Duration::from_millis(50);

/// From the last byte of each answer to the first byte of the next request.
fn gaps(exchanges: &[Exchange], steps: usize) -> Vec<Row> {
    let gaps = gaps_between(exchanges);
    let around = |range: Range<usize>| Sample::millis(gaps.get(range).unwrap_or_default().iter().copied());
    let all = Sample::millis(gaps.iter().copied());
    let (early, late) = (around(4..24), around(steps - 40..steps));
    let mut rows = vec![
        Row::new(
            format!("gap of a step, all {steps}: tool run, every step on disk"),
            format!("{:.2} ms median, {:.2} p95", all.median(), all.p95()),
        )
        .at_most("5 ms median, 8 p95", &[all.median(), all.p95()], &[5.0, 8.0]),
    ];
    let windows = [(5, early.clone()), (90, around(90..130)), (steps - 39, late.clone())];
    rows.extend(windows.map(|(from, window)| {
        Row::new(
            format!("gap from step {from}, {} steps", window.len()),
            format!("{:.2} ms median, {:.2} p95", window.median(), window.p95()),
        )
    }));
    let ratio = late.median() / early.median();
    rows.push(Row::new("gap at the end against the beginning", format!("{ratio:.2}")).at_most(
        "1.2",
        &[ratio],
        &[1.2],
    ));
    rows
}

fn gaps_between(exchanges: &[Exchange]) -> Vec<Duration> {
    let gap = |pair: &[Exchange]| match pair {
        [before, after] => before.answered.map(|answered| after.arrived.saturating_duration_since(answered)),
        _ => None,
    };
    exchanges.windows(2).filter_map(gap).collect()
}

/// Processor time of a step, and memory at the end.
fn costs(exchanges: &[Exchange]) -> Vec<Row> {
    let read: Vec<_> = exchanges.iter().filter_map(|one| Some((one.step, one.process?))).collect();
    let (Some((from, first)), Some((to, last))) = (read.first(), read.last()) else { return Vec::new() };
    let steps = (to - from).max(1) as f64;
    let own = (last.own - first.own).as_secs_f64() * 1000.0 / steps;
    let children = (last.children - first.children).as_secs_f64() * 1000.0 / steps;
    let mib = |kib: u64| kib as f64 / 1024.0;
    let peak = read.iter().map(|(_, process)| process.anonymous).max().unwrap_or_default();
    vec![
        Row::new(
            "CPU of a step: the process itself and the commands it ran",
            format!("{:.2} ms ({own:.2} its own, {children:.2} the commands)", own + children),
        )
        .at_most("2 ms, its own 0.3", &[own + children, own], &[2.0, 0.3]),
        Row::new(
            "memory at its peak, one session: anonymous / resident",
            format!("{:.1} / {:.1} MiB", mib(peak), mib(last.peak_resident)),
        )
        .at_most("10 / 30 MiB", &[mib(peak), mib(last.peak_resident)], &[10.0, 30.0]),
    ]
}

/// The size of the first request, and whether each begins with the one before.
fn requests(exchanges: &[Exchange]) -> anyhow::Result<Vec<Row>> {
    let first = exchanges.first().context("the model was not asked")?.bytes as f64 / 1000.0;
    let (extends, of) =
        (exchanges.iter().skip(1).filter(|one| one.extends).count(), exchanges.len().saturating_sub(1));
    let connections = exchanges.iter().map(|one| one.connection).max().unwrap_or_default() + 1;
    let opened = exchanges.first().map_or(0, |one| one.connection);
    Ok(vec![
        Row::new("first request, with all tools", format!("{first:.1} KB")).at_most(
            "10 KB",
            &[first],
            &[10.0],
        ),
        Row::new("requests that begin with all bytes of the one before", format!("{extends} of {of}"))
            .judged("all", extends == of),
        Row::new("connections that the run opened", (connections - opened).to_string()),
    ])
}
