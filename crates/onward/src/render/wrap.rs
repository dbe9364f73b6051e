//! Long lines for people, broken where a reader would break them.

/// Columns of a terminal that nobody has widened.
pub(crate) const COLUMNS: usize = 80;

/// A text in lines of at most [`COLUMNS`], the first behind `label`, the others below it. It is broken at spaces, and
/// behind a `|` where a word alone is too long; a path that is longer stays whole.
pub(crate) fn wrapped(label: &str, text: &str) -> Vec<String> {
    let indent = " ".repeat(label.chars().count());
    let mut lines = Vec::new();
    let mut line = label.to_owned();
    let mut empty = true;
    for word in text.split(' ') {
        for (index, piece) in pieces(word, COLUMNS.saturating_sub(indent.len())).into_iter().enumerate() {
            let gap = if empty || index > 0 { "" } else { " " };
            let needed = line.chars().count() + gap.len() + piece.chars().count();
            if needed > COLUMNS && !empty {
                lines.push(std::mem::replace(&mut line, format!("{indent}{piece}")));
            } else {
                line.push_str(gap);
                line.push_str(piece);
            }
            empty = false;
        }
    }
    lines.push(line);
    lines
}

/// A word, in pieces only when it does not fit.
fn pieces(word: &str, room: usize) -> Vec<&str> {
    if word.chars().count() <= room { vec![word] } else { word.split_inclusive('|').collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_at_spaces_and_choices_and_nothing_is_lost() {
        let choice = vec!["subcommand"; 20].join("|");
        let text = format!("git {choice} ... {}", "words ".repeat(30).trim());
        let lines = wrapped("  argv  ", &text);
        assert!(lines.len() > 3 && lines.iter().all(|line| line.chars().count() <= COLUMNS), "{lines:#?}");
        assert!(
            lines.iter().skip(1).all(|line| line.starts_with("        ") && !line.starts_with("         "))
        );
        let squeezed = |text: &str| text.replace(' ', "");
        assert_eq!(squeezed(&lines.concat()), squeezed(&format!("argv{text}")));
        let long = "/a".repeat(60);
        assert_eq!(wrapped("x ", &long), [format!("x {long}")]);
        assert_eq!(wrapped("x ", ""), ["x "]);
    }
}
