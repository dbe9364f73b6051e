//! What must hold of a store that was opened after a loss of power.

use std::collections::BTreeSet;

use anyhow::{Context, Result, bail, ensure};
use onward_event::{AppendId, Seq, SessionId};
use onward_port::{Blobs, Head, Log, LogError, StoredRecord};
use onward_sqlite::SqliteStore;
use onward_test::power::Machine;

use crate::truth::{Entry, Expected};
use crate::user::FOLD;

/// Checks everything that the store holds against what it must hold.
pub(crate) async fn verify(machine: &Machine, store: &SqliteStore, expected: &Expected<'_>) -> Result<()> {
    whole_database(machine)?;
    let summaries = store.sessions().await.context("listing the sessions")?;
    let mut there = 0;
    for session in expected.truth.iter().flat_map(|truth| truth.logs.keys()) {
        let found =
            survivors(store, *session, expected).await.with_context(|| format!("session {session}"))?;
        let Some(head) = found else { continue };
        there += 1;
        let listed = summaries.iter().find(|summary| summary.session == *session);
        let listed = listed.with_context(|| format!("session {session} is not listed"))?;
        ensure!(listed.head == head, "session {session} is listed with {:?}, not {head:?}", listed.head);
        ensure!(
            store.head(*session).await? == head,
            "session {session} has another head than its last record"
        );
    }
    ensure!(there == summaries.len(), "{} sessions are listed, {there} are known", summaries.len());
    Ok(())
}

/// The head of a session, if it survived.
async fn survivors(store: &SqliteStore, session: SessionId, expected: &Expected<'_>) -> Result<Option<Head>> {
    let must = expected.through.get(&session).copied().unwrap_or_default();
    let stored = match store.read(session, Seq(0), usize::MAX).await {
        Ok(stored) => stored,
        Err(LogError::NoSession(_)) if must == Seq(0) => return Ok(None),
        Err(error) => bail!("reading it, of which {must} records are on disk: {error}"),
    };
    let last = stored.last().context("it is there without a record")?;
    ensure!(last.seq >= must, "it ends at {}, but {must} was said to be on disk", last.seq);
    let log = expected.log(session);
    same_records(&stored, log)?;
    if let (Some(end), Some(next)) = (log.get(stored.len() - 1), log.get(stored.len())) {
        ensure!(
            end.append != next.append,
            "append {:?} is there up to record {} only",
            end.append.0,
            last.seq
        );
    }
    let surviving: BTreeSet<&AppendId> = log.iter().take(stored.len()).map(|entry| &entry.append).collect();
    beside_the_records(store, session, expected, &surviving).await?;
    snapshot(store, session, &stored).await?;
    Ok(Some(Head { seq: last.seq, hash: last.hash }))
}

fn same_records(stored: &[StoredRecord], log: &[Entry]) -> Result<()> {
    ensure!(
        stored.len() <= log.len(),
        "it has {} records, of which {} were appended",
        stored.len(),
        log.len()
    );
    for (found, entry) in stored.iter().zip(log) {
        ensure!(*found == entry.stored, "record {} is not what was appended", entry.stored.seq);
    }
    Ok(())
}

/// The content that surviving appends brought is there, and the side streams that they ended are not.
async fn beside_the_records(
    store: &SqliteStore,
    session: SessionId,
    expected: &Expected<'_>,
    surviving: &BTreeSet<&AppendId>,
) -> Result<()> {
    let appends = expected.truth.iter().flat_map(|truth| truth.appends.values());
    for append in appends.filter(|append| append.session == session && surviving.contains(&append.id)) {
        for blob in &append.blobs {
            let found = store.get(blob.hash).await?;
            ensure!(found.as_ref() == Some(&blob.bytes), "content of append {:?} is lost", append.id.0);
        }
        for scope in &append.ends_side {
            let left = store.side(session, scope.clone(), 0).await?;
            ensure!(
                left.is_empty(),
                "append {:?} ended the side stream {scope}, which is there",
                append.id.0
            );
        }
    }
    Ok(())
}

/// A stored fold is gone, or is of a record that is there.
async fn snapshot(store: &SqliteStore, session: SessionId, stored: &[StoredRecord]) -> Result<()> {
    let Some(snapshot) = store.snapshot(session, FOLD).await? else { return Ok(()) };
    let head = snapshot.head;
    let record = stored.iter().find(|record| record.seq == head.seq && record.hash == head.hash);
    ensure!(record.is_some(), "the stored fold is of record {}, which is not there", head.seq);
    ensure!(snapshot.state == head.hash.0, "the stored fold of record {} is another one", head.seq);
    Ok(())
}

/// SQLite's own check of every page.
fn whole_database(machine: &Machine) -> Result<()> {
    let conn = machine.connect("onward.db")?;
    let said: String = conn.pragma_query_value(None, "integrity_check", |row| row.get(0))?;
    ensure!(said == "ok", "the database is damaged: {said}");
    Ok(())
}
