//! Reading the options of a known program: each has to be on a list, in the very form in which it is written.

/// The options of a program that are known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Options {
    /// Letters without a value (`-a`), which may be joined.
    pub(super) flags: &'static str,
    /// Letters with a value, in the same word or the next one.
    pub(super) valued: &'static str,
    /// Long names without a value, or with one behind `=`; without the dashes, separated by spaces.
    pub(super) long: &'static str,
    /// Long names with a value behind `=` or in the next word.
    pub(super) long_valued: &'static str,
}

/// One argument, understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Parsed<'a> {
    /// An option, by its letter or long name, with its value.
    Option { name: &'a str, value: Option<&'a str> },
    /// What is none.
    Operand(&'a str),
    /// An option that is not on the list, or lacks its value.
    Unknown,
}

impl Options {
    /// No options at all.
    pub(super) const NONE: Self = Self { flags: "", valued: "", long: "", long_valued: "" };

    /// Reads the leading options of `arguments`, and how many words they take. `None` if one is not known.
    pub(super) fn leading<'a>(&self, arguments: &'a [String]) -> Option<(Vec<Parsed<'a>>, usize)> {
        let mut parsed = Vec::new();
        let mut at = 0;
        while let Some(word) = arguments.get(at) {
            if word == "--" {
                return Some((parsed, at + 1));
            }
            if word.len() < 2 || !word.starts_with('-') {
                break;
            }
            at += self.option(word, arguments.get(at + 1), &mut parsed)?;
        }
        Some((parsed, at))
    }

    /// Reads all of `arguments`, options among operands too.
    pub(super) fn all<'a>(&self, arguments: &'a [String]) -> Vec<Parsed<'a>> {
        let mut parsed = Vec::new();
        let mut at = 0;
        while let Some(word) = arguments.get(at) {
            if word == "--" {
                parsed.extend(arguments.iter().skip(at + 1).map(|word| Parsed::Operand(word)));
                break;
            }
            if word.len() < 2 || !word.starts_with('-') {
                parsed.push(Parsed::Operand(word));
                at += 1;
                continue;
            }
            match self.option(word, arguments.get(at + 1), &mut parsed) {
                Some(words) => at += words,
                None => {
                    parsed.push(Parsed::Unknown);
                    at += 1;
                }
            }
        }
        parsed
    }

    /// Reads one word of options, and returns how many words it took.
    fn option<'a>(
        &self,
        word: &'a str,
        next: Option<&'a String>,
        parsed: &mut Vec<Parsed<'a>>,
    ) -> Option<usize> {
        if let Some(long) = word.strip_prefix("--") {
            let (name, value) = match long.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None => (long, None),
            };
            if has(self.long, name) || value.is_some() && has(self.long_valued, name) {
                parsed.push(Parsed::Option { name, value });
                return Some(1);
            }
            let value = next.filter(|_| has(self.long_valued, name))?;
            parsed.push(Parsed::Option { name, value: Some(value) });
            return Some(2);
        }
        let letters = word.get(1..)?;
        for (at, letter) in letters.char_indices() {
            let end = at + letter.len_utf8();
            let name = letters.get(at..end)?;
            if self.valued.contains(letter) {
                let rest = letters.get(end..).filter(|rest| !rest.is_empty());
                let value = rest.or(next.map(String::as_str))?;
                parsed.push(Parsed::Option { name, value: Some(value) });
                return Some(if rest.is_some() { 1 } else { 2 });
            }
            if !self.flags.contains(letter) {
                return None;
            }
            parsed.push(Parsed::Option { name, value: None });
        }
        Some(1)
    }
}

fn has(names: &str, name: &str) -> bool {
    names.split_ascii_whitespace().any(|known| known == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPTIONS: Options = Options { flags: "ab", valued: "n", long: "all color", long_valued: "name" };

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn leading_options_end_at_the_first_operand() {
        let count = |text: &str| OPTIONS.leading(&words(text)).map(|(_, words)| words);
        assert_eq!(count("-ab -n 1 x -z"), Some(3));
        assert_eq!(count("-an1 x"), Some(1));
        assert_eq!(count("--all --name x --name=y -- -z"), Some(5));
        assert_eq!(count("- x"), Some(0));
    }

    #[test]
    fn what_is_not_on_the_list_is_unknown() {
        for text in ["-z", "-az", "--al", "--nam=x", "--name", "-n", "-ä"] {
            assert_eq!(OPTIONS.leading(&words(text)), None, "{text}");
            assert!(OPTIONS.all(&words(text)).contains(&Parsed::Unknown), "{text}");
        }
    }
}
