//! `env -S`: a word that `env` itself takes apart into more words.

/// What `env` makes of arguments with a word to split.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Split {
    /// There is none.
    None,
    /// The arguments that take the place of it and of all before it.
    Into(Vec<String>),
    /// The same, but with words that are not what runs: quotes, escapes and variables mean something in there.
    Unclear(Vec<String>),
}

/// Splits the first `-S` or `--split-string` among the leading options.
pub(super) fn split(arguments: &[String]) -> Split {
    let mut at = 0;
    while let Some(word) = arguments.get(at).filter(|word| word.len() > 1 && word.starts_with('-')) {
        let (splits, value) = option(word);
        let words = if value == Value::Next { 2 } else { 1 };
        if splits {
            let text = match value {
                Value::Here(text) => text,
                Value::Next | Value::None => arguments.get(at + 1).map_or("", String::as_str),
            };
            return replaced(text, arguments.get(at + words..).unwrap_or_default());
        }
        if word == "--" {
            break;
        }
        at += words;
    }
    Split::None
}

#[derive(PartialEq, Eq)]
enum Value<'a> {
    None,
    Here(&'a str),
    Next,
}

/// Whether a word of options splits, and where the value of its last option is.
fn option(word: &str) -> (bool, Value<'_>) {
    if let Some(long) = word.strip_prefix("--") {
        let (name, value) = match long.split_once('=') {
            Some((name, value)) => (name, Value::Here(value)),
            None => (long, Value::Next),
        };
        // A long name may be shortened.
        let is = |known: &str| !name.is_empty() && known.starts_with(name);
        let valued = is("split-string") || is("unset") || is("chdir") || is("argv0");
        return (is("split-string"), if valued || value != Value::Next { value } else { Value::None });
    }
    let letters = word.get(1..).unwrap_or_default();
    let Some((at, letter)) = letters.char_indices().find(|(_, letter)| "SuCa".contains(*letter)) else {
        return (false, Value::None);
    };
    let rest = letters.get(at + letter.len_utf8()..).filter(|rest| !rest.is_empty());
    (letter == 'S', rest.map_or(Value::Next, Value::Here))
}

fn replaced(text: &str, rest: &[String]) -> Split {
    let mut words: Vec<String> = text.split_ascii_whitespace().map(str::to_owned).collect();
    words.extend_from_slice(rest);
    if text.contains(['\\', '\'', '"', '$', '#']) { Split::Unclear(words) } else { Split::Into(words) }
}
