//! Whether a rule is about a part of a call.
//!
//! One rule of thumb runs through it: an *allow* matches when it surely covers the part; an *ask* or *deny* matches when
//! it possibly concerns it.
//!
//! Paths show it best. In an *allow*, `read` and `write` are the **upper bound** of what may be touched: every file that
//! the part names has to lie within, by its name and by what the name leads to, and a file that is changed is allowed
//! only by a rule that has `write`. In an *ask* or *deny* they are **any match**: one file that the part names, by either
//! of its names, is enough; the words of a command count as names of files there.

use onward_event::Verdict;

use crate::call::{Call, Command, Kind, Part, PathUse, is_effectless};
use crate::globs::PathGlobs;
use crate::protected::{is_behind_protected, is_protected, may_be_protected};
use crate::rule::{Rule, RuleSandbox, Special};

/// Whether `rule` is about `part` of `call`.
pub(crate) fn matches(rule: &Rule, part: &Part, call: &Call<'_>) -> bool {
    let request = call.request;
    (rule.modes.is_empty() || rule.modes.contains(&request.mode))
        && risks_hold(rule, part)
        && rule.tool.as_ref().is_none_or(|tool| tool.matches(request.tool))
        && rule.special.iter().all(|special| special_holds(*special, part, call))
        && match rule.effect {
            Verdict::Allow => allows(rule, part, call),
            Verdict::Ask | Verdict::Deny => concerns(rule, part, call),
        }
}

fn allows(rule: &Rule, part: &Part, call: &Call<'_>) -> bool {
    contained_enough(rule, part, call)
        && command_is(rule, part, |command| is_covered(rule, command, call))
        && match part.kind {
            Kind::Opaque => rule.is(Special::Opaque),
            Kind::Command => {
                part.command.as_ref().is_some_and(|command| knows(rule, command)) && within(rule, part, call)
            }
            // A target that is not known lies in no bound, and only the sandbox has one for it.
            Kind::Write if part.touches.is_empty() => rule.is(Special::Opaque),
            Kind::Write => rule.write.is_some() && within(rule, part, call),
            Kind::Read => (rule.read.is_some() || rule.is(Special::Effectless)) && within(rule, part, call),
            Kind::Tool => {
                let bounded = rule.read.is_some() || rule.write.is_some();
                (!bounded || !part.touches.is_empty() || rule.is(Special::Unnamed))
                    && within(rule, part, call)
            }
        }
}

/// An *allow* has to name every risk that the part has, an *ask* or *deny* one of them.
fn risks_hold(rule: &Rule, part: &Part) -> bool {
    let named = |risk| rule.risks.contains(risk);
    rule.risks.is_empty()
        || match rule.effect {
            Verdict::Allow => part.risks.iter().all(named),
            Verdict::Ask | Verdict::Deny => part.risks.iter().any(named),
        }
}

/// An *allow* never means unsandboxed, unless it says so. What runs inside of the runtime runs in no sandbox, and is
/// bounded by what its tool can do.
fn contained_enough(rule: &Rule, part: &Part, call: &Call<'_>) -> bool {
    let runs = part.command.is_some() || part.kind == Kind::Opaque;
    !runs || call.contained || rule.sandbox == Some(RuleSandbox::Uncontained)
}

/// Whether an *allow* may speak about a command of which not all is known: only one that is about any script at all.
fn knows(rule: &Rule, command: &Command) -> bool {
    command.known || rule.is(Special::Opaque)
}

/// Every file that the part names lies in what the rule bounds it to. A rule without bounds sets none.
fn within(rule: &Rule, part: &Part, call: &Call<'_>) -> bool {
    let root = &call.request.workspace.root;
    let in_bound =
        |globs: &Option<PathGlobs>, path: &str| globs.as_ref().is_some_and(|globs| globs.matches(path, root));
    part.touches.iter().all(|touch| {
        // Where links lead decides. The spelling does not: a workspace may itself be named through a link.
        let path = touch.path.real.as_str();
        match touch.how {
            PathUse::Read => rule.read.is_none() || in_bound(&rule.read, path),
            PathUse::Write => rule.write.is_none() || in_bound(&rule.write, path),
            PathUse::Named => {
                rule.read.is_none() && rule.write.as_ref().is_none_or(|globs| globs.patterns().is_empty())
                    || in_bound(&rule.read, path)
                    || in_bound(&rule.write, path)
            }
        }
    })
}

fn concerns(rule: &Rule, part: &Part, call: &Call<'_>) -> bool {
    let bounded = rule.read.is_some() || rule.write.is_some();
    concerns_command(rule, part, call) && (!bounded || touches(rule, part, call))
}

