//! Opens one wrapper after another.

use super::step::Step;
use super::{find, git, interpreter, shells, wrapper};
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
    let mut unwrapped = Unwrapped { commands: vec![command.clone()], complete: true };
    let mut layer = 0..1;
    for depth in 0..=limits::WRAPPERS {
        let start = unwrapped.commands.len();
        for at in layer.clone() {
            let Some(outer) = unwrapped.commands.get(at) else { break };
            let step = step(outer);
            unwrapped.complete &= outer.complete && !step.unknown;
            if depth == limits::WRAPPERS {
                unwrapped.complete &= step.inner.is_empty();
                continue;
            }
            if let Some(outer) = unwrapped.commands.get_mut(at) {
                outer.redirects.extend(step.redirects);
            }
            let room = limits::WRAPPED_COMMANDS.saturating_sub(unwrapped.commands.len());
            unwrapped.complete &= step.inner.len() <= room;
            unwrapped.commands.extend(step.inner.into_iter().take(room));
        }
        layer = start..unwrapped.commands.len();
    }
    unwrapped
}

/// One layer.
fn step(command: &Simple) -> Step {
    let Some((name, arguments)) = command.argv.split_first() else { return Step::nothing() };
    let step = match names::base(name) {
        "find" | "gfind" => find::step(arguments),
        "git" => git::step(arguments),
        base if names::is_shell(base) => shells::shell(arguments),
        base => shells::builtin(base, arguments)
            .or_else(|| interpreter::step(base, arguments))
            .or_else(|| wrapper::step(base, arguments))
            .unwrap_or_else(Step::nothing),
    };
    if command.complete {
        return step;
    }
    // A word that is not known may be an option, or the name of a wrapper: then a command starts anywhere.
    let may_wrap = step.unknown || !step.inner.is_empty() || !is_literal(name);
    if may_wrap { step.and(Step::guesses(arguments)) } else { step }
}

fn is_literal(name: &str) -> bool {
    !name.is_empty() && !name.contains(|character| "$`*?[{~(<>".contains(character))
}
