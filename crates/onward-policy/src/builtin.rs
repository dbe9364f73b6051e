//! The built-in rules, which stand in `builtin.toml`.

use std::sync::LazyLock;

use onward_event::Verdict;

use crate::layer::{Layer, Origin};
use crate::load::{Parsed, parse};
use crate::rule::Rule;

const NAME: &str = "builtin.toml";
const TEXT: &str = include_str!("builtin.toml");

/// Compiling the patterns takes a moment, and many policies are made in tests.
static RULES: LazyLock<Vec<Rule>> = LazyLock::new(|| {
    let parsed = parse(Layer::BuiltIn, NAME, TEXT);
    if parsed.errors.is_empty() { parsed.rules } else { vec![nothing()] }
});

/// The built-in rules.
pub(crate) fn parsed() -> Parsed {
    Parsed { rules: RULES.clone(), grants: Vec::new(), errors: Vec::new() }
}

/// What is in force if the built-in file cannot be read, which a test excludes: nothing is let through.
fn nothing() -> Rule {
    Rule {
        id: "builtin-broken".into(),
        effect: Verdict::Deny,
        origin: Origin { layer: Layer::BuiltIn, file: NAME.into(), line: 0 },
        reason: "the built-in rules of this program cannot be read; it was built wrongly".into(),
        tool: None,
        argv: None,
        program: Vec::new(),
        read: None,
        write: None,
        network: false,
        modes: Vec::new(),
        risks: Vec::new(),
        sandbox: None,
        grantable: false,
        special: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_file_is_right_and_every_rule_gives_a_reason() {
        let parsed = parse(Layer::BuiltIn, NAME, TEXT);
        assert_eq!(parsed.errors, []);
        assert!(parsed.rules.len() > 10 && parsed.grants.is_empty());
        for rule in &parsed.rules {
            assert!(!rule.reason.is_empty(), "{} gives no reason", rule.id);
        }
    }
}
