//! What runs in place of a plain script, written from the parse alone.

use onward_event::Rendered;

use super::step::{Connection, Join, Step, Target};
use crate::shell::names;

/// What means exactly these commands: the vector itself where no shell is needed, else a script of quoted words.
///
/// The names of commands are quoted too: a quoted word is never an alias or a word of the grammar.
pub(in crate::shell) fn render(steps: &[Step]) -> Rendered {
    match steps {
        [step] if is_vector(step) => Rendered::Argv(step.argv.clone()),
        _ => Rendered::Script(script(steps)),
    }
}

fn is_vector(step: &Step) -> bool {
    step.assignments.is_empty()
        && step.connections.is_empty()
        && !step.argv.first().is_some_and(|name| names::is_builtin_only(name))
}

fn script(steps: &[Step]) -> String {
    let mut script = String::new();
    for (index, step) in steps.iter().enumerate() {
        if index > 0 {
            script.push_str(match step.join {
                Join::Then => "; ",
                Join::And => " && ",
                Join::Or => " || ",
                Join::Pipe => " | ",
            });
        }
        let assignments = step.assignments.iter().map(|(name, value)| format!("{name}={}", quoted(value)));
        let words = step.argv.iter().map(|word| quoted(word));
        let connections = step.connections.iter().map(connection);
        script.push_str(&assignments.chain(words).chain(connections).collect::<Vec<_>>().join(" "));
    }
    script
}

fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

fn connection(connection: &Connection) -> String {
    let descriptor = connection.descriptor;
    match &connection.to {
        Target::Read(path) => format!("{descriptor}<{}", quoted(path)),
        Target::Write(path) => format!("{descriptor}>{}", quoted(path)),
        Target::Append(path) => format!("{descriptor}>>{}", quoted(path)),
        Target::Descriptor(of) => format!("{descriptor}>&{of}"),
    }
}
