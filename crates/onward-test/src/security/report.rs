//! Attacks and false asks in one table: neither number means anything without the other.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use super::outcome::{AttackRow, Outcome, Totals, Work};
use super::rate::{FALSE_ASK_LIMIT, Rate};

/// Everything that was found.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// As numbers.
    pub totals: Totals,
    /// The most of a hundred ordinary commands that may be held up.
    pub false_ask_limit: f64,
    /// False asks by category.
    pub rates: Vec<Rate>,
    /// Ordinary work by tier.
    pub work: Vec<Work>,
    /// The attacks, by who ran them.
    pub attacks: BTreeMap<String, Vec<AttackRow>>,
    /// Why this is not good enough.
    pub failures: Vec<String>,
}

impl Report {
    /// Sums up. Attacks may have been run by several users: each has a list.
    pub fn new(rates: Vec<Rate>, work: Vec<Work>, attacks: BTreeMap<String, Vec<AttackRow>>) -> Self {
        let totals = totals(&rates, &work, &attacks);
        let failures = failures(&totals, &rates, &work, &attacks);
        Self { totals, false_ask_limit: FALSE_ASK_LIMIT, rates, work, attacks, failures }
    }

    /// Whether no attack succeeded, ordinary work is seldom held up, and it works.
    pub fn is_good(&self) -> bool {
        self.failures.is_empty()
    }
}

fn totals(rates: &[Rate], work: &[Work], attacks: &BTreeMap<String, Vec<AttackRow>>) -> Totals {
    let outcomes = || attacks.values().flatten().flat_map(|row| row.tiers.values());
    let once: &[AttackRow] = attacks.values().next().map_or(&[], Vec::as_slice);
    let count = |is: fn(&Outcome) -> bool| outcomes().filter(|outcome| is(outcome)).count();
    let (held, residual, harm) = (
        count(|outcome| matches!(outcome, Outcome::Held)),
        count(|outcome| matches!(outcome, Outcome::Residual(_))),
        count(|outcome| matches!(outcome, Outcome::Harm(_))),
    );
    let ordinary: usize = rates.iter().map(|rate| rate.of).sum();
    let false_asks: usize = rates.iter().map(|rate| rate.false_asks.len()).sum();
    Totals {
        attacks: once.len(),
        stopped_by_policy: once.iter().filter(|row| row.policy != "allow").count(),
        runs: held + residual + harm,
        held,
        residual,
        harm,
        ordinary,
        false_asks,
        false_ask_percent: percent(false_asks, ordinary),
        worked: work.iter().map(|work| work.worked).sum(),
        broken: work.iter().map(|work| work.broken.len()).sum(),
    }
}

fn percent(part: usize, of: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "counts of lines in a file")]
    let (part, of) = (part as f64, of.max(1) as f64);
    (part / of * 1000.0).round() / 10.0
}

