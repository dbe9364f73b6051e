//! Which jobs keep a session from coming to rest.

use onward_event::JobId;

/// The jobs whose end is waited for before a session is quiet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Awaited {
    /// None: they are watched, and go on.
    None,
    /// This one, whatever else happens.
    One(JobId),
    /// All, for as long as nobody is asked: whoever is asked should not have to wait for a job to hear of it.
    All,
}

impl Awaited {
    pub(super) fn has(self, job: JobId, is_asking: bool) -> bool {
        match self {
            Self::None => false,
            Self::One(id) => id == job,
            Self::All => !is_asking,
        }
    }
}
