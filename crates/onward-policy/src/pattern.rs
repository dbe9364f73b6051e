//! Patterns on argument vectors: word by word, never on the text of a command.
//!
//! A pattern is read in two ways. *Allow* rules and grants need certainty: every word is known and accounted for, and
//! the rest holds no option by which a program that reads begins to write or run something ([`crate::escapes`]).
//! *Ask* and *deny* rules take a possibility: options before a subcommand are passed over, and words that are not known
//! could be the ones meant.

use crate::escapes;

/// One word, or the rest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    /// This word.
    Word(String),
    /// One of these.
    Choice(Vec<String>),
}

/// A pattern on the words of a command, its program first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgvPattern {
    /// The words.
    pub tokens: Vec<Token>,
    /// Whether any words may follow.
    pub rest: bool,
}

impl Token {
    /// The words that it stands for.
    pub fn words(&self) -> &[String] {
        match self {
            Self::Word(word) => std::slice::from_ref(word),
            Self::Choice(words) => words,
        }
    }

    fn is(&self, word: &str) -> bool {
        self.words().iter().any(|known| known == word)
    }
}

impl ArgvPattern {
    /// The pattern of exactly these words.
    pub fn exact(argv: &[String]) -> Self {
        Self { tokens: argv.iter().cloned().map(Token::Word).collect(), rest: false }
    }

    /// Whether the pattern surely stands for this command. `program` says whether a word of the pattern names the
    /// command's program.
    pub fn covers(&self, argv: &[String], program: impl Fn(&str) -> bool) -> bool {
        let (Some((first, tokens)), Some((name, words))) = (self.tokens.split_first(), argv.split_first())
        else {
            return false;
        };
        if !first.words().iter().any(|word| program(word)) || words.len() < tokens.len() {
            return false;
        }
        let (fixed, rest) = words.split_at(tokens.len());
        let same = tokens.iter().zip(fixed).all(|(token, word)| token.is(word));
        same && (rest.is_empty() || self.rest && !rest.iter().any(|word| escapes::is_escape(name, word)))
    }

    /// Whether the pattern may stand for this command, of which words at the end may be unknown (`complete` is false).
    pub fn may_match(&self, argv: &[String], complete: bool, program: impl Fn(&str) -> bool) -> bool {
        let (Some((first, tokens)), Some((_, words))) = (self.tokens.split_first(), argv.split_first())
        else {
            return false;
        };
        if !first.words().iter().any(|word| program(word)) {
            return false;
        }
        starts(words).any(|from| self.follows(tokens, &words[from..], complete))
    }

    fn follows(&self, tokens: &[Token], words: &[String], complete: bool) -> bool {
        // A word that a shell would expand may become any words, and from there on nothing is known.
        let clear =
            if complete { words.len() } else { words.iter().take_while(|word| !is_expanded(word)).count() };
        let words = words.get(..clear).unwrap_or(words);
        let same = tokens.iter().zip(words).all(|(token, word)| token.is(word));
        let enough = words.len() >= tokens.len() || !complete;
        let ends = self.rest || !complete || words.len() <= tokens.len();
        same && enough && ends
    }
}

/// Whether a shell makes something else of a word: words of commands that are not complete are as they were written.
fn is_expanded(word: &str) -> bool {
    word.contains(['$', '`', '*', '?', '[', '{', '~', '\\', '\'', '"'])
}

/// Where a subcommand may stand: at the front, and behind each run of options and their values.
fn starts(words: &[String]) -> impl Iterator<Item = usize> {
    let is_option = |word: &String| word.starts_with('-');
    let mut open = true;
    (0..=words.len()).filter(move |&at| {
        if at > 0 {
            let after_option = at > 1 && is_option(&words[at - 2]);
            open = open && (is_option(&words[at - 1]) || after_option);
        }
        open
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn argv(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    fn pattern(text: &str) -> ArgvPattern {
        let rest = text.ends_with("...");
        let token = |word: &str| match word.split_once('|') {
            None => Token::Word(word.into()),
            Some(_) => Token::Choice(word.split('|').map(str::to_owned).collect()),
        };
        ArgvPattern { tokens: text.trim_end_matches("...").split_whitespace().map(token).collect(), rest }
    }

    fn covers(text: &str, command: &str) -> bool {
        let argv = argv(command);
        pattern(text).covers(&argv, |word| word == argv[0])
    }

    fn may(text: &str, command: &str, complete: bool) -> bool {
        let argv = argv(command);
        pattern(text).may_match(&argv, complete, |word| word == argv[0])
    }

    #[test]
    fn an_allow_accounts_for_every_word() {
        assert!(covers("npm test|run ...", "npm run build"));
        assert!(covers("npm test ...", "npm test"));
        assert!(covers("ls", "ls"));
        for (text, command) in [
            ("npm test", "npm test --watch"),
            ("npm test ...", "npm publish"),
            ("npm test ...", "npm"),
            ("npm test ...", "npm --prefix x test"),
        ] {
            assert!(!covers(text, command), "{text} must not cover {command}");
        }
    }

    #[test]
    fn the_rest_of_an_allow_holds_nothing_that_writes_or_runs() {
        for (text, command) in [
            ("find ...", "find . -delete"),
            ("find ...", "find / -fprintf /etc/cron.d/x y"),
            ("git diff ...", "git diff --output=/home/user/.bashrc"),
            ("git diff ...", "git diff --outp=/x"),
            ("git diff ...", "git diff --ext-diff"),
            ("git grep ...", "git grep -O./x y"),
            ("/usr/bin/find ...", "/usr/bin/find . -exec rm"),
        ] {
            assert!(!covers(text, command), "{text} must not cover {command}");
        }
        assert!(covers("find ...", "find . -name x"));
        assert!(covers("git diff ...", "git diff --oneline --stat"));
        assert!(covers("find . -delete", "find . -delete"), "what is written down is meant");
    }

    #[test]
    fn a_denial_passes_over_options_and_takes_unknown_words_for_the_worst() {
        assert!(may("git push ...", "git push origin", true));
        assert!(may("git push ...", "git -C x --no-pager push", true));
        assert!(!may("git push ...", "git commit -m push", true));
        assert!(may("rm -rf ...", "rm", false) && !may("rm -rf ...", "rm", true));
        assert!(may("rm -rf ...", "rm $x /", false) && !may("rm -rf ...", "rm x /", false));
        assert!(!may("git push ...", "git add", false));
        assert!(!may("shutdown", "shutdown now", true) && may("shutdown ...", "shutdown now", true));
    }
}
