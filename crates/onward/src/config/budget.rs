//! The grammar of `--budget`: `tokens=200000,seconds=600,cost=1.50`, any subset, in any order.

use std::str::FromStr;

use onward_policy::suggestion;

use super::money::{MONEY, scaled};

/// Limits of one run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Budget {
    /// Tokens in and out.
    pub(crate) tokens: Option<u64>,
    /// Active seconds.
    pub(crate) seconds: Option<u64>,
    /// Money, in millionths.
    pub(crate) cost_micros: Option<u64>,
}

const NAMES: [&str; 3] = ["tokens", "seconds", "cost"];

impl FromStr for Budget {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let mut budget = Self::default();
        for item in text.split(',').map(str::trim) {
            let (name, value) = item.split_once('=').ok_or_else(|| not_an_item(item))?;
            let (name, value) = (name.trim(), value.trim());
            let (slot, number) = match name {
                "tokens" => (&mut budget.tokens, count(value)),
                "seconds" => (&mut budget.seconds, count(value)),
                "cost" => (&mut budget.cost_micros, scaled(value, MONEY)),
                _ => return Err(unknown(name)),
            };
            let number = number.map_err(|why| format!("`{name}={value}`: {why}"))?;
            if number == 0 {
                return Err(format!("`{name}={value}`: a budget of nothing lets nothing happen"));
            }
            if slot.replace(number).is_some() {
                return Err(format!("`{name}` is given twice"));
            }
        }
        Ok(budget)
    }
}

fn count(text: &str) -> Result<u64, String> {
    if text.is_empty() || !text.bytes().all(|c| c.is_ascii_digit()) {
        return Err("expected a whole number".into());
    }
    text.parse().map_err(|_| "the number is too large".into())
}

fn not_an_item(item: &str) -> String {
    format!("`{item}` is not part of a budget: write it like `tokens=200000,seconds=600,cost=1.50`")
}

fn unknown(name: &str) -> String {
    match suggestion(name, NAMES) {
        Some(near) => format!("there is no budget for `{name}`; did you mean `{near}`?"),
        None => format!("there is no budget for `{name}`: it can be given for {}", NAMES.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_subset_in_any_order_is_a_budget() {
        let whole: Budget = "tokens=200000,seconds=600,cost=1.50".parse().unwrap();
        assert_eq!(whole, Budget { tokens: Some(200_000), seconds: Some(600), cost_micros: Some(1_500_000) });
        let part: Budget = " cost = 0.000001 , tokens=5 ".parse().unwrap();
        assert_eq!(part, Budget { tokens: Some(5), seconds: None, cost_micros: Some(1) });
    }

    #[test]
    fn a_budget_that_cannot_be_meant_is_refused_with_the_reason() {
        for (text, why) in [
            ("", "write it like"),
            ("tokens", "write it like"),
            ("tokens=5,", "write it like"),
            ("token=5", "did you mean `tokens`?"),
            ("elephants=5", "tokens, seconds, cost"),
            ("tokens=1.5", "whole number"),
            ("tokens=-1", "whole number"),
            ("tokens=99999999999999999999", "too large"),
            ("tokens=0", "lets nothing happen"),
            ("cost=0.0000001", "6 decimal places"),
            ("seconds=5,seconds=6", "given twice"),
        ] {
            let error = text.parse::<Budget>().unwrap_err();
            assert!(error.contains(why), "{text:?}: {error}");
        }
    }
}
