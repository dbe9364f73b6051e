//! When a server says to come back.

use jiff::fmt::rfc2822::DateTimeParser;

/// The headers that say it, as they were sent.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RetryHeaders<'a> {
    /// `retry-after-ms`.
    pub(crate) millis: Option<&'a str>,
    /// `retry-after`: seconds, or a date.
    pub(crate) after: Option<&'a str>,
    /// `date`: the server's own clock, by which its dates are meant.
    pub(crate) date: Option<&'a str>,
}

impl RetryHeaders<'_> {
    /// Milliseconds from now; `None` when nothing is said, or nothing that can be read. `now` is in milliseconds since
    /// 1970 and counts where the server does not say what time it is.
    pub(crate) fn millis_from(self, now: i64) -> Option<u64> {
        let millis = self.millis.and_then(|text| duration(text, 1.0));
        millis.or_else(|| {
            let after = self.after?;
            duration(after, 1000.0).or_else(|| {
                let now = self.date.and_then(date).unwrap_or(now);
                u64::try_from(date(after)?.saturating_sub(now).max(0)).ok()
            })
        })
    }
}

fn duration(text: &str, millis: f64) -> Option<u64> {
    let number = text.trim().parse::<f64>().ok().filter(|number| number.is_finite())?;
    // A conversion from float saturates: below zero is now.
    Some((number * millis).ceil() as u64)
}

fn date(text: &str) -> Option<i64> {
    let timestamp = DateTimeParser::new().parse_timestamp(text.trim()).ok()?;
    Some(timestamp.as_millisecond())
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i64 = 784_111_777_000;
    const DATE: &str = "Sun, 06 Nov 1994 08:49:37 GMT";
    const LATER: &str = "Sun, 06 Nov 1994 08:50:07 GMT";

    fn millis(millis: Option<&str>, after: Option<&str>, date: Option<&str>) -> Option<u64> {
        RetryHeaders { millis, after, date }.millis_from(NOW)
    }

    #[test]
    fn seconds_milliseconds_and_dates() {
        assert_eq!(millis(None, Some("20"), None), Some(20_000));
        assert_eq!(millis(None, Some(" 0.25 "), None), Some(250));
        assert_eq!(millis(Some("1500"), Some("20"), None), Some(1500));
        assert_eq!(millis(Some("soon"), Some("2"), None), Some(2000));
        assert_eq!(millis(None, Some(LATER), None), Some(30_000));
    }

    #[test]
    fn a_date_is_meant_by_the_servers_clock() {
        assert_eq!(millis(None, Some(LATER), Some(DATE)), Some(30_000));
        let fast = "Sun, 06 Nov 1994 09:50:00 GMT";
        assert_eq!(millis(None, Some("Sun, 06 Nov 1994 09:50:30 GMT"), Some(fast)), Some(30_000));
        assert_eq!(millis(None, Some(DATE), Some(fast)), Some(0));
    }

    #[test]
    fn nonsense_says_nothing() {
        for bad in ["", "soon", "NaN", "inf", "Sun, 99 Nov 1994 08:49:37 GMT"] {
            assert_eq!(millis(None, Some(bad), None), None, "{bad}");
        }
        assert_eq!(millis(None, Some("-5"), None), Some(0));
        assert_eq!(millis(None, Some("1e300"), None), Some(u64::MAX));
        assert_eq!(millis(None, None, Some(DATE)), None);
    }
}
