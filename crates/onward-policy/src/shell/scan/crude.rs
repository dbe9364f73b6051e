//! The last resort: a text cut at every character that could separate commands, without any nesting.

use crate::shell::{Simple, limits};

/// Appends what could be a command to `found`, up to the limit. Quotes and backslashes are taken off wherever they are.
pub(super) fn crude(text: &str, found: &mut Vec<Simple>) {
    let text = text.replace("\\\n", "");
    let room = limits::SCAN_COMMANDS;
    let pieces = text.split(|character| "\n;&|()`{}".contains(character));
    let commands = pieces.filter_map(|piece| {
        let words = piece.split_whitespace().map(bare).filter(|word| !word.is_empty());
        let argv = words.collect::<Vec<_>>();
        (!argv.is_empty()).then(|| Simple { argv, ..Simple::default() })
    });
    found.extend(commands.take(room));
}

fn bare(word: &str) -> String {
    word.chars().filter(|character| !"'\"\\$".contains(*character)).collect()
}
