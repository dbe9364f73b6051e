//! Decimal numbers, exactly: money in millionths, temperatures in thousandths. No floating point is involved, so that
//! `0.1` is a tenth.

/// The number times ten to the power of `places`.
///
/// # Errors
/// What is wrong with the text: no decimal number, negative, more decimal places than are kept, too large.
pub(crate) fn scaled(text: &str, places: u32) -> Result<u64, String> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = |text: &str| text.bytes().all(|c| c.is_ascii_digit());
    let ends_in_point = text.ends_with('.');
    if whole.is_empty() || ends_in_point || !digits(whole) || !digits(fraction) {
        return Err("expected a decimal number that is not negative, such as `1.50`".into());
    }
    let kept = fraction.trim_end_matches('0');
    if kept.len() > places as usize {
        return Err(format!("at most {places} decimal places are kept"));
    }
    let too_large = || "the number is too large".to_owned();
    let scale = 10u64.checked_pow(places).ok_or_else(too_large)?;
    let whole: u64 = whole.parse().map_err(|_| too_large())?;
    let part: u64 = format!("{kept:0<width$}", width = places as usize).parse().unwrap_or(0);
    whole.checked_mul(scale).and_then(|whole| whole.checked_add(part)).ok_or_else(too_large)
}

/// The opposite of [`scaled`], without needless zeros.
pub(crate) fn unscaled(value: u64, places: u32) -> String {
    let Some(scale) = 10u64.checked_pow(places) else { return value.to_string() };
    let (whole, part) = (value / scale, value % scale);
    if part == 0 {
        return whole.to_string();
    }
    let part = format!("{part:0>width$}", width = places as usize);
    format!("{whole}.{}", part.trim_end_matches('0'))
}

/// Decimal places of money.
pub(crate) const MONEY: u32 = 6;
/// Decimal places of a temperature.
pub(crate) const TEMPERATURE: u32 = 3;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_exact() {
        for (text, value) in [
            ("0", 0),
            ("1", 1_000_000),
            ("1.50", 1_500_000),
            ("0.1", 100_000),
            ("0.000001", 1),
            ("2.500000000", 2_500_000),
            ("18446744073709.551615", u64::MAX),
        ] {
            assert_eq!(scaled(text, MONEY), Ok(value), "{text}");
        }
        assert_eq!(scaled("0.25", TEMPERATURE), Ok(250));
    }

    #[test]
    fn what_is_no_decimal_is_refused() {
        for bad in [
            "",
            ".",
            ".5",
            "1.",
            "-1",
            "+1",
            "1e3",
            "1,5",
            "1.5.0",
            "NaN",
            "0.0000001",
            "18446744073709.551616",
            "99999999999999999999",
            "１",
        ] {
            assert!(scaled(bad, MONEY).is_err(), "{bad}");
        }
    }

    #[test]
    fn what_is_written_reads_back() {
        for value in [0, 1, 10, 100_000, 1_500_000, u64::MAX] {
            assert_eq!(scaled(&unscaled(value, MONEY), MONEY), Ok(value));
        }
        assert_eq!(unscaled(1_500_000, MONEY), "1.5");
    }
}
