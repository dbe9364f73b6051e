//! Words with patterns of file names in them, held against the names that rules are about.
//!
//! A shell makes names out of `.g*t/config` before the command runs, and `find`, `git` or `rsync` out of a word in quotes
//! after it began. Which ones, nobody knows before. So it is asked whether a word *could* stand for a name, and every
//! doubt is a yes: where in a path a word begins is not known, from a class of characters on a name is any name, and what
//! is too long or too branched to follow is everything.

use crate::globs::WORD;

/// Ways of one word through its braces that are followed.
const MAX_WAYS: usize = 64;
/// Bytes of a word or pattern that are compared.
const MAX_BYTES: usize = 1024;

/// One piece of a pattern for one component of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece {
    Is(char),
    Any,
    Run,
}

/// Whether a word is a pattern of names.
pub(crate) fn is_wild(word: &str) -> bool {
    word.contains(['*', '?', '[']) || word.contains('{') && word.contains('}')
}

/// Whether the end of a path that `word` stands for could be the end of one that `pattern` is about. Both are patterns.
pub(crate) fn may_end_as(word: &str, pattern: &str) -> bool {
    let pattern = pattern.strip_prefix(WORD).unwrap_or(pattern);
    // A rule may have braces of its own; where they lead is not worth following.
    let Some(ways) = ways(word).filter(|_| pattern.len() <= MAX_BYTES && !pattern.contains('{')) else {
        return true;
    };
    ways.iter().any(|way| {
        let (mine, theirs) = (components(way), components(pattern));
        for (mine, theirs) in mine.iter().rev().zip(theirs.iter().rev()) {
            if *mine == "**" || *theirs == "**" || *mine == ".." {
                return true;
            }
            if !meet(&pieces(mine), &pieces(theirs)) {
                return false;
            }
        }
        true
    })
}

/// Whether some components in a row of a path that `word` stands for could be these names, in any case. As for a shell, a
/// component that begins with `*` does not stand for a name that begins with a dot.
pub(crate) fn may_hold(word: &str, names: &str) -> bool {
    let Some(ways) = ways(&word.to_lowercase()) else { return true };
    let names: Vec<&str> = names.split('/').collect();
    let is = |(mine, name): (&&str, &&str)| {
        !(mine.starts_with('*') && name.starts_with('.')) && meet(&pieces(mine), &pieces(name))
    };
    ways.iter()
        .any(|way| components(way).windows(names.len()).any(|window| window.iter().zip(&names).all(is)))
}

/// The words that braces stand for; `None` when there are too many, or the word is too long.
fn ways(word: &str) -> Option<Vec<String>> {
    if word.len() > MAX_BYTES {
        return None;
    }
    let (mut open, mut done) = (vec![word.to_owned()], Vec::new());
    while let Some(word) = open.pop() {
        match braced(&word) {
            None => done.push(word),
            Some((start, choices, end)) => {
                open.extend(choices.iter().map(|choice| format!("{start}{choice}{end}")));
            }
        }
        if open.len() + done.len() > MAX_WAYS {
            return None;
        }
    }
    Some(done)
}

/// What stands before the first braces without braces in them, what in them, what behind.
fn braced(word: &str) -> Option<(&str, Vec<&str>, &str)> {
    let close = word.find('}')?;
    let (before, end) = (word.get(..close)?, word.get(close + 1..)?);
    let open = before.rfind('{')?;
    Some((before.get(..open)?, before.get(open + 1..)?.split(',').collect(), end))
}

fn components(path: &str) -> Vec<&str> {
    path.split('/').filter(|component| !component.is_empty() && *component != ".").collect()
}

fn pieces(component: &str) -> Vec<Piece> {
    let mut letters = component.chars();
    let mut pieces = Vec::new();
    while let Some(letter) = letters.next() {
        pieces.push(match letter {
            '*' => Piece::Run,
            '?' => Piece::Any,
            // Where a class of characters ends is told in many ways.
            '[' => {
                pieces.push(Piece::Run);
                return pieces;
            }
            '\\' => letters.next().map_or(Piece::Is('\\'), Piece::Is),
            letter => Piece::Is(letter),
        });
    }
    pieces
}

/// Whether there is a text for which both stand. `row[j]`: whether what was read of one can be met by the first `j` of
/// the other.
fn meet(one: &[Piece], other: &[Piece]) -> bool {
    let mut row = vec![true];
    for piece in other {
        row.push(row.last() == Some(&true) && *piece == Piece::Run);
    }
    for mine in one {
        let mut next = vec![row.first() == Some(&true) && *mine == Piece::Run];
        for (j, theirs) in other.iter().enumerate() {
            let at = |row: &[bool], j: usize| row.get(j) == Some(&true);
            let (above, left, across) = (at(&row, j + 1), at(&next, j), at(&row, j));
            next.push(match (mine, theirs) {
                // It stands for nothing, or for one more of what the other stands for.
                (Piece::Run, _) | (_, Piece::Run) => above || left,
                (Piece::Is(a), Piece::Is(b)) => a == b && across,
                (Piece::Any, _) | (_, Piece::Any) => across,
            });
        }
        row = next;
    }
    row.last() == Some(&true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_may_stand_for_a_name() {
        for (word, pattern) in [
            (".g*t/config", "${workspace}/.git/config"),
            ("{.git,x}/config", "${workspace}/.git/config"),
            ("./.{g{i,o}t,x}/con[f]ig", "/w/.git/config"),
            ("?env", "**/.env"),
            ("*", "**/.env"),
            ("*.pem", "**/*key.pem"),
            ("a*", "/w/*b"),
            ("*.rs", "${workspace}/secrets/**"),
            ("**/x", "/w/x"),
            ("../x*", "/w/xy"),
            ("a/../.e*", "/w/a/.env"),
            ("[!]]x", "/w/ax"),
            ("x*", "/w/{xa,b}"),
        ] {
            assert!(may_end_as(word, pattern), "{word} {pattern}");
        }
        for (word, pattern) in [
            ("*.rs", "**/.env"),
            ("src/*.rs", "/w/lib/a.rs"),
            ("a?c", "/w/abbc"),
            ("a*c*e", "/w/abcd"),
            ("?", "/w/ab"),
            ("{a,b}.rs", "/w/c.rs"),
        ] {
            assert!(!may_end_as(word, pattern), "{word} {pattern}");
        }
    }

    #[test]
    fn a_word_may_hold_names_in_a_row() {
        for (word, names) in [
            (".g*t/hooks/x", ".git/hooks"),
            ("sub/.GIT/h?oks/*", ".git/hooks"),
            ("{.envrc,b}", ".envrc"),
            ("?envrc", ".envrc"),
            ("[.]envrc", ".envrc"),
            (".*/hooks/pre-commit", ".git/hooks"),
        ] {
            assert!(may_hold(word, names), "{word} {names}");
        }
        for (word, names) in [
            ("*/hooks/x", ".git/hooks"),
            ("*", ".envrc"),
            ("*.rs", ".envrc"),
            (".g*", ".git/hooks"),
            ("", ".envrc"),
        ] {
            assert!(!may_hold(word, names), "{word} {names}");
        }
    }

    #[test]
    fn what_cannot_be_followed_is_everything() {
        let braces = "{a,b}".repeat(20);
        assert!(may_end_as(&braces, "/w/none") && may_hold(&braces, ".envrc"));
        assert!(may_hold(&"*".repeat(2 * MAX_BYTES), ".envrc"));
    }
}
