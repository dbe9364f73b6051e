//! An id on the command line: whole, or as much of its beginning as tells it from the others.

use std::fmt::{self, Display};
use std::str::FromStr;

use onward_event::BadId;

/// The characters of an id behind its prefix.
const SUFFIX_CHARS: usize = 26;

/// Characters of a wrong name that an error repeats.
const MAX_GIVEN_CHARS: usize = 80;

const KINDS: [Kind; 5] = [
    Kind { prefix: "ses", word: "session", listed: "`onward sessions --all` lists them" },
    Kind { prefix: "job", word: "job", listed: "`onward jobs --all` lists them" },
    Kind { prefix: "appr", word: "question", listed: "`onward approve` lists those that are open" },
    Kind { prefix: "call", word: "call", listed: "`onward log` lists those of a session" },
    Kind { prefix: "att", word: "attempt", listed: "`onward log` lists those of a session" },
];
const OTHER: Kind = Kind { prefix: "", word: "id", listed: "`onward log` lists those of a session" };

/// What a person calls the bearers of a kind of id.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kind {
    prefix: &'static str,
    /// One of them.
    pub(crate) word: &'static str,
    /// Where they are listed.
    pub(crate) listed: &'static str,
}

/// Why no id can begin as it was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BadName(String);

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
    type Err = BadName;
    fn from_str(text: &str) -> Result<Self, BadName> {
        let given = text.split_once('_').map_or(0, |(_, suffix)| suffix.len());
        let missing = if given == 0 { 0 } else { SUFFIX_CHARS.saturating_sub(given) };
        // The alphabet begins with 0 and ends with z.
        let filled = |with: &str| format!("{text}{}", with.repeat(missing)).parse::<T>();
        match (filled("0"), filled("z")) {
            (Ok(first), Ok(last)) => Ok(Self { first, last }),
            _ => Err(BadName::of::<T>(text)),
        }
    }
}

impl BadName {
    fn of<T: FromStr<Err = BadId>>(text: &str) -> Self {
        let is_prefix =
            |kind: &Kind| format!("{}_{}", kind.prefix, "0".repeat(SUFFIX_CHARS)).parse::<T>().is_ok();
        let kind = KINDS.into_iter().find(is_prefix).unwrap_or(OTHER);
        let suffix = text.strip_prefix(kind.prefix).and_then(|rest| rest.strip_prefix('_'));
        let begins = suffix.is_some_and(|suffix| {
            (1..=SUFFIX_CHARS).contains(&suffix.len()) && suffix.bytes().all(|c| c.is_ascii_alphanumeric())
        });
        let given: String = text.chars().take(MAX_GIVEN_CHARS).collect();
        let Kind { prefix, word, listed } = kind;
        Self(match begins {
            true => format!("no {word} begins with `{given}`; {listed}"),
            false => format!("`{given}` names no {word}: its name begins with `{prefix}_`; {listed}"),
        })
    }
}

impl Display for BadName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadName {}

/// What the id, or its beginning, is of.
pub(crate) fn kind_of(id: &str) -> Kind {
    let prefix = id.split_once('_').map_or(id, |(prefix, _)| prefix);
    KINDS.into_iter().find(|kind| kind.prefix == prefix).unwrap_or(OTHER)
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
        let told = |bad: &str| bad.parse::<Named<SessionId>>().unwrap_err().to_string();
        for none in ["ses_u", "ses_9", "ses_zzz"] {
            let listed = "`onward sessions --all` lists them";
            assert_eq!(told(none), format!("no session begins with `{none}`; {listed}"));
        }
        for bad in ["", "ses", "ses_", "call_01", "ses_01h455vb4pex5vsknk084sn02q0", "ses_\u{1b}"] {
            assert!(told(bad).starts_with(&format!("`{bad}` names no session: its name begins with `ses_`")));
        }
        let job = "job_zz".parse::<Named<onward_event::JobId>>().unwrap_err().to_string();
        assert_eq!(job, "no job begins with `job_zz`; `onward jobs --all` lists them");
    }
}
