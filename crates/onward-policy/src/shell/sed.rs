//! The one command of `sed` that is understood: a substitution. The rest of its language can write files and run programs.

/// Letters behind a substitution that only say how often and how to match, and that the line is printed.
const FLAGS: &str = "gpIiMm0123456789";

/// Whether a script of `sed` is one substitution (`s/old/new/g`), which changes lines on their way and nothing else:
/// not with `e`, which runs what came of it, nor with `w`, which writes a file.
pub(super) fn only_substitutes(script: &str) -> bool {
    let mut letters = script.chars();
    let (Some('s'), Some(delimiter)) = (letters.next(), letters.next()) else { return false };
    if script.contains('\n') || delimiter == '\\' || delimiter.is_alphanumeric() {
        return false;
    }
    let mut ends = 0;
    while ends < 2 {
        match letters.next() {
            None => return false,
            // What follows stands for itself, or for a class of characters.
            Some('\\') => drop(letters.next()),
            Some(letter) => ends += u8::from(letter == delimiter),
        }
    }
    letters.all(|letter| FLAGS.contains(letter))
}

#[cfg(test)]
mod tests {
    use super::only_substitutes;

    #[test]
    fn a_substitution_is_known_and_nothing_else_is() {
        for script in ["s/a/b/", "s/a/b/g", "s|a/b|c|", "s/a\\/b/c/2p", "s#[0-9]*#&x#I", "s/a//"] {
            assert!(only_substitutes(script), "{script}");
        }
        for script in [
            "",
            "s",
            "s/a/b",
            "s/a/b/e",
            "s/a/b/w out",
            "s/a/b/;e",
            "s/a/b/\ne",
            "1e",
            "w out",
            "s/[/]/w/",
            "y/a/b/",
            "s/a/b/ge",
            "s/a/b\\/e",
            "sxaxex",
            "s\\a\\b\\",
        ] {
            assert!(!only_substitutes(script), "{script}");
        }
    }
}
