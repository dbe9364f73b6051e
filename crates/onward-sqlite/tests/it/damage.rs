//! Damaged files: an error that names what and where, or the committed prefix; never a panic, never a silent loss.

use std::fs::OpenOptions as File;
use std::path::Path;

use onward_event::{Digest, Seq};
use onward_port::{Log, LogError, StoredRecord, chain};
use onward_sqlite::{OpenOptions, SqliteStore};

use crate::ownership::copy;
use crate::support::{
    Bench, client, committed, create, interrupt, message, notice, open, owned, owner, session, verified,
};

#[tokio::test]
async fn what_is_no_store_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("onward.db");
    std::fs::write(&path, "these are the notes of somebody, and no database at all".repeat(99)).unwrap();
    let before = std::fs::read(&path).unwrap();
    assert_corrupt(&refusal(folder.path()), "onward.db");
    assert_eq!(std::fs::read(&path).unwrap(), before);

    std::fs::remove_file(&path).unwrap();
    let conn = rusqlite::Connection::open(&path).unwrap();
    conn.execute_batch("CREATE TABLE recipes (name TEXT); INSERT INTO recipes VALUES ('bread')").unwrap();
    drop(conn);
    assert_corrupt(&refusal(folder.path()), "not a store of onward");
    assert_corrupt(
        &SqliteStore::open_read_only(folder.path()).map(drop).unwrap_err(),
        "not a store of onward",
    );
}

#[tokio::test]
async fn a_store_of_a_newer_version_is_not_touched() {
    let bench = Bench::new();
    bench.store.close();
    let conn = rusqlite::Connection::open(bench.path().join("onward.db")).unwrap();
    conn.pragma_update(None, "user_version", 99).unwrap();
    drop(conn);
    let error = refusal(bench.path());
    assert!(matches!(error, LogError::Io(_)) && error.to_string().contains("newer version"), "{error}");
}

#[tokio::test]
async fn a_database_that_is_gone_while_its_log_is_there_is_no_new_store() {
    let bench = Bench::new();
    bench.store.create(create(session(1))).await.unwrap();
    let copies = tempfile::tempdir().unwrap();
    let folder = copies.path().join("copy");
    copy(bench.path(), &folder);
    assert!(std::fs::metadata(folder.join("onward.db-wal")).unwrap().len() > 0);
    File::new().write(true).open(folder.join("onward.db")).unwrap().set_len(0).unwrap();
    assert_corrupt(&refusal(&folder), "missing or empty");
    std::fs::remove_file(folder.join("onward.db")).unwrap();
    assert_corrupt(&refusal(&folder), "missing or empty");
}

#[tokio::test]
async fn a_torn_log_leaves_the_committed_prefix() {
    let bench = Bench::new();
    let s = session(1);
    bench.store.create(create(s)).await.unwrap();
    for n in 0..30 {
        committed(&bench.store, client(s, &format!("k{n}"), vec![message("m")])).await;
    }
    let all = bench.store.read(s, Seq(0), usize::MAX).await.unwrap();
    let copies = tempfile::tempdir().unwrap();
    let mut lengths = Vec::new();
    for part in 0..8u64 {
        let folder = copies.path().join(part.to_string());
        copy(bench.path(), &folder);
        // What a loss of power leaves: the log cut anywhere, and no shared memory.
        std::fs::remove_file(folder.join("onward.db-shm")).unwrap();
        let wal = File::new().write(true).open(folder.join("onward.db-wal")).unwrap();
        let length = wal.metadata().unwrap().len();
        wal.set_len(length * part / 8 + 77).unwrap();
        let Ok(store) = SqliteStore::open(OpenOptions::new(&folder)) else { continue };
        let Ok(stored) = store.read(s, Seq(0), usize::MAX).await else { continue };
        assert_eq!(stored, all[..stored.len()]);
        verified(&stored);
        lengths.push(stored.len());
        committed(&store, client(s, "after", vec![interrupt()])).await;
    }
    assert!(lengths.iter().any(|n| (1..30).contains(n)), "some cuts fell between records: {lengths:?}");
}

#[tokio::test]
async fn a_truncated_database_is_an_error_or_a_prefix() {
    let (folder, all) = closed_store().await;
    let path = folder.path().join("onward.db");
    let bytes = std::fs::read(&path).unwrap();
    for part in 1..12 {
        std::fs::write(&path, &bytes[..bytes.len() * part / 12]).unwrap();
        assert_nothing_silent(folder.path(), &all).await;
    }
}