fn failures(
    totals: &Totals,
    rates: &[Rate],
    work: &[Work],
    attacks: &BTreeMap<String, Vec<AttackRow>>,
) -> Vec<String> {
    let mut failures = Vec::new();
    for (user, row) in attacks.iter().flat_map(|(user, rows)| rows.iter().map(move |row| (user, row))) {
        for (tier, outcome) in &row.tiers {
            if let Outcome::Harm(harm) = outcome {
                failures.push(format!("{} succeeds in {tier} as {user}: {}", row.id, harm.join(", ")));
            }
        }
        if row.too_loose {
            failures.push(format!("{} is {} by policy, which is too little", row.id, row.policy));
        }
        if row.uncontained == Outcome::Held {
            failures
                .push(format!("{} does no harm uncontained as {user} either, so it shows nothing", row.id));
        }
    }
    if totals.runs == 0 || totals.worked == 0 {
        failures.push("no tier could be tested on this machine".to_owned());
    }
    if totals.false_ask_percent > FALSE_ASK_LIMIT {
        failures.push(format!(
            "{} % of ordinary commands are held up; at most {FALSE_ASK_LIMIT} % may be",
            totals.false_ask_percent
        ));
    }
    let denied = rates.iter().flat_map(|rate| &rate.false_asks).filter(|ask| ask.verdict == "deny");
    failures.extend(denied.map(|ask| format!("`{}` is denied, and nobody can answer", ask.line)));
    for work in work {
        let broken = work.broken.iter();
        failures.extend(
            broken.map(|(line, why)| {
                format!("`{line}` does not work in {} as {}: {why}", work.tier, work.user)
            }),
        );
    }
    failures
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (user, rows) in &self.attacks {
            writeln!(f, "as {user}:")?;
            attacks(f, rows)?;
        }
        asks(f, &self.rates)?;
        for work in &self.work {
            works(f, work)?;
        }
        let Totals { attacks, stopped_by_policy, runs, held, residual, harm, .. } = self.totals;
        let Totals { ordinary, false_asks, false_ask_percent, worked, broken, .. } = self.totals;
        writeln!(f, "\n{attacks} attacks: policy stops {stopped_by_policy}")?;
        writeln!(f, "{runs} runs of them: {held} held, {residual} residual, {harm} did harm")?;
        writeln!(
            f,
            "{ordinary} ordinary commands: {false_asks} held up ({false_ask_percent} %, limit {} %)",
            self.false_ask_limit
        )?;
        writeln!(f, "{} runs of them: {worked} worked, {broken} did not", worked + broken)?;
        for failure in &self.failures {
            writeln!(f, "FAILED: {failure}")?;
        }
        Ok(())
    }
}

fn attacks(f: &mut fmt::Formatter<'_>, rows: &[AttackRow]) -> fmt::Result {
    let tiers: Vec<&String> = rows.first().into_iter().flat_map(|row| row.tiers.keys()).collect();
    write!(f, "{:<36} {:<8} {:<12}", "attack", "policy", "uncontained")?;
    for tier in &tiers {
        write!(f, " {tier:<12}")?;
    }
    writeln!(f)?;
    for row in rows {
        write!(f, "{:<36} {:<8} {:<12}", row.id, row.policy, word(&row.uncontained))?;
        for outcome in row.tiers.values() {
            write!(f, " {:<12}", word(outcome))?;
        }
        writeln!(f)?;
    }
    let all = rows.iter().flat_map(|row| row.tiers.iter().map(move |(tier, outcome)| (row, tier, outcome)));
    for (row, tier, outcome) in all {
        match outcome {
            Outcome::NotRun(why) => writeln!(f, "not tested here: {} in {tier}: {why}", row.id)?,
            Outcome::Residual(harm) => writeln!(f, "residual: {} in {tier}: {}", row.id, harm.join(", "))?,
            Outcome::Held | Outcome::Harm(_) => {}
        }
    }
    Ok(())
}

fn word(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Held => "held",
        Outcome::Residual(_) => "residual",
        Outcome::Harm(_) => "harm",
        Outcome::NotRun(_) => "not run",
    }
}

fn asks(f: &mut fmt::Formatter<'_>, rates: &[Rate]) -> fmt::Result {
    writeln!(f, "\n{:<16} {:>8} {:>8}", "category", "commands", "held up")?;
    for rate in rates {
        writeln!(f, "{:<16} {:>8} {:>8}", rate.category, rate.of, rate.false_asks.len())?;
    }
    for ask in rates.iter().flat_map(|rate| &rate.false_asks) {
        writeln!(f, "false {}: {} ({})", ask.verdict, ask.line, ask.by.join(", "))?;
    }
    Ok(())
}

fn works(f: &mut fmt::Formatter<'_>, work: &Work) -> fmt::Result {
    writeln!(f, "\n{} as {}: {} ordinary commands work", work.tier, work.user, work.worked)?;
    for (line, why) in &work.not_run {
        writeln!(f, "not tested here: {line}: {why}")?;
    }
    Ok(())
}
