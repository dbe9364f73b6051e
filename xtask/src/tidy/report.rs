//! Applies the rules and puts what they found in order: warnings, then failures, then one line of figures.

use std::fmt;

use super::Rule;
use super::finding::{Finding, Severity};
use crate::source::Tree;

pub(super) struct Report {
    findings: Vec<(&'static str, Finding)>,
    files: usize,
    rules: usize,
}

impl Report {
    pub(super) fn new(tree: &Tree, rules: &[Rule]) -> Self {
        let apply = |rule: &Rule| {
            (rule.check)(tree).into_iter().map(|finding| (rule.name, finding)).collect::<Vec<_>>()
        };
        let mut findings: Vec<_> = rules.iter().flat_map(apply).collect();
        findings.sort_by(|(_, a), (_, b)| {
            (a.severity, &a.path, a.line, &a.message).cmp(&(b.severity, &b.path, b.line, &b.message))
        });
        Self { findings, files: tree.files.len(), rules: rules.len() }
    }

    pub(super) fn failed(&self) -> bool {
        self.count(Severity::Failure) > 0
    }

    fn count(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|(_, finding)| finding.severity == severity).count()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (rule, finding) in &self.findings {
            let mark = if finding.severity == Severity::Warning { " (warning)" } else { "" };
            writeln!(f, "{}:{}: {rule}: {}{mark}", finding.path, finding.line, finding.message)?;
        }
        let (failures, warnings) = (self.count(Severity::Failure), self.count(Severity::Warning));
        let (files, rules) = (self.files, self.rules);
        writeln!(
            f,
            "tidy: {files} files read, {rules} rules applied: {failures} failures, {warnings} warnings"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::{Finding, Report, Rule, Tree};

    fn rule(name: &'static str, check: fn(&Tree) -> Vec<Finding>) -> Rule {
        Rule { name, wants: "", check }
    }

    fn bad(_: &Tree) -> Vec<Finding> {
        vec![Finding::failure("b", 2, "wrong, change it"), Finding::warning("c", 1, "long, split it")]
    }

    fn mild(_: &Tree) -> Vec<Finding> {
        vec![Finding::warning("a", 3, "long, split it")]
    }

    #[test]
    fn warnings_come_first_and_figures_last() {
        let report = Report::new(&Tree::of(&[("a", "")]), &[rule("bad", bad), rule("mild", mild)]);
        assert!(report.failed());
        assert_eq!(
            report.to_string(),
            "a:3: mild: long, split it (warning)\nc:1: bad: long, split it (warning)\nb:2: bad: wrong, change it\n\
             tidy: 1 files read, 2 rules applied: 1 failures, 2 warnings\n"
        );
    }

    #[test]
    fn warnings_alone_do_not_fail() {
        assert!(!Report::new(&Tree::of(&[]), &[rule("mild", mild)]).failed());
    }
}
