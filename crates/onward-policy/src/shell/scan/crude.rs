//! The last resort: a text cut at every character that could separate commands, without any nesting.

use crate::shell::{Simple, limits, names};

/// Appends what could be a command to `found`, up to the limit. Quotes and backslashes are taken off wherever they are.
pub(super) fn crude(text: &str, found: &mut Vec<Simple>) {
    let text = text.replace("\\\n", "");
    let pieces = text.split(|character| "\n;&|()`{}".contains(character));
    found.extend(pieces.flat_map(commands).take(limits::SCAN_COMMANDS));
}

/// The commands between two separators: each may start behind a word of the grammar, an assignment or a redirection.
fn commands(piece: &str) -> Vec<Simple> {
    let words = piece.split_whitespace().map(bare).filter(|word| !word.is_empty()).collect::<Vec<_>>();
    let parts = words.split(|word| names::is_reserved(word) && word != "-");
    let argvs = parts.map(|part| {
        let leading = part.iter().take_while(|word| is_assignment(word) || word.contains(['<', '>'])).count();
        part.get(leading..).unwrap_or_default().to_vec()
    });
    argvs.filter(|argv| !argv.is_empty()).map(|argv| Simple { argv, ..Simple::default() }).collect()
}

fn bare(word: &str) -> String {
    word.chars().filter(|character| !"'\"\\$".contains(*character)).collect()
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| names::is_variable(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_wherever_a_command_could_start() {
        let mut found = Vec::new();
        crude("if A=1 rm 'x'; then >a r\\\nm y|$(c \"d\"", &mut found);
        let argvs = found.into_iter().map(|command| command.argv.join(" ")).collect::<Vec<_>>();
        assert_eq!(argvs, ["rm x", "rm y", "c d"]);
    }
}
