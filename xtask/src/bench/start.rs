//! How long it takes until the model is asked, and what a one-step answer costs.

use std::process::Stdio;

use anyhow::Context;

use crate::place::Place;
use crate::report::Row;
use crate::run::{self, exec, to_end};
use crate::scene::Scene;
use crate::server::{Script, Server};
use crate::stats::Sample;

/// Has bash say what a command used, to a thousandth of a second: the kernel's own figure, children included.
const TIMED: &str = "TIMEFORMAT='%3U %3S'; time \"$@\" 2>/dev/null";

pub(crate) fn measure(scene: &Scene) -> anyhow::Result<Vec<Row>> {
    let (server, place) = scene.stage("start", Script::of(0))?;
    // The first run makes the store; people start onward more than once.
    to_end(place.onward(&exec("10"))?, &place, &server)?;
    server.take();
    let (mut first, mut wall, mut cpu) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..scene.pick(40, 8) {
        let ended = to_end(place.onward(&exec("10"))?, &place, &server)?;
        let asked = server.take().first().context("the model was not asked")?.arrived;
        first.push(asked - ended.started);
        wall.push(ended.wall);
        cpu.extend(cpu_of(&place, &server)?);
    }
    let (first, wall, cpu) = (Sample::millis(first), Sample::millis(wall), Sample::new(cpu));
    let mut rows = vec![
        Row::new(
            "process start to the first byte of the first request",
            format!("{:.1} ms median, {:.1} p95", first.median(), first.p95()),
        )
        .at_most("25 ms", &[first.median()], &[25.0]),
        Row::new("one-step answer, wall", format!("{:.1} ms median, {:.1} p95", wall.median(), wall.p95()))
            .at_most("45 ms", &[wall.median()], &[45.0]),
    ];
    if cpu.len() > 0 {
        rows.push(
            Row::new("one-step answer, CPU", format!("{:.1} ms median, {:.1} p95", cpu.median(), cpu.p95()))
                .at_most("30 ms", &[cpu.median()], &[30.0]),
        );
    }
    rows.push(size(scene)?);
    Ok(rows)
}

/// Processor time in milliseconds; none where there is no bash.
fn cpu_of(place: &Place, server: &Server) -> anyhow::Result<Option<f64>> {
    let words = ["exec", "--max-steps", "10", run::TASK];
    let mut command = place.wrapped("bash", &["-c", TIMED, "bash"], &words)?;
    let Ok(output) = command.stderr(Stdio::piped()).output() else { return Ok(None) };
    server.take();
    let text = String::from_utf8_lossy(&output.stderr);
    let seconds: Vec<f64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    Ok((seconds.len() == 2).then(|| seconds.iter().sum::<f64>() * 1000.0))
}

fn size(scene: &Scene) -> anyhow::Result<Row> {
    let bytes = std::fs::metadata(scene.binary()).context("the binary cannot be seen")?.len();
    let megabytes = bytes as f64 / 1e6;
    Ok(Row::new("binary", format!("{megabytes:.1} MB")).at_most("40 MB", &[megabytes], &[40.0]))
}
