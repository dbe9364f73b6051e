//! `onward recover --accept-loss`: going on with a store that has lost its end, or with a session whose records are
//! damaged, because a person says so.

use onward_event::{AppendId, Event, InboxMessage, InboxReceived, Origin, Part, Seq, SessionId, Target};
use onward_port::{Append, Head, LogError, OwnerState, SessionSummary};
use onward_runtime::{Damage, find_damage};
use onward_sqlite::{KeptAside, Lost, OpenOptions, SetAside, SqliteStore};

use super::start::Start;
use crate::args::{RecoverArgs, SettingArgs};
use crate::compose::{App, store_error};
use crate::error::{CliError, ErrorKind};
use crate::exit::ExitCode;
use crate::render::{counted, tell};

/// What a session that may have lost its end is told, and with its next request its model.
const WORDS: &str = "Records may be missing from the end of this session: the store was damaged after a crash, and work \
                     goes on from what is left. What was done after the last record is not known here. Look before \
                     doing anything again.";

pub(super) async fn run(start: &Start, args: &RecoverArgs) -> Result<ExitCode, CliError> {
    let folder = start.data_dir()?;
    let cut = accept_cut(&folder)?;
    let app = start.app(&SettingArgs::default())?;
    let sessions = match args.session {
        Some(named) => vec![app.find(Some(named), &start.dir()).await?],
        None => app.sessions().await?,
    };
    let (mut damaged, mut left) = (0, 0);
    for summary in &sessions {
        let Some(damage) = find_damage(&app.ports, summary.session).await.map_err(store_error)? else {
            if cut && matches!(summary.owner, OwnerState::Orphaned { .. }) {
                tell_of_cut(&app, summary.session).await?;
            }
            continue;
        };
        damaged += 1;
        left += usize::from(!give_up(&app, summary, damage, args.from).await?);
    }
    if left > 0 {
        let message = format!("{} still damaged; nothing of that was changed", sessions_are(left));
        return Err(CliError::new(ErrorKind::Store, message).with_hint("what keeps it back is said above"));
    }
    match cut || damaged > 0 {
        true => {
            tell!("`onward recover --dry-run` says what would be done next; it may have been done already")
        }
        false => tell!("nothing is missing from {}; nothing was changed", folder.display()),
    }
    Ok(ExitCode::Completed)
}

fn sessions_are(count: usize) -> String {
    match count {
        1 => "a session is".into(),
        count => format!("{count} sessions are"),
    }
}

/// Goes on with a store whose end is missing. Whether it was.
fn accept_cut(folder: &std::path::Path) -> Result<bool, CliError> {
    let missing = match SqliteStore::open_read_only(folder).and_then(|store| store.whole()) {
        Err(LogError::Cut(missing)) => missing,
        whole => return whole.map(|()| false).map_err(store_error),
    };
    let accepted = SqliteStore::open(OpenOptions { lost: Lost::Accept, ..OpenOptions::new(folder) });
    accepted.map_err(store_error)?.close();
    tell!("{missing}. That is accepted: the store goes on from what is left");
    tell!("what was left of the write-ahead log is kept as {}", folder.join("onward.db-wal.cut").display());
    Ok(true)
}

async fn tell_of_cut(app: &App, session: SessionId) -> Result<(), CliError> {
    let words = vec![Part::Text(WORDS.into())];
    app.client.send(session, words, Target::NextStep, false).await.map_err(store_error)?;
    tell!("{session} was being worked on, and is told so with its next request");
    Ok(())
}

/// Sets everything aside from the first damaged record on, when nothing whole stands behind it or the person names it.
/// False when it is left as it is, which is said with the reason.
async fn give_up(
    app: &App,
    summary: &SessionSummary,
    damage: Damage,
    named: Option<u64>,
) -> Result<bool, CliError> {
    let session = summary.session;
    tell!("{}", plain(&damage.error));
    if let OwnerState::Held { owner } = &summary.owner {
        tell!("{owner} works on it: end that first");
        return Ok(false);
    }
    let Some(keep) = damage.keep else {
        tell!("nothing of it is left to go on from: restore the folder from a copy");
        return Ok(false);
    };
    let (first, last) = (keep.seq.next(), summary.head.seq);
    if named.is_some_and(|named| named != first.0) {
        tell!("what would be set aside begins with record {first}, not with the one that --from names");
        return Ok(false);
    }
    if damage.whole_behind > 0 && named.is_none() {
        let behind = counted(damage.whole_behind as u64, "whole record");
        tell!("{behind} of other appends stand behind it, and would be given up with it");
        tell!(
            "to set {} aside and go on from record {}: `{} recover --accept-loss {session} --from {first}`",
            records(first, last),
            keep.seq,
            app.program
        );
        return Ok(false);
    }
    let kept = set_aside(app, session, keep, &damage, last).await?;
    tell!(
        "that is accepted: {} set aside, and the session goes on from record {}",
        match kept.records {
            0 => "nothing had to be".to_owned(),
            1 => format!("{} is", records(first, last)),
            _ => format!("{} are", records(first, last)),
        },
        keep.seq
    );
    if let Some(file) = kept.file {
        tell!(
            "what was set aside is kept in full: {} in {}",
            counted(kept.records as u64, "record"),
            file.display()
        );
    }
    Ok(true)
}

/// What is wrong, without what to do about it: that is being done.
fn plain(error: &LogError) -> String {
    match error {
        LogError::Damaged { session, seq, what } => {
            format!("session {session} is damaged at record {seq}: {what}")
        }
        other => other.to_string(),
    }
}

fn records(first: Seq, last: Seq) -> String {
    match first >= last {
        true => format!("record {first}"),
        false => format!("records {first} to {last}"),
    }
}

async fn set_aside(
    app: &App,
    session: SessionId,
    keep: Head,
    damage: &Damage,
    last: Seq,
) -> Result<KeptAside, CliError> {
    let words = format!(
        "The end of this session was damaged: {} of its log had to be set aside, and work goes on from record {}. What was \
         done after that is not known here. Look before doing anything again.",
        records(keep.seq.next(), last),
        keep.seq
    );
    let id = app.client.new_message_id();
    let (content, target, origin) = (vec![Part::Text(words)], Target::NextStep, Origin::User);
    let message = InboxMessage { id, content, target, wakeup: false, origin };
    let event = Event::from(InboxReceived { message });
    let told = Append::by_client(
        session,
        AppendId(id.to_string()),
        app.ports.clock.now(),
        app.client.by().clone(),
        event,
    );
    let set = SetAside { keep, epoch: damage.epoch, told };
    app.store.set_aside(set).await.map_err(store_error)
}