#[tokio::test]
async fn a_flipped_byte_is_found_wherever_it_is() {
    let (folder, all) = closed_store().await;
    let path = folder.path().join("onward.db");
    let bytes = std::fs::read(&path).unwrap();
    for n in 0..150 {
        let mut damaged = bytes.clone();
        // Spread over the file, its header and page headers included.
        let place = if n < 50 { n * 2 } else { (n * 7919 * 31) % bytes.len() };
        damaged[place] ^= 0x55;
        std::fs::write(&path, &damaged).unwrap();
        for leftover in ["onward.db-wal", "onward.db-shm"] {
            let _ = std::fs::remove_file(folder.path().join(leftover));
        }
        assert_nothing_silent(folder.path(), &all).await;
    }
}

#[tokio::test]
async fn a_damaged_record_is_returned_as_it_is_and_stops_its_owner() {
    let bench = Bench::new();
    let (s, head) = owned(&bench.store, 1).await;
    committed(&bench.store, client(s, "k", vec![message("truth"), message("more")])).await;
    let conn = rusqlite::Connection::open(bench.path().join("onward.db")).unwrap();
    conn.execute(
        "UPDATE records SET bytes = replace(CAST(bytes AS TEXT), 'truth', 'other') WHERE seq = 3",
        [],
    )
    .unwrap_err();
    conn.execute(
        "UPDATE records SET bytes = CAST(replace(CAST(bytes AS TEXT), 'truth', 'other') AS BLOB) WHERE seq = 3",
        [],
    )
    .unwrap();
    let stored = bench.store.read(s, Seq(2), 1).await.unwrap();
    assert!(String::from_utf8_lossy(&stored[0].bytes).contains("other"));
    let error = bench.store.append(owner(s, head.seq, 1, "o", vec![notice("n")])).await.unwrap_err();
    assert!(matches!(error, LogError::Damaged { seq: Seq(3), .. }), "{error}");
}

/// A store with one log of some pages, everything in the database file.
async fn closed_store() -> (tempfile::TempDir, Vec<StoredRecord>) {
    let Bench { store, folder } = Bench::new();
    let s = session(1);
    store.create(create(s)).await.unwrap();
    for n in 0..40 {
        committed(&store, client(s, &format!("k{n}"), vec![message(&"m".repeat(n * 50))])).await;
    }
    let all = store.read(s, Seq(0), usize::MAX).await.unwrap();
    store.close();
    (folder, all)
}

/// Either some step fails, or what is read is the log, or verifying it shows the damage.
async fn assert_nothing_silent(folder: &Path, all: &[StoredRecord]) {
    for open in [SqliteStore::open(OpenOptions::new(folder)), SqliteStore::open_read_only(folder)] {
        let Ok(store) = open else { continue };
        let (Ok(head), Ok(stored)) =
            (store.head(session(1)).await, store.read(session(1), Seq(0), usize::MAX).await)
        else {
            continue;
        };
        let _ = store.sessions().await;
        let last = stored.last().map(|record| (record.seq, record.hash));
        let is_whole = is_chained(&stored) && last == Some((head.seq, head.hash));
        assert!(stored == all || !is_whole, "the damage is not found");
    }
}

fn is_chained(stored: &[StoredRecord]) -> bool {
    let mut hash = Digest::ZERO;
    stored.iter().zip(1..).all(|(record, n)| {
        hash = chain(&hash, &record.bytes);
        record.seq == Seq(n) && record.hash == hash
    })
}

fn refusal(folder: &Path) -> LogError {
    SqliteStore::open(OpenOptions::new(folder)).map(drop).unwrap_err()
}

fn assert_corrupt(error: &LogError, part: &str) {
    assert!(matches!(error, LogError::Corrupt(_)) && error.to_string().contains(part), "{error}");
}

#[tokio::test]
async fn a_store_that_is_whole_passes_the_same_check() {
    let (folder, all) = closed_store().await;
    let store = open(folder.path());
    let stored = store.read(session(1), Seq(0), usize::MAX).await.unwrap();
    assert!(stored == all && is_chained(&stored));
}
