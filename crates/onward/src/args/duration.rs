//! Spans of time on the command line: `90s`, `30m`, `8h`, `2d`, `1w`.

use std::time::Duration;

/// The longest that can be said: longer is for ever, and that is said by leaving the option out.
const MAX: Duration = Duration::from_secs(3650 * 24 * 60 * 60);

const UNITS: [(char, u64); 5] =
    [('s', 1), ('m', 60), ('h', 60 * 60), ('d', 24 * 60 * 60), ('w', 7 * 24 * 60 * 60)];

/// Reads a span.
///
/// # Errors
/// What is wrong with it, and what to write instead.
pub(super) fn span(text: &str) -> Result<Duration, String> {
    let wrong =
        || format!("`{text}` is no span of time: write a number and a unit, as in 90s, 30m, 8h, 2d, 1w");
    let unit = text.chars().last().ok_or_else(wrong)?;
    let (_, seconds) = UNITS.iter().find(|(name, _)| *name == unit).ok_or_else(wrong)?;
    let amount = text.strip_suffix(unit).unwrap_or_default();
    let digits = !amount.is_empty() && amount.bytes().all(|byte| byte.is_ascii_digit());
    let amount: u64 = if digits { amount.parse().unwrap_or(u64::MAX) } else { return Err(wrong()) };
    match Duration::from_secs(amount.saturating_mul(*seconds)) {
        Duration::ZERO => Err("nothing can be done in no time: at least 1s".into()),
        span if span > MAX => Err("that is more than 3650d: leave the option out for no end".into()),
        span => Ok(span),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_is_a_number_with_a_unit() {
        for (text, seconds) in [("90s", 90), ("30m", 1800), ("8h", 28_800), ("2d", 172_800), ("1w", 604_800)]
        {
            assert_eq!(span(text), Ok(Duration::from_secs(seconds)));
        }
        for text in [
            "",
            "8",
            "h",
            "-8h",
            "8.5h",
            "8 h",
            "8h30m",
            "0s",
            "3651d",
            "99999999999999999999h",
            "8µ",
            "eight",
        ] {
            assert!(span(text).is_err(), "{text}");
        }
    }
}
