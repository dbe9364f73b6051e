//! From the beginning of an id to the id: it must tell one from all others.

use std::collections::BTreeSet;
use std::fmt::Display;

use onward_core::Session;
use onward_runtime::load;

use super::{App, store_error};
use crate::args::{Named, kind_of};
use crate::error::{CliError, ErrorKind};

/// How many ids an error lists.
const SHOWN: usize = 8;

impl App {
    /// The id that is meant, among those that `of` finds in the sessions. One that was typed as a whole is looked for by
    /// nobody here.
    ///
    /// # Errors
    /// When none begins like this, or several do.
    pub(crate) async fn whole<T: Copy + Ord + Display>(
        &self,
        named: Named<T>,
        of: impl Fn(&Session) -> Vec<T>,
    ) -> Result<T, CliError> {
        if let Some(id) = named.whole() {
            return Ok(id);
        }
        let mut fitting = BTreeSet::new();
        for summary in self.sessions().await? {
            let session = load(self.ports.log.as_ref(), summary.session).await.map_err(store_error)?;
            fitting.extend(of(&session).into_iter().filter(|id| named.fits(*id)));
        }
        only(named, &fitting)
    }
}

/// The only one of the ids that begin like this.
///
/// # Errors
/// When there is none, or more than one.
pub(crate) fn only<T: Copy + Display>(named: Named<T>, fitting: &BTreeSet<T>) -> Result<T, CliError> {
    let mut ids = fitting.iter();
    match (ids.next(), ids.next()) {
        (Some(id), None) => Ok(*id),
        (None, _) => {
            let begins = named.to_string();
            let kind = kind_of(&begins);
            Err(CliError::new(ErrorKind::NotFound, format!("no {} begins with {begins}", kind.word))
                .with_hint(kind.listed))
        }
        (Some(_), Some(_)) => {
            let mut names: Vec<String> = fitting.iter().take(SHOWN).map(ToString::to_string).collect();
            if fitting.len() > SHOWN {
                names.push("…".into());
            }
            let message = format!("{} ids begin with {named}, so nothing was done", fitting.len());
            let hint = format!("type more of the one that you mean:\n{}", names.join("\n"));
            Err(CliError::new(ErrorKind::Usage, message).with_hint(hint))
        }
    }
}
