//! `onward recover --accept-loss`: going on with a store that has lost its end, because a person says so.

use onward_event::{Part, Target};
use onward_port::{LogError, OwnerState};
use onward_sqlite::{Lost, OpenOptions, SqliteStore};

use super::start::Start;
use crate::args::SettingArgs;
use crate::compose::store_error;
use crate::error::CliError;
use crate::exit::ExitCode;
use crate::render::tell;

/// What a session that may have lost its end is told, and with its next request its model.
const WORDS: &str = "Records may be missing from the end of this session: the store was damaged after a crash, and work \
                     goes on from what is left. What was done after the last record is not known here. Look before \
                     doing anything again.";

pub(super) async fn run(start: &Start) -> Result<ExitCode, CliError> {
    let folder = start.data_dir()?;
    let missing = match SqliteStore::open_read_only(&folder).and_then(|store| store.whole()) {
        Err(LogError::Cut(missing)) => missing,
        whole => {
            whole.map_err(store_error)?;
            tell!("nothing is missing from {}; nothing was changed", folder.display());
            return Ok(ExitCode::Completed);
        }
    };
    let accepted = SqliteStore::open(OpenOptions { lost: Lost::Accept, ..OpenOptions::new(&folder) });
    accepted.map_err(store_error)?.close();
    tell!("{missing}. That is accepted: the store goes on from what is left");
    tell!("what was left of the write-ahead log is kept as {}", folder.join("onward.db-wal.cut").display());
    let app = start.app(&SettingArgs::default())?;
    for summary in app.sessions().await? {
        let OwnerState::Orphaned { .. } = summary.owner else { continue };
        let words = vec![Part::Text(WORDS.into())];
        app.client.send(summary.session, words, Target::NextStep, false).await.map_err(store_error)?;
        tell!("{} was being worked on, and is told so with its next request", summary.session);
    }
    tell!("`onward recover --dry-run` says what would be done next; it may have been done already");
    Ok(ExitCode::Completed)
}
