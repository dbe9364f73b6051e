//! What the model of a session says: turns of a few steps, most of which run a command that leaves a line in the ledger.

use std::path::Path;

use serde_json::{Value, json};

use super::random::Random;

/// Turns of a script. A session that has been through all of them answers without commands.
const TURNS: usize = 600;

/// A script for a session that works. The model counts its answers, and a step that was cut off is asked for again
/// under the same number: so each line of the ledger belongs to one call, and may be there once.
pub(super) fn working(session: usize, ledger: &Path, random: &mut Random) -> Value {
    let mut steps = Vec::new();
    for _ in 0..TURNS {
        for _ in 0..random.within(1..4) {
            steps.push(step(session, ledger, random));
        }
        steps.push(json!({ "text": "That was {n}.", "delta_ms": random.within(0..40) }));
    }
    json!({ "steps": steps })
}

/// A script for a session that is to come to an end: one answer, and no command.
pub(super) fn resting() -> Value {
    json!({ "final": "Done." })
}

/// A step with one call or two, sometimes one in the background.
fn step(session: usize, ledger: &Path, random: &mut Random) -> Value {
    let background = random.one_in(6);
    let mut calls = vec![call(&mark(session, 'a'), ledger, random, background)];
    if random.one_in(4) {
        calls.push(call(&mark(session, 'b'), ledger, random, false));
    }
    let pause = if random.one_in(3) { random.within(0..300) } else { 0 };
    json!({ "text": "I go on with {n}.", "calls": calls, "delay_ms": pause })
}

/// The line's name, in which the model fills in the number of its answer.
fn mark(session: usize, ordinal: char) -> String {
    format!("s{session}-{{n}}-{ordinal}")
}

/// A command that works for a while, leaves its line at some moment of it, and says so.
fn call(mark: &str, ledger: &Path, random: &mut Random, background: bool) -> Value {
    let (before, after) = (random.within(0..900), random.within(0..300));
    let command = format!(
        "sleep {}; echo {mark} >> '{}'; sleep {}; echo left {mark}",
        seconds(before),
        ledger.display(),
        seconds(after)
    );
    match background {
        true => json!({ "tool": "shell", "input": { "command": command, "background": true } }),
        false => json!({ "tool": "shell", "input": { "command": command } }),
    }
}

fn seconds(millis: u64) -> String {
    format!("{}.{:03}", millis / 1000, millis % 1000)
}
