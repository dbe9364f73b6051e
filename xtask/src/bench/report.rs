//! The table: each figure beside its target, with a verdict; on the screen, in a file, in the page.

use std::fmt;
use std::path::Path;

use anyhow::{Context, bail};

/// Where the table stands in the page.
const BEGIN: &str = "<!-- measured:begin -->\n";
const END: &str = "<!-- measured:end -->\n";

/// One line of the table.
pub(crate) struct Row {
    what: String,
    measured: String,
    target: String,
    verdict: &'static str,
}

impl Row {
    /// A figure without a target.
    pub(crate) fn new(what: impl Into<String>, measured: impl Into<String>) -> Self {
        Self { what: what.into(), measured: measured.into(), target: String::new(), verdict: "" }
    }

    /// With a target that is an upper limit.
    #[must_use]
    pub(crate) fn at_most(self, target: impl Into<String>, is: &[f64], limits: &[f64]) -> Self {
        let met = is.iter().zip(limits).all(|(is, limit)| is <= limit);
        self.judged(target, met)
    }

    /// With a target that is a lower limit.
    #[must_use]
    pub(crate) fn at_least(self, target: impl Into<String>, is: f64, limit: f64) -> Self {
        self.judged(target, is >= limit)
    }

    /// With a target and whether it is met.
    #[must_use]
    pub(crate) fn judged(self, target: impl Into<String>, met: bool) -> Self {
        Self { target: target.into(), verdict: if met { "met" } else { "**missed**" }, ..self }
    }
}

/// Everything that was measured.
pub(crate) struct Report {
    /// Sentences before the table: when, where, how.
    pub(crate) about: Vec<String>,
    /// The table.
    pub(crate) rows: Vec<Row>,
    /// What could not be measured, and why.
    pub(crate) failed: Vec<String>,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n", self.about.join("\n"))?;
        writeln!(f, "| what | measured | target | |")?;
        writeln!(f, "|---|---|---|---|")?;
        for Row { what, measured, target, verdict } in &self.rows {
            writeln!(f, "| {what} | {measured} | {target} | {verdict} |")?;
        }
        for failure in &self.failed {
            writeln!(f, "\nNot measured: {failure}")?;
        }
        Ok(())
    }
}

impl Report {
    /// Puts the table into the page, and leaves the words around it alone.
    ///
    /// # Errors
    /// When the page is not there or has no place for it.
    pub(crate) fn write_into(&self, page: &Path) -> anyhow::Result<()> {
        let name = page.display();
        let old = std::fs::read_to_string(page).with_context(|| format!("{name} cannot be read"))?;
        let Some((before, rest)) = old.split_once(BEGIN) else {
            bail!("{name} has no line {}", BEGIN.trim())
        };
        let Some((_, after)) = rest.split_once(END) else { bail!("{name} has no line {}", END.trim()) };
        let new = format!("{before}{BEGIN}{self}{END}{after}");
        std::fs::write(page, new).with_context(|| format!("{name} cannot be written"))
    }
}
