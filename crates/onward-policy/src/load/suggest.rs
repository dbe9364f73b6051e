//! The nearest known word.

/// The known word that was probably meant: at most a third of its letters are wrong.
pub(super) fn nearest<'a>(given: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let ranked = known.into_iter().map(|word| (edits(given, word), word));
    ranked.filter(|(edits, word)| *edits <= (word.chars().count() / 3).max(1)).min().map(|(_, word)| word)
}

/// Letters to add, drop or replace.
fn edits(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (i, a) in from.chars().take(64).enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, b) in to.iter().enumerate() {
            let replaced = diagonal + usize::from(a != *b);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn a_slip_is_recognised_and_another_word_is_not() {
        assert_eq!(nearest("efect", ["effect", "reason"]), Some("effect"));
        assert_eq!(nearest("workspace", ["read-only", "workspace-write"]), None);
        assert_eq!(nearest("alow", ["allow", "ask"]), Some("allow"));
        assert_eq!(nearest("", ["id"]), None);
    }
}
