//! Files and functions stay small enough to be read in one sitting.
//!
//! Counted are lines of code that ship: no blank lines, no comments, no tests. So nobody saves a line by leaving out
//! an explanation or a test.

use super::finding::Finding;
use crate::source::Tree;

struct Limit {
    warn: usize,
    fail: usize,
}

const FILE: Limit = Limit { warn: 400, fail: 900 };
const FUNCTION: Limit = Limit { warn: 60, fail: 150 };

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (_, file, rust) in tree.sources() {
        let product = &rust.product;
        findings.extend(FILE.judge(
            &file.path,
            1,
            "the file",
            product.lines,
            "move a part into a file of its own",
        ));
        findings.extend(product.functions.iter().filter_map(|function| {
            let what = format!("the body of `{}`", function.name);
            let advice = "move a step into a function of its own";
            FUNCTION.judge(&file.path, function.line, &what, function.lines, advice)
        }));
    }
    findings
}

impl Limit {
    fn judge(&self, path: &str, line: usize, what: &str, lines: usize, advice: &str) -> Option<Finding> {
        let (warn, fail) = (self.warn, self.fail);
        let message = format!("{what} has {lines} lines of code (wanted {warn}, at most {fail}), {advice}");
        if lines > fail {
            Some(Finding::failure(path, line, message))
        } else if lines > warn {
            Some(Finding::warning(path, line, message))
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::finding::places;
    use super::check;
    use crate::source::Tree;

    #[track_caller]
    fn check_text(text: &str, expect: &[&str]) {
        let tree = Tree::of(&[("crates/onward-core/src/a.rs", text)]);
        let found: Vec<_> = places(&check(&tree))
            .iter()
            .map(|place| place.replace("crates/onward-core/src/a.rs:", ""))
            .collect();
        assert_eq!(found, expect);
    }

    #[test]
    fn long_files_warn_then_fail() {
        check_text(&"const A: u8 = 0;\n".repeat(400), &[]);
        check_text(&"const A: u8 = 0;\n".repeat(401), &["1?"]);
        check_text(&"const A: u8 = 0;\n".repeat(900), &["1?"]);
        check_text(&"const A: u8 = 0;\n".repeat(901), &["1"]);
    }

    #[test]
    fn long_functions_warn_then_fail() {
        let function = |lines: usize| format!("\nfn f() {{\n{}}}\n", "    g(\"{\");\n".repeat(lines));
        check_text(&function(60), &[]);
        check_text(&function(61), &["2?"]);
        check_text(&function(150), &["2?"]);
        check_text(&function(151), &["2"]);
        check_text(&format!("made! {{{}}}", function(151)), &["2"]);
    }

    #[test]
    fn comments_blank_lines_and_tests_are_free() {
        check_text(&"// a\n\n/* b\nc */\n".repeat(900), &[]);
        check_text(&format!("#[cfg(test)]\nmod tests {{\n{}}}\n", "const A: u8 = 0;\n".repeat(2000)), &[]);
        // What stands behind the tests counts as what stands before them.
        check_text(&format!("#[cfg(test)] mod tests {{}}\n{}", "const A: u8 = 0;\n".repeat(901)), &["1"]);
    }

    #[test]
    fn a_literal_of_many_lines_counts() {
        check_text(&format!("const A: &str = \"\n{}\";\n", "// text\n".repeat(901)), &["1"]);
    }
}
