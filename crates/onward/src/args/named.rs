//! An id on the command line: whole, or as much of its beginning as tells it from the others.

use std::fmt::{self, Display};
use std::str::FromStr;

use onward_event::BadId;

/// The characters of an id behind its prefix.
const SUFFIX_CHARS: usize = 26;

/// Every id that begins as it was typed: those from the first to the last. Both are the same when it is whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Named<T> {
    first: T,
    last: T,
}

impl<T: Copy + Ord> Named<T> {
    /// The id, when it was typed as a whole.
    pub(crate) fn whole(self) -> Option<T> {
        (self.first == self.last).then_some(self.first)
    }

    /// Whether the id begins as it was typed.
    pub(crate) fn fits(self, id: T) -> bool {
        self.first <= id && id <= self.last
    }

    /// The same of another kind of id that goes along with it.
    pub(crate) fn map<U>(self, to: impl Fn(T) -> U) -> Named<U> {
        Named { first: to(self.first), last: to(self.last) }
    }
}

impl<T: Copy> From<T> for Named<T> {
    fn from(id: T) -> Self {
        Self { first: id, last: id }
    }
}

impl<T: FromStr<Err = BadId>> FromStr for Named<T> {
    type Err = BadId;
    fn from_str(text: &str) -> Result<Self, BadId> {
        let given = text.split_once('_').map_or(0, |(_, suffix)| suffix.len());
        let missing = if given == 0 { 0 } else { SUFFIX_CHARS.saturating_sub(given) };
        // The alphabet begins with 0 and ends with z.
        let filled = |with: &str| format!("{text}{}", with.repeat(missing)).parse::<T>();
        match (filled("0"), filled("z")) {
            (Ok(first), Ok(last)) => Ok(Self { first, last }),
            // In the words that are about what was typed.
            (Err(filled), _) | (_, Err(filled)) => Err(text.parse::<T>().err().unwrap_or(filled)),
        }
    }
}

/// As it was typed.
impl<T: Display> Display for Named<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, last) = (self.first.to_string(), self.last.to_string());
        let same = first.bytes().zip(last.bytes()).take_while(|(a, b)| a == b).count();
        f.write_str(&first[..same])
    }
}

#[cfg(test)]
mod tests {
    use onward_event::SessionId;

    use super::*;

    #[test]
    fn a_beginning_names_every_id_that_begins_like_it() {
        let id: SessionId = "ses_01h455vb4pex5vsknk084sn02q".parse().unwrap();
        let other: SessionId = "ses_01h455vb4pex5vsknk084sn030".parse().unwrap();
        let whole: Named<SessionId> = id.to_string().parse().unwrap();
        assert_eq!((whole.whole(), whole.fits(id), whole.fits(other)), (Some(id), true, false));
        let part: Named<SessionId> = "ses_01h455".parse().unwrap();
        assert_eq!((part.whole(), part.fits(id), part.fits(other)), (None, true, true));
        assert_eq!(part.to_string(), "ses_01h455");
        assert!(!"ses_01h456".parse::<Named<SessionId>>().unwrap().fits(id));
    }

    #[test]
    fn what_begins_no_id_is_refused_in_words_about_it() {
        for bad in ["", "ses", "ses_", "call_01", "ses_u", "ses_9", "ses_01h455vb4pex5vsknk084sn02q0"] {
            let error = bad.parse::<Named<SessionId>>().unwrap_err().to_string();
            assert!(error.starts_with(&format!("`{bad}` is not a ses id")), "{error}");
        }
    }
}
