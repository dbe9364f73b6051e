//! One Rust source in the views that checks need.

use super::mask::mask;
use super::paths::{NamedPath, paths};
use super::test_code::separate;

pub(crate) struct Rust {
    /// All code: comments blank, literals as `~`.
    pub(crate) code: String,
    pub(crate) comments: String,
    /// The code that ships. Empty in a file that is compiled for tests only.
    pub(crate) product: String,
    /// The paths named in `product`.
    pub(crate) paths: Vec<NamedPath>,
    /// The modules that this file declares for tests only.
    pub(crate) test_modules: Vec<String>,
    /// Whether the file says of itself that all of it is test code.
    pub(crate) whole_test: bool,
    line_starts: Vec<usize>,
}

impl Rust {
    pub(crate) fn new(text: &str) -> Self {
        let masked = mask(text);
        let tests = separate(&masked.code);
        let newlines = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        Self {
            paths: paths(&tests.product),
            code: masked.code,
            comments: masked.comments,
            product: tests.product,
            test_modules: tests.modules,
            whole_test: tests.whole,
            line_starts: std::iter::once(0).chain(newlines.map(|(at, _)| at + 1)).collect(),
        }
    }

    /// The line, counted from 1, that holds an offset of any view.
    pub(crate) fn line(&self, at: usize) -> usize {
        self.line_starts.partition_point(|&start| start <= at)
    }

    pub(super) fn forget_product(&mut self) {
        self.product.clear();
        self.paths.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::Rust;

    #[test]
    fn lines_are_counted_from_one() {
        let rust = Rust::new("a\nbc\n");
        assert_eq!([0, 1, 2, 4, 5].map(|at| rust.line(at)), [1, 1, 2, 2, 3]);
    }
}
