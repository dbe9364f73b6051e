//! `find`, which runs commands, deletes and writes files.

use super::step::Step;
use crate::shell::{Redirect, Simple};

/// What a `find` with these arguments runs and writes.
pub(super) fn step(arguments: &[String]) -> Step {
    let mut step = Step::nothing();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "-exec" | "-execdir" | "-ok" | "-okdir" => {
                let argv = words.by_ref().take_while(|word| *word != ";" && *word != "+").cloned();
                step.inner.push(executed(argv.collect()));
            }
            "-delete" => step.redirects.push(Redirect { writes: true, path: None }),
            "-fprint" | "-fprint0" | "-fprintf" | "-fls" => {
                step.redirects.push(Redirect { writes: true, path: words.next().cloned() });
            }
            // The folders that it walks are not known.
            "-files0-from" => step.unknown = true,
            _ => {}
        }
    }
    step
}

/// The names of the files that were found take the place of `{}`.
fn executed(argv: Vec<String>) -> Simple {
    let complete = !argv.iter().any(|word| word.contains("{}"));
    Simple { argv, complete, ..Simple::default() }
}
