//! Whether a command is on the list, with arguments that are.

use super::special;
use super::table::{HARMLESS, Harmless, Operands};
use crate::shell::options::Parsed;
use crate::shell::{Redirect, Simple};

/// Whether a command only looks: it changes nothing, runs nothing else and speaks to no other machine, whatever the
/// files hold that it reads. What it reads is judged elsewhere.
///
/// The name counts as it stands, without a folder. Every option has to be known; a file that is written, except
/// `/dev/null`, or a variable that is set makes any command more than that.
pub fn harmless(command: &Simple) -> bool {
    let Some((name, arguments)) = command.argv.split_first() else { return false };
    command.complete
        && command.assignments.is_empty()
        && command.redirects.iter().all(is_harmless)
        && (special::permits(name, arguments) || listed(name, arguments))
}

fn is_harmless(redirect: &Redirect) -> bool {
    match redirect.path.as_deref() {
        Some("/dev/null") => true,
        Some(path) => !redirect.writes && !path.contains("/dev/tcp/") && !path.contains("/dev/udp/"),
        None => false,
    }
}

fn listed(name: &str, arguments: &[String]) -> bool {
    let known = |entry: &&Harmless| entry.names.split_ascii_whitespace().any(|known| known == name);
    let Some(entry) = HARMLESS.iter().find(known) else { return false };
    let parsed = entry.options.all(arguments);
    let operands = parsed.iter().filter_map(|argument| match argument {
        Parsed::Operand(operand) => Some(*operand),
        _ => None,
    });
    !parsed.contains(&Parsed::Unknown)
        && match entry.operands {
            Operands::Any => true,
            Operands::AtMost(most) => operands.count() <= most,
            Operands::Formats => operands.into_iter().all(|operand| operand.starts_with('+')),
        }
}
