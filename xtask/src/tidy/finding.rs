//! What a rule has to say about one place.

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Severity {
    Warning,
    Failure,
}

/// The message says what is wrong and what to do. Which rule it comes from is known to the caller of the rule.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Finding {
    pub(super) severity: Severity,
    pub(super) path: String,
    /// Counted from 1.
    pub(super) line: usize,
    pub(super) message: String,
}

impl Finding {
    pub(super) fn failure(path: &str, line: usize, message: impl Into<String>) -> Self {
        Self { severity: Severity::Failure, path: path.to_owned(), line, message: message.into() }
    }

    pub(super) fn warning(path: &str, line: usize, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::failure(path, line, message) }
    }
}

/// For the tests of rules: each finding as `path:line`, followed by `?` if it is a warning.
#[cfg(test)]
pub(super) fn places(findings: &[Finding]) -> Vec<String> {
    let mark = |finding: &Finding| if finding.severity == Severity::Warning { "?" } else { "" };
    findings.iter().map(|finding| format!("{}:{}{}", finding.path, finding.line, mark(finding))).collect()
}
