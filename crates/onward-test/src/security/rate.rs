//! How often ordinary work is held up.

use onward_event::Verdict;
use serde::Serialize;

use super::benign::{Asks, Benign};
use super::judge::Judge;

/// Of a hundred commands that should ask nothing, so many may.
pub const FALSE_ASK_LIMIT: f64 = 10.0;

/// The commands of one category that should ask nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Rate {
    /// What they are about.
    pub category: String,
    /// How many there are.
    pub of: usize,
    /// Those that are held up.
    pub false_asks: Vec<FalseAsk>,
}

/// A command that is held up and should not be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FalseAsk {
    /// The command.
    pub line: String,
    /// `ask`, or `deny`.
    pub verdict: String,
    /// What decided.
    pub by: Vec<String>,
}

/// The rates of all categories. Of commands that may ask, those that are denied are false asks as well: nobody can answer.
pub fn rates(benign: &Benign, judge: &Judge) -> Vec<Rate> {
    let mut rates = Vec::new();
    for group in &benign.groups {
        let decided = group.commands.iter().map(|command| (command, judge.decide(&group.dir, &command.line)));
        let wrong = decided.filter(|(_, decision)| match group.asks {
            Asks::Nothing => decision.verdict != Verdict::Allow,
            Asks::May => decision.verdict == Verdict::Deny,
        });
        let false_asks: Vec<FalseAsk> = wrong
            .map(|(command, decision)| FalseAsk {
                line: command.line.clone(),
                verdict: if decision.verdict == Verdict::Deny { "deny" } else { "ask" }.to_owned(),
                by: decision.rules,
            })
            .collect();
        let of = if group.asks == Asks::Nothing { group.commands.len() } else { 0 };
        rates.push(Rate { category: group.category.clone(), of, false_asks });
    }
    rates
}
