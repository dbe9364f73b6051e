//! The repository that the checks look at.

use std::collections::BTreeMap;

use super::members::Member;
use super::rust::{Product, Rust};
use super::tokens::Broken;

pub(crate) struct Tree {
    pub(crate) files: Vec<File>,
    pub(crate) members: Vec<Member>,
}

pub(crate) struct File {
    /// From the root of the repository, with forward slashes.
    pub(crate) path: String,
    pub(crate) text: String,
    /// Present for `.rs` files.
    pub(crate) rust: Option<Result<Rust, Broken>>,
}

impl Tree {
    pub(crate) fn new(texts: BTreeMap<String, String>, members: Vec<Member>) -> Self {
        let mut files: Vec<File> = texts.into_iter().map(|(path, text)| File::new(path, text)).collect();
        let test_modules: Vec<String> = files.iter().flat_map(File::declared_test_modules).collect();
        for file in &mut files {
            if file.is_test_file(&test_modules)
                && let Some(Ok(rust)) = &mut file.rust
            {
                rust.product = Product::default();
            }
        }
        Self { files, members }
    }

    pub(crate) fn file(&self, path: &str) -> Option<&File> {
        self.files.iter().find(|file| file.path == path)
    }

    /// All Rust files of the repository, tests among them.
    pub(crate) fn rust(&self) -> impl Iterator<Item = (&File, &Rust)> {
        self.files.iter().filter_map(|file| Some((file, file.rust()?)))
    }

    /// The Rust files in `src` folders of members, each with the member's name. Their `product` is what ships.
    pub(crate) fn sources(&self) -> impl Iterator<Item = (&str, &File, &Rust)> {
        self.rust().filter_map(|(file, rust)| Some((file.source_of()?, file, rust)))
    }
}

impl File {
    fn new(path: String, text: String) -> Self {
        let rust = path.ends_with(".rs").then(|| Rust::new(&text));
        Self { path, text, rust }
    }

    /// The source, if it is one that can be read.
    pub(crate) fn rust(&self) -> Option<&Rust> {
        self.rust.as_ref()?.as_ref().ok()
    }

    /// The member in whose `src` folder this file lies.
    pub(crate) fn source_of(&self) -> Option<&str> {
        let path = self.path.strip_prefix("crates/").unwrap_or(&self.path);
        let (member, rest) = path.split_once('/')?;
        let is_member = path.len() < self.path.len() || member == "xtask";
        (is_member && rest.starts_with("src/")).then_some(member)
    }

    /// The paths, without their ending, at which the modules lie that this file declares for tests.
    fn declared_test_modules(&self) -> Vec<String> {
        let Some(rust) = self.rust() else { return Vec::new() };
        let stem = self.path.trim_end_matches(".rs");
        let folder = match stem.rsplit_once('/') {
            Some((folder, "lib" | "main" | "mod")) => folder,
            _ => stem,
        };
        rust.test_modules.iter().map(|name| format!("{folder}/{name}")).collect()
    }

    /// Whether no line of this file ships: it is outside `src`, or a test module and what lies below it.
    fn is_test_file(&self, test_modules: &[String]) -> bool {
        let is_below = |module: &String| {
            self.path.strip_prefix(module.as_str()).is_some_and(|rest| rest == ".rs" || rest.starts_with('/'))
        };
        self.source_of().is_none() || test_modules.iter().any(is_below)
    }
}

#[cfg(test)]
impl Tree {
    /// A repository made of a few texts.
    pub(crate) fn of(texts: &[(&str, &str)]) -> Self {
        let texts = texts.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned()));
        Self::new(texts.collect(), Vec::new())
    }
}

#[cfg(test)]
mod tests {
    use super::Tree;

    #[test]
    fn sources_are_told_from_tests() {
        let code = "mod x;";
        let tree = Tree::of(&[
            ("crates/a/src/lib.rs", "#[cfg(test)] mod tests; mod deep;"),
            ("crates/a/src/tests.rs", code),
            ("crates/a/src/tests/more.rs", code),
            ("crates/a/src/testsuite.rs", code),
            ("crates/a/src/whole.rs", "#![cfg(test)] mod x;"),
            ("crates/a/src/deep.rs", "#[cfg(test)] mod check;"),
            ("crates/a/src/deep/check.rs", code),
            ("crates/a/tests/it.rs", code),
            ("crates/a/build.rs", code),
            ("xtask/src/main.rs", code),
            ("docs/readme.md", code),
        ]);
        let shipped: Vec<_> = tree
            .rust()
            .filter(|(_, rust)| rust.product.lines > 0)
            .map(|(file, _)| file.path.as_str())
            .collect();
        assert_eq!(shipped, ["crates/a/src/lib.rs", "crates/a/src/testsuite.rs", "xtask/src/main.rs"]);
        let members: Vec<_> = tree.sources().map(|(member, ..)| member).collect();
        assert_eq!(members.iter().filter(|member| **member == "xtask").count(), 1);
        assert_eq!(members.len(), 8);
    }
}
