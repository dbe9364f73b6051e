//! The files that the words of a command may name.
//!
//! What a program does with its words is its own business, so this errs on the side of too many: every word could be a
//! file, the value of every option too, from every folder that the script may have gone to.

use super::part::{PathUse, Touch};
use crate::resolve;

/// The files that these words may name.
pub(super) fn of(words: &[String], dirs: &[String]) -> Vec<Touch> {
    let mut touches = Vec::new();
    for word in words.iter().flat_map(|word| candidates(word)) {
        // From an absolute path it does not matter where the script is.
        let dirs = if word.starts_with('/') { dirs.get(..1).unwrap_or(dirs) } else { dirs };
        touches.extend(dirs.iter().map(|dir| Touch { how: PathUse::Named, path: resolve::path(word, dir) }));
    }
    touches.sort();
    touches.dedup();
    touches
}

/// What of a word may be a path: the word, the value in `--option=value`, `name=value` or `@value`, and what is glued to
/// a short option.
fn candidates(word: &str) -> Vec<&str> {
    let value = word.split_once('=').map(|(_, value)| value);
    let whole = if word.starts_with('-') { glued(word) } else { Some(word) };
    let at = word.strip_prefix('@');
    [whole, value, at].into_iter().flatten().filter(|candidate| !candidate.is_empty()).collect()
}

fn glued(word: &str) -> Option<&str> {
    let rest = word.strip_prefix('-')?.strip_prefix(|letter: char| letter.is_ascii_alphanumeric())?;
    rest.contains(['/', '.']).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::candidates;

    #[test]
    fn every_part_of_a_word_that_may_be_a_path_is_one() {
        assert_eq!(candidates("a/b"), ["a/b"]);
        assert_eq!(candidates("--file=/etc/passwd"), ["/etc/passwd"]);
        assert_eq!(candidates("-I/usr/include"), ["/usr/include"]);
        assert_eq!(candidates("if=/dev/sda"), ["if=/dev/sda", "/dev/sda"]);
        assert_eq!(candidates("@args.txt"), ["@args.txt", "args.txt"]);
        assert!(candidates("-rf").is_empty() && candidates("--all").is_empty() && candidates("").is_empty());
    }
}
