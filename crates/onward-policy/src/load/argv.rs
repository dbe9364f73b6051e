//! Argument vectors as they stand in a file.

use toml::Spanned;
use toml::de::DeValue;

use super::fields::{At, Fields, texts_of};
use super::source::Source;
use crate::pattern::{ArgvPattern, Token};

/// The word for any rest.
const REST: &str = "...";

/// The pattern of `argv`.
pub(super) fn pattern(source: &mut Source<'_>, fields: &mut Fields<'_>) -> Option<ArgvPattern> {
    let value = fields.value("argv")?;
    let Some(items) = value.get_ref().as_array() else {
        let instead = "write one text for each word: argv = [\"npm\", \"test\", \"...\"]";
        source.wrong(&value.span(), "`argv` must be a list of words", instead);
        return None;
    };
    let before = source.count();
    let mut pattern = ArgvPattern { tokens: Vec::new(), rest: false };
    let last = items.len().saturating_sub(1);
    for (index, item) in items.iter().enumerate() {
        if item.get_ref().as_str() == Some(REST) {
            rest(source, item, index, last);
            pattern.rest = true;
        } else {
            pattern.tokens.extend(token(source, item, index));
        }
    }
    if items.is_empty() {
        source.wrong(
            &value.span(),
            "with an empty `argv` the rule can match nothing",
            "name a program, or leave `argv` out",
        );
    }
    (source.count() == before).then_some(pattern)
}

fn rest(source: &mut Source<'_>, item: &Spanned<DeValue<'_>>, index: usize, last: usize) {
    if index == 0 {
        let instead = "name the program first; a rule for every command has no `argv` but `tool = \"shell\"`";
        source.wrong(&item.span(), "`argv` starts with \"...\", which stands for any command", instead);
    } else if index != last {
        let instead = "write the words that may follow, or end the list here";
        source.wrong(&item.span(), "\"...\" stands for any rest, so nothing can follow it", instead);
    }
}

fn token(source: &mut Source<'_>, item: &Spanned<DeValue<'_>>, index: usize) -> Option<Token> {
    if let DeValue::String(text) = item.get_ref() {
        let word = At { it: text.to_string(), at: item.span() };
        return check(source, &word, index).then_some(Token::Word(word.it));
    }
    let words = texts_of(source, item, "a choice in argv")?;
    if words.is_empty() {
        source.wrong(
            &item.span(),
            "with an empty choice the rule can match nothing",
            "name the words that are meant",
        );
        return None;
    }
    let good = words.iter().filter(|word| check(source, word, index)).count();
    (good == words.len()).then(|| Token::Choice(words.into_iter().map(|word| word.it).collect()))
}

/// Traps of one word.
fn check(source: &mut Source<'_>, word: &At<String>, index: usize) -> bool {
    let (what, instead) = if word.it == REST {
        ("\"...\" cannot be one of several words".to_owned(), "put it at the end of `argv`")
    } else if word.it.contains('*') {
        let instead = "write a list as a choice of words, or \"...\" at the end for any rest";
        (format!("{:?} is compared as it is: `*` is no wildcard in `argv`", word.it), instead)
    } else if index == 0 && word.it.trim().is_empty() {
        ("the first word of `argv` names no program".to_owned(), "name the program")
    } else if index == 0 && word.it.contains(char::is_whitespace) {
        let instead = "write one text for each word: argv = [\"npm\", \"test\"]";
        (format!("{:?} is several words, and no program has this name", word.it), instead)
    } else {
        return true;
    };
    source.wrong(&word.at, what, instead);
    false
}
