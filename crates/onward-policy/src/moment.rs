//! Moments, as they stand in files and are shown: `2026-12-01T05:00:00Z`.

use jiff::Timestamp as Instant;
use onward_event::Timestamp;

/// A moment for people and for files: RFC 3339, in UTC. One that no calendar has is shown by its milliseconds.
pub fn moment(at: Timestamp) -> String {
    let instant = i64::try_from(at.0).ok().and_then(|millis| Instant::from_millisecond(millis).ok());
    instant.map_or_else(|| format!("{} ms", at.0), |instant| instant.to_string())
}

/// The moment that a text names; it has to say how far from UTC it is meant.
pub(crate) fn parse(text: &str) -> Option<Timestamp> {
    let instant: Instant = text.parse().ok()?;
    u64::try_from(instant.as_millisecond()).ok().map(Timestamp)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_read_as_it_is_shown_and_needs_its_offset() {
        for text in ["2026-12-01T05:00:00Z", "1970-01-01T00:00:00.001Z"] {
            assert_eq!(parse(text).map(moment).as_deref(), Some(text));
        }
        assert_eq!(parse("2026-12-01T06:00:00+01:00"), parse("2026-12-01T05:00:00Z"));
        for text in ["2026-12-01", "2026-12-01T05:00:00", "05:00:00", "1969-12-31T00:00:00Z", ""] {
            assert_eq!(parse(text), None, "{text}");
        }
        assert_eq!(moment(Timestamp(u64::MAX)), format!("{} ms", u64::MAX));
    }
}