/// Whether an *ask* or *deny* may be about the part's command, whatever files it names.
pub(crate) fn concerns_command(rule: &Rule, part: &Part, call: &Call<'_>) -> bool {
    command_is(rule, part, |command| may_be(rule, command, call))
}

/// One file that the part names is among those of the rule. A command that only looks changes none that it names.
fn touches(rule: &Rule, part: &Part, call: &Call<'_>) -> bool {
    let root = &call.request.workspace.root;
    let looks = part.command.as_ref().is_some_and(|command| command.harmless);
    part.touches.iter().any(|touch| {
        let is_in = |globs: &Option<PathGlobs>| {
            globs.as_ref().is_some_and(|globs| {
                globs.matches(&touch.path.real, root) || globs.matches(&touch.path.literal, root)
            })
        };
        match touch.how {
            PathUse::Read => is_in(&rule.read),
            PathUse::Write => is_in(&rule.write),
            PathUse::Named => is_in(&rule.read) || !looks && is_in(&rule.write),
        }
    })
}

/// Whether the conditions on a command hold: a rule that has some is about commands alone, and their redirections.
fn command_is(rule: &Rule, part: &Part, holds: impl Fn(&Command) -> bool) -> bool {
    let about_commands = rule.argv.is_some() || !rule.program.is_empty();
    !about_commands || part.command.as_deref().is_some_and(holds)
}

fn is_covered(rule: &Rule, command: &Command, call: &Call<'_>) -> bool {
    let root = &call.request.workspace.root;
    let argv = rule
        .argv
        .as_ref()
        .is_none_or(|argv| command.known && argv.covers(&command.argv, |word| command.is_surely(word, root)));
    argv && (rule.program.is_empty() || !command.program.borrowed && has_program(rule, command, root))
}

fn may_be(rule: &Rule, command: &Command, call: &Call<'_>) -> bool {
    let root = &call.request.workspace.root;
    let argv = rule.argv.as_ref().is_none_or(|argv| {
        argv.may_match(&command.argv, command.complete, |word| command.is_possibly(word, root))
    });
    argv && (rule.program.is_empty() || has_program(rule, command, root))
}

/// Programs of a rule are compared by the file that they are: the rule's own spelling may be a link as well.
fn has_program(rule: &Rule, command: &Command, workspace: &str) -> bool {
    let Some(real) = &command.program.real else { return false };
    rule.program.iter().any(|path| path == real || crate::resolve::path(path, workspace).real == *real)
}

fn special_holds(special: Special, part: &Part, call: &Call<'_>) -> bool {
    let command = part.command.as_deref();
    let is_command = part.kind == Kind::Command;
    match special {
        Special::Harmless => is_command && command.is_some_and(|command| command.harmless),
        Special::Wraps => is_command && command.is_some_and(|command| command.wraps),
        Special::Speaks => is_command && command.is_some_and(Command::speaks),
        // A right, not a condition.
        Special::Opaque | Special::Unnamed | Special::Beside => true,
        Special::Effectless => is_effectless(call.request),
        Special::Protected => changes_protected(part, call),
        Special::Outside => is_outside(part, call),
        Special::HardLink => {
            part.kind == Kind::Write && part.touches.iter().any(|touch| has_second_name(&touch.path.real))
        }
    }
}

/// A tool's reads, and all writes, stay in their place. What a command reads is up to its sandbox.
fn is_outside(part: &Part, call: &Call<'_>) -> bool {
    let judged = match part.kind {
        Kind::Write | Kind::Tool => true,
        Kind::Read => part.command.is_none(),
        Kind::Command | Kind::Opaque => false,
    };
    judged && part.touches.iter().any(|touch| !call.place.holds(touch))
}

/// A word of a command may be what it changes, unless it only looks.
fn changes_protected(part: &Part, call: &Call<'_>) -> bool {
    let root = &call.request.workspace.root;
    let looks = part.command.as_ref().is_some_and(|command| command.harmless);
    let named = part.touches.iter().any(|touch| {
        let changes = touch.how == PathUse::Write || touch.how == PathUse::Named && !looks;
        changes
            && (is_protected(&touch.path.real, root)
                || is_protected(&touch.path.literal, root)
                || is_behind_protected(&touch.path.real, root))
    });
    let command =
        part.command.as_ref().filter(|command| part.kind == Kind::Command && !command.seems_harmless);
    named || command.is_some_and(|command| command.wild_words().any(may_be_protected))
}

fn has_second_name(path: &str) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    std::fs::symlink_metadata(path).is_ok_and(|meta| meta.is_file() && meta.nlink() > 1)
}
