//! Where a denial could concern what is not known before it runs: a program or a file behind a variable, a pattern of
//! file names ([`crate::wild`]), words that come from elsewhere.
//!
//! *Auto* lets scripts run that are not understood. Somebody who wrote a denial has not agreed to that for what the
//! denial may be about, so there a person is asked. *Bypass* never asks: there denials hold for what is known, and
//! nothing more is refused, because a refusal on suspicion would stop ordinary work that nobody can then agree to.

use onward_event::{Mode, Verdict};

use crate::call::{Call, Command, Kind, Part};
use crate::layer::Layer;
use crate::matching::concerns_command;
use crate::rule::Rule;
use crate::wild::may_end_as;

/// Whether a denial of a person, project or administrator could concern what is not known of `part`. A script as a whole
/// is in doubt when anything that was found in it is.
pub(crate) fn is_doubtful(rules: &[Rule], part: &Part, call: &Call<'_>) -> bool {
    if call.request.mode != Mode::Auto {
        return false;
    }
    let denies = || rules.iter().filter(|rule| is_denial(rule, call));
    match part.kind {
        Kind::Opaque => call.parts.iter().any(|found| denies().any(|rule| could_concern(rule, found, call))),
        _ => denies().any(|rule| could_concern(rule, part, call)),
    }
}

fn is_denial(rule: &Rule, call: &Call<'_>) -> bool {
    rule.effect == Verdict::Deny
        && rule.origin.layer != Layer::BuiltIn
        && (rule.modes.is_empty() || rule.modes.contains(&call.request.mode))
        && rule.tool.as_ref().is_none_or(|tool| tool.matches(call.request.tool))
}

fn could_concern(rule: &Rule, part: &Part, call: &Call<'_>) -> bool {
    let Some(command) = part.command.as_deref() else { return false };
    let names_program = rule.argv.is_some() || !rule.program.is_empty();
    let names_files = rule.read.is_some() || rule.write.is_some();
    let about_command = || !names_program || hides_program(command) || concerns_command(rule, part, call);
    match part.kind {
        // Its words are known; what it makes of those that are patterns (`find -path '.g*t/*' -delete`) is not.
        Kind::Command if command.complete => {
            names_files && !command.harmless && about_command() && could_name(rule, command)
        }
        Kind::Command if hides_program(command) => names_program || names_files,
        // Without files to compare, the rule has matched or never will.
        Kind::Command => names_files && about_command(),
        Kind::Read => part.touches.is_empty() && rule.read.is_some() && about_command(),
        Kind::Write => part.touches.is_empty() && rule.write.is_some() && about_command(),
        Kind::Tool | Kind::Opaque => false,
    }
}

/// Whether a word of a command that is a pattern could stand for a file that the rule is about.
fn could_name(rule: &Rule, command: &Command) -> bool {
    let patterns: Vec<&String> =
        [&rule.read, &rule.write].into_iter().flatten().flat_map(|globs| globs.patterns()).collect();
    command.wild_words().any(|word| patterns.iter().any(|pattern| may_end_as(word, pattern)))
}

/// Whether even the program is not known: its word is as it was written, and a shell would make another one of it.
fn hides_program(command: &Command) -> bool {
    let expands =
        |word: &String| word.contains(['$', '`', '*', '?', '[', '{', '~', '\\', '\'', '"', '<', '(']);
    !command.complete && command.argv.first().is_none_or(expands)
}
