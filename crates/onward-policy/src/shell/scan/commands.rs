//! The scan as a whole: the script, the bodies in it, and the fallback.

use super::crude::crude;
use super::scanner::{Scanner, Shared};
use crate::shell::{Simple, limits, names};

/// Every command that can be found in `script`.
pub(in crate::shell) fn commands(script: &str) -> Vec<Simple> {
    let text = within(script);
    let mut shared = Shared { uncertain: text.len() < script.len(), ..Shared::default() };
    // bash drops these.
    let text = text.replace('\0', "");
    Scanner::new(&text, 0, &mut shared).script();
    // In arithmetic neither `<<` nor `#` nor a quote means what it means elsewhere.
    shared.uncertain |= ["((", "$["].iter().any(|start| text.contains(start));
    if shared.uncertain || runs_unknown(&shared.found) {
        bodies(&mut shared);
    }
    if shared.uncertain {
        crude(&text, &mut shared.found);
        shared.found.push(Simple::default());
    }
    shared.found
}

/// Reads the bodies of here-documents as scripts, and the bodies in those.
fn bodies(shared: &mut Shared) {
    for depth in 1..=limits::SCAN_DEPTH {
        for body in std::mem::take(&mut shared.bodies) {
            Scanner::new(&body, depth, shared).script();
        }
    }
    shared.uncertain |= !shared.bodies.is_empty();
}

/// Whether something in the script may read a here-document as a script.
fn runs_unknown(found: &[Simple]) -> bool {
    found.iter().any(|command| {
        let unknown = !command.complete && command.argv.first().is_some_and(|name| !is_literal(name));
        unknown
            || command.argv.iter().any(|word| {
                names::is_shell(word)
                    || matches!(names::base(word), "." | "source" | "eval" | "ssh" | "busybox")
            })
    })
}

fn is_literal(word: &str) -> bool {
    word.chars().all(|character| character.is_ascii_alphanumeric() || "_./,:@%+=-".contains(character))
}

/// The start of the script that is looked at.
fn within(script: &str) -> &str {
    let mut end = script.len().min(limits::SCAN_BYTES);
    while !script.is_char_boundary(end) {
        end -= 1;
    }
    &script[..end]
}
