//! Which jobs keep a session from coming to rest.

use onward_event::{JobId, JobsAtEnd};

/// The jobs whose end is waited for before a session is quiet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Awaited {
    /// None: they are watched, and go on.
    None,
    /// This one, whatever else happens.
    One(JobId),
    /// As the session's rule says: all, or none. All only for as long as nobody is asked: whoever is asked should not have
    /// to wait for a job to hear of it.
    AsRuled,
}

impl Awaited {
    pub(super) fn has(self, job: JobId, rule: JobsAtEnd, is_asking: bool) -> bool {
        match self {
            Self::None => false,
            Self::One(id) => id == job,
            Self::AsRuled => rule == JobsAtEnd::Wait && !is_asking,
        }
    }
}
