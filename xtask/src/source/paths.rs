//! The paths that code names, with every `use` tree written out.

use super::tokens::{Kind, Token};

/// One path, such as `std::io::Write`. A single identifier is a path of one segment, and a glob ends in `*`.
#[derive(Debug)]
pub(crate) struct NamedPath {
    pub(crate) line: usize,
    pub(crate) text: String,
    /// It follows a dot, so it is a field, a method or `await`.
    pub(crate) after_dot: bool,
    /// An exclamation mark follows, so it is a macro that is called.
    pub(crate) is_macro: bool,
}

impl NamedPath {
    pub(crate) fn segments(&self) -> impl Iterator<Item = &str> {
        self.text.split("::")
    }

    /// Whether this is `path` or something in it.
    pub(crate) fn is_within(&self, path: &str) -> bool {
        self.text.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
    }

    /// Whether `tail` stands somewhere in this path, whatever leads to it: `io::stdout` in `tokio::io::stdout`.
    pub(crate) fn contains(&self, tail: &str) -> bool {
        // The cheap questions first: most paths are one short word, and many tails are looked for.
        self.text.len() >= tail.len()
            && self.text.contains(tail)
            && format!("::{}::", self.text).contains(&format!("::{tail}::"))
    }
}

/// All paths in these tokens. `use std::{fs, io::{self, Read}}` names `std::fs`, `std::io` and `std::io::Read`.
pub(super) fn paths(tokens: &[Token<'_>]) -> Vec<NamedPath> {
    let mut reader = Reader { tokens, at: 0, found: Vec::new() };
    while let Some(token) = reader.peek(0) {
        match token.kind {
            Kind::Word => reader.path(""),
            _ => reader.at += 1,
        }
    }
    reader.found
}

/// Words that stand before a path that begins with colons, as in `use ::std`, and are no part of it.
const BEFORE_PATHS: &[&str] = &[
    "as", "async", "await", "break", "const", "dyn", "else", "for", "if", "impl", "in", "let", "match",
    "move", "mut", "pub", "ref", "return", "static", "unsafe", "use", "where", "while", "yield",
];

struct Reader<'t, 'a> {
    tokens: &'t [Token<'a>],
    at: usize,
    found: Vec<NamedPath>,
}

impl<'t, 'a> Reader<'t, 'a> {
    fn peek(&self, ahead: usize) -> Option<&'t Token<'a>> {
        self.tokens.get(self.at + ahead)
    }

    fn next_is(&self, ahead: usize, text: &str) -> bool {
        self.peek(ahead).is_some_and(|token| token.is(text))
    }

    /// Reads a path that starts here, below the `prefix` of the group that it is in.
    fn path(&mut self, prefix: &str) {
        let (start, first) = (self.at, self.tokens[self.at].text);
        let mut text = format!("{prefix}{first}");
        self.at += 1;
        while self.next_is(0, ":") && self.next_is(1, ":") && !BEFORE_PATHS.contains(&text.as_str()) {
            match self.peek(2) {
                Some(token) if token.is("{") => {
                    self.at += 3;
                    return self.group(&format!("{text}::"));
                }
                Some(token) if token.kind == Kind::Word || token.is("*") => {
                    text = format!("{text}::{}", token.text);
                    self.at += 3;
                }
                _ => break,
            }
        }
        self.push(start, text);
    }

    /// Reads what stands in the braces of a `use` tree, and the one that closes them.
    fn group(&mut self, prefix: &str) {
        while let Some(token) = self.peek(0) {
            if token.is("*") {
                self.push(self.at, format!("{prefix}*"));
            } else if token.is("as") {
                // The new name is no path of the group.
                self.at += 1;
            } else if token.is("{") {
                self.at += 1;
                self.group(prefix);
                continue;
            } else if token.kind == Kind::Word {
                self.path(prefix);
                continue;
            }
            self.at += 1;
            if token.is("}") {
                return;
            }
        }
    }

    fn push(&mut self, start: usize, text: String) {
        let before = |back: usize| start.checked_sub(back).is_some_and(|at| self.tokens[at].is("."));
        self.found.push(NamedPath {
            line: self.tokens[start].line,
            text: text.strip_suffix("::self").map_or(text.clone(), str::to_owned),
            after_dot: before(1) && !before(2),
            is_macro: self.next_is(0, "!") && !self.next_is(1, "="),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::{NamedPath, paths};
    use crate::source::tokens;

    fn read(code: &str) -> Vec<NamedPath> {
        paths(&tokens::read(code).map_or(Vec::new(), |tokens| tokens.code))
    }

    fn texts(code: &str) -> Vec<String> {
        read(code).into_iter().map(|path| path.text).collect()
    }

    #[test]
    fn use_trees_are_written_out() {
        assert_eq!(
            texts("use std::{fs::File, io::{self, Read as R, *}, env as e};"),
            ["use", "std::fs::File", "std::io", "std::io::Read", "std::io::*", "std::env"]
        );
        assert_eq!(texts("use ::std::{{net}, fs};"), ["use", "std::net", "std::fs"]);
        assert_eq!(texts("use r#std::env;"), ["use", "std::env"]);
    }

    #[test]
    fn expressions_and_turbofish() {
        assert_eq!(texts("std::\n env :: var(x)"), ["std::env::var", "x"]);
        assert_eq!(texts("Vec::<std::fs::File>::new()"), ["Vec", "std::fs::File", "new"]);
    }

    #[test]
    fn methods_are_told_from_functions() {
        let found = read("command.current_dir(x) + current_dir() + 0..current_dir");
        let methods: Vec<_> =
            found.iter().filter(|it| it.text == "current_dir").map(|it| it.after_dot).collect();
        assert_eq!(methods, [true, false, false]);
    }

    #[test]
    fn macros_are_seen_inside_of_macros() {
        let found = read("a!(b, std::c!{}, d != e)");
        let macros: Vec<_> = found.iter().filter(|it| it.is_macro).map(|it| it.text.as_str()).collect();
        assert_eq!(macros, ["a", "std::c"]);
    }

    #[test]
    fn prefixes_end_at_a_segment() {
        let found = read("std::environment std::env::var tokio::io::stdout()");
        assert!(!found[0].is_within("std::env"));
        assert!(found[1].is_within("std::env"));
        assert!(found[2].contains("io::stdout"));
        assert!(!found[1].contains("io::stdout"));
    }

    #[test]
    fn unfinished_code_ends() {
        assert_eq!(texts("use std::"), ["use", "std"]);
        assert_eq!(texts("use std::{}"), ["use"]);
    }
}
