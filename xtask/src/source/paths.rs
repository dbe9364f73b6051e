//! The paths that code names, with every `use` tree written out.

use super::blocks::skip_space;
use super::words::is_word;

/// One path, such as `std::io::Write`. A single identifier is a path of one segment, and a glob ends in `*`.
#[derive(Debug)]
pub(crate) struct NamedPath {
    pub(crate) at: usize,
    pub(crate) text: String,
    /// It follows a dot, so it is a field, a method or `await`.
    pub(crate) after_dot: bool,
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
        self.text.contains(tail) && format!("::{}::", self.text).contains(&format!("::{tail}::"))
    }
}

/// All paths in masked code. `use std::{fs, io::{self, Read}}` names `std::fs`, `std::io` and `std::io::Read`.
pub(crate) fn paths(code: &str) -> Vec<NamedPath> {
    let mut reader = Reader { code, at: 0, found: Vec::new() };
    while reader.at < code.len() {
        if reader.peek().is_some_and(is_word) {
            reader.path("");
        } else {
            reader.at += 1;
        }
    }
    reader.found
}

struct Reader<'a> {
    code: &'a str,
    at: usize,
    found: Vec<NamedPath>,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.code.as_bytes().get(self.at).copied()
    }

    fn word(&mut self) -> &str {
        let start = self.at;
        while self.peek().is_some_and(is_word) {
            self.at += 1;
        }
        &self.code[start..self.at]
    }

    /// Reads a path that starts here, below the `prefix` of the group that it is in.
    fn path(&mut self, prefix: &str) {
        let (at, after_dot) = (self.at, self.is_after_dot());
        let mut text = format!("{prefix}{}", self.word());
        while let Some(next) = self.after_colons() {
            match next {
                b'{' => return self.group(&format!("{text}::")),
                b'*' => {
                    text.push_str("::*");
                    self.at += 1;
                }
                _ => {
                    text.push_str("::");
                    text.push_str(self.word());
                }
            }
        }
        if let Some(module) = text.strip_suffix("::self") {
            text.truncate(module.len());
        }
        self.found.push(NamedPath { at, text, after_dot });
    }

    /// Moves behind `::` if a further segment, a glob or a group follows it, and says which.
    fn after_colons(&mut self) -> Option<u8> {
        let bytes = self.code.as_bytes();
        // A space before the colons would make `use ::std` one path. The formatter leaves none inside a path.
        if !bytes[self.at..].starts_with(b"::") {
            return None;
        }
        let next = skip_space(bytes, self.at + 2);
        let byte = *bytes.get(next)?;
        if byte != b'{' && byte != b'*' && !is_word(byte) {
            return None;
        }
        self.at = next;
        Some(byte)
    }

    fn group(&mut self, prefix: &str) {
        self.at += 1;
        while let Some(byte) = self.peek() {
            match byte {
                b'}' => {
                    self.at += 1;
                    return;
                }
                b'*' => {
                    self.found.push(NamedPath { at: self.at, text: format!("{prefix}*"), after_dot: false });
                    self.at += 1;
                }
                b'{' => self.group(prefix),
                byte if is_word(byte) => {
                    self.path(prefix);
                    self.alias();
                }
                _ => self.at += 1,
            }
        }
    }

    /// Passes over `as name`: the new name is no path of the group.
    fn alias(&mut self) {
        let start = skip_space(self.code.as_bytes(), self.at);
        let Some(rest) = self.code[start..].strip_prefix("as") else { return };
        if rest.starts_with(|next: char| next.is_ascii_whitespace()) {
            self.at = skip_space(self.code.as_bytes(), start + "as".len());
            self.word();
        }
    }

    fn is_after_dot(&self) -> bool {
        let before = self.code.as_bytes()[..self.at].trim_ascii_end();
        before.ends_with(b".") && !before.ends_with(b"..")
    }
}

#[cfg(test)]
mod tests {
    use super::paths;

    fn texts(code: &str) -> Vec<String> {
        paths(code).into_iter().map(|path| path.text).collect()
    }

    #[test]
    fn use_trees_are_written_out() {
        assert_eq!(
            texts("use std::{fs::File, io::{self, Read as R, *}, env as e};"),
            ["use", "std::fs::File", "std::io", "std::io::Read", "std::io::*", "std::env"]
        );
        assert_eq!(texts("use ::std::{{net}, fs};"), ["use", "std::net", "std::fs"]);
    }

    #[test]
    fn expressions_and_turbofish() {
        assert_eq!(texts("std::\n env::var(x)"), ["std::env::var", "x"]);
        assert_eq!(texts("Vec::<std::fs::File>::new()"), ["Vec", "std::fs::File", "new"]);
    }

    #[test]
    fn methods_are_told_from_functions() {
        let found = paths("command.current_dir(x) + current_dir() + 0..current_dir");
        let methods: Vec<_> =
            found.iter().filter(|it| it.text == "current_dir").map(|it| it.after_dot).collect();
        assert_eq!(methods, [true, false, false]);
    }

    #[test]
    fn prefixes_end_at_a_segment() {
        let found = paths("std::environment std::env::var tokio::io::stdout()");
        assert!(!found[0].is_within("std::env"));
        assert!(found[1].is_within("std::env"));
        assert!(found[2].contains("io::stdout"));
        assert!(!found[1].contains("io::stdout"));
    }

    #[test]
    fn unfinished_code_ends() {
        assert_eq!(texts("use std::{fs"), ["use", "std::fs"]);
        assert_eq!(texts("use std::"), ["use", "std"]);
    }
}
