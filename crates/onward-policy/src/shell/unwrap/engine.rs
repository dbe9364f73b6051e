//! Opens one wrapper after another.

use super::step::Step;
use super::{find, git, interpreter, make, shells, wrapper};
use crate::shell::{Simple, limits, names};

/// What a command runs, through all its wrappers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unwrapped {
    /// The command itself, then those inside it, outermost first. Files that a command writes by its arguments
    /// (`find -fprint`, `git --output`) are among its redirects.
    pub commands: Vec<Simple>,
    /// Whether these are all. If not, denials still run over what was found, but nothing may be allowed for it.
    pub complete: bool,
}

/// Finds the commands inside the wrappers of `command`, up to four deep; what is deeper makes it incomplete.
pub fn unwrap(command: &Simple) -> Unwrapped {
    let mut unwrapping = Unwrapping {
        commands: vec![command.clone()],
        guessed: vec![false],
        room: limits::WRAPPED_BYTES,
        complete: true,
    };
    let mut layer = 0..1;
    for depth in 0..=limits::WRAPPERS {
        let start = unwrapping.commands.len();
        for at in layer.clone() {
            unwrapping.open(at, depth);
        }
        layer = start..unwrapping.commands.len();
    }
    Unwrapped { commands: unwrapping.commands, complete: unwrapping.complete }
}

struct Unwrapping {
    commands: Vec<Simple>,
    /// For each command: it is only a guess.
    guessed: Vec<bool>,
    /// Bytes that may still be added.
    room: usize,
    complete: bool,
}

impl Unwrapping {
    /// Adds what is directly inside the command at `at`.
    fn open(&mut self, at: usize, depth: usize) {
        let (Some(outer), Some(guess)) = (self.commands.get_mut(at), self.guessed.get(at)) else { return };
        let guess = *guess;
        let step = step(outer, guess);
        outer.redirects.extend(step.redirects);
        self.complete &= outer.complete && !step.unknown;
        if depth == limits::WRAPPERS {
            self.complete &= step.inner.is_empty();
            return;
        }
        for inner in step.inner {
            self.add(inner, guess);
        }
        for inner in step.guesses.into_iter().filter(|_| !guess) {
            self.add(inner, true);
        }
    }

    fn add(&mut self, command: Simple, guess: bool) {
        let bytes = command.argv.iter().map(|word| word.len() + 1).sum::<usize>();
        if self.commands.len() < limits::WRAPPED_COMMANDS && bytes <= self.room {
            self.room -= bytes;
            self.commands.push(command);
            self.guessed.push(guess);
        } else {
            self.complete = false;
        }
    }
}

/// One layer.
fn step(command: &Simple, guess: bool) -> Step {
    let Some((name, arguments)) = command.argv.split_first() else { return Step::nothing() };
    let step = match names::base(name) {
        "find" | "gfind" => find::step(arguments),
        "git" => git::step(arguments),
        "make" => make::step(arguments),
        base if names::is_shell(base) => shells::shell(arguments),
        base => shells::builtin(base, arguments)
            .or_else(|| interpreter::step(base, arguments))
            .or_else(|| wrapper::step(base, arguments))
            .unwrap_or_else(Step::nothing),
    };
    if command.complete || guess {
        return step;
    }
    // A word that is not known may be an option, or the name of a wrapper: then a command starts anywhere.
    let may_wrap = step.unknown || !step.inner.is_empty() || !is_literal(name);
    if may_wrap { step.and(Step::guesses(arguments)) } else { step }
}

fn is_literal(name: &str) -> bool {
    !name.is_empty() && !name.contains(|character| "$`*?[{~(<>".contains(character))
}
