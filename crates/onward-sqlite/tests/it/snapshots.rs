//! Snapshots: a cache that gives back what was stored, and nothing else, whatever has become of the store.

use std::path::Path;

use onward_event::{Digest, Seq, SessionId};
use onward_port::{Head, KeptPieces, Log, LogError, PutSnapshot, Snapshot};
use onward_sqlite::SqliteStore;
use rusqlite::Connection;

use crate::support::{Bench, client, committed, message, open, owned};

const VERSION: u32 = 3;

fn put(session: SessionId, head: Head, pieces: &[&str]) -> PutSnapshot {
    let pieces = pieces.iter().map(|piece| piece.as_bytes().to_vec()).collect();
    PutSnapshot { session, version: VERSION, head, state: b"state".to_vec(), keep: None, pieces }
}

fn history(snapshot: Option<Snapshot>) -> Option<Vec<String>> {
    snapshot.map(|found| found.history.into_iter().map(|piece| String::from_utf8(piece).unwrap()).collect())
}

async fn find(store: &SqliteStore, session: SessionId) -> Option<Snapshot> {
    store.snapshot(session, VERSION).await.unwrap()
}

/// Stores it, and returns when it is there: what is asked for after it is answered after it.
async fn stored(store: &SqliteStore, put: PutSnapshot) {
    let session = put.session;
    store.put_snapshot(put).await.unwrap();
    // The writer takes snapshots last; a second order proves that the first was taken.
    for n in 0..2 {
        let key = format!("after {n} {:?}", std::time::Instant::now());
        committed(store, client(session, &key, vec![message("x")])).await;
    }
}

fn sql(folder: &Path, statement: &str) -> usize {
    Connection::open(folder.join("onward.db")).unwrap().execute(statement, []).unwrap()
}

#[tokio::test]
async fn a_snapshot_comes_back_as_it_was_and_grows_by_pieces() {
    let bench = Bench::new();
    let (session, first) = owned(&bench.store, 1).await;
    assert_eq!(find(&bench.store, session).await, None);
    stored(&bench.store, put(session, first, &["a", "b"])).await;
    let found = find(&bench.store, session).await.unwrap();
    assert_eq!((found.head, found.state.as_slice()), (first, &b"state"[..]));
    assert_eq!(history(Some(found)).unwrap(), ["a", "b"]);

    let second = bench.store.head(session).await.unwrap();
    let keep = Some(KeptPieces { head: first, count: 1 });
    stored(&bench.store, PutSnapshot { keep, ..put(session, second, &["c", "d"]) }).await;
    assert_eq!(history(find(&bench.store, session).await).unwrap(), ["a", "c", "d"]);
    bench.store.close();
    let again = open(bench.path());
    assert_eq!(find(&again, session).await.unwrap().head, second, "it survives its process");
}

#[tokio::test]
async fn a_snapshot_that_does_not_belong_here_is_not_stored() {
    let bench = Bench::new();
    let (session, head) = owned(&bench.store, 1).await;
    let (other, _) = owned(&bench.store, 2).await;
    stored(&bench.store, put(session, head, &["a"])).await;
    let good = find(&bench.store, session).await;
    let ahead = Head { seq: Seq(head.seq.0 + 99), ..head };
    let foreign = Head { hash: Digest([7; 32]), ..head };
    for wrong in [ahead, foreign, Head { seq: Seq(0), hash: Digest::ZERO }] {
        stored(&bench.store, put(session, wrong, &["b"])).await;
        assert_eq!(find(&bench.store, session).await, good, "{wrong:?} is not in the log");
    }
    let second = bench.store.head(session).await.unwrap();
    for keep in [KeptPieces { head: second, count: 1 }, KeptPieces { head, count: 2 }] {
        stored(&bench.store, PutSnapshot { keep: Some(keep), ..put(session, second, &["b"]) }).await;
        assert_eq!(find(&bench.store, session).await, good, "{keep:?} is not there");
    }
    assert_eq!(find(&bench.store, other).await, None, "each session has its own");
    assert_eq!(bench.store.snapshot(session, VERSION + 1).await.unwrap(), None, "and each version");
}

#[tokio::test]
async fn damage_is_noticed_wherever_it_is() {
    for damage in [
        "UPDATE snapshots SET state = CAST('stata' AS BLOB)",
        "UPDATE snapshots SET digest = zeroblob(32)",
        "UPDATE snapshots SET seq = seq - 1",
        "UPDATE snapshots SET hash = zeroblob(32)",
        "UPDATE snapshots SET seq = 'one'",
        "UPDATE snapshot_pieces SET bytes = CAST('x' AS BLOB) WHERE n = 1",
        "DELETE FROM snapshot_pieces WHERE n = 1",
        "UPDATE snapshot_pieces SET n = 2 - n WHERE n <> 1",
        "INSERT INTO snapshot_pieces SELECT session, 9, digest, bytes FROM snapshot_pieces WHERE n = 0",
        "DROP TABLE snapshot_pieces",
    ] {
        let bench = Bench::new();
        let (session, head) = owned(&bench.store, 1).await;
        stored(&bench.store, put(session, head, &["a", "b", "c"])).await;
        assert!(find(&bench.store, session).await.is_some());
        bench.store.close();
        // A type that the table forbids cannot be put there.
        let raw = Connection::open(bench.path().join("onward.db")).unwrap();
        let damaged = raw.execute_batch(damage).is_ok();
        drop(raw);
        let store = open(bench.path());
        assert_eq!(find(&store, session).await.is_none(), damaged, "{damage}");
        assert!(store.head(session).await.is_ok(), "{damage}: the log is untouched");
    }
}

#[tokio::test]
async fn a_log_that_lost_its_tail_has_no_snapshot_of_it() {
    let bench = Bench::new();
    let (session, _) = owned(&bench.store, 1).await;
    let (_, head) = committed(&bench.store, client(session, "last", vec![message("lost")])).await;
    stored(&bench.store, put(session, head, &["a"])).await;
    bench.store.close();
    // As if the records had never reached the disk, and their numbers were used again.
    sql(bench.path(), &format!("DELETE FROM records WHERE seq >= {}", head.seq));
    sql(
        bench.path(),
        &format!(
            "UPDATE sessions SET seq = {0}, hash = (SELECT hash FROM records WHERE seq = {0})",
            head.seq.0 - 1
        ),
    );
    sql(bench.path(), "DELETE FROM clients WHERE key <> ''");
    let store = open(bench.path());
    assert_eq!(find(&store, session).await, None, "the record is gone");
    let (_, other) = committed(&store, client(session, "another", vec![message("other")])).await;
    assert_eq!(other.seq, head.seq);
    assert_eq!(find(&store, session).await, None, "another record has its number");
}

#[tokio::test]
async fn a_store_of_the_version_before_is_brought_up_and_can_be_looked_at_without() {
    let bench = Bench::new();
    let (session, _) = owned(&bench.store, 1).await;
    bench.store.close();
    let before = Connection::open(bench.path().join("onward.db")).unwrap();
    before
        .execute_batch("DROP TABLE snapshots; DROP TABLE snapshot_pieces; PRAGMA user_version = 1")
        .unwrap();
    drop(before);
    let looking = SqliteStore::open_read_only(bench.path()).unwrap();
    assert_eq!(find(&looking, session).await, None);
    let head = looking.head(session).await.unwrap();
    let refused = looking.put_snapshot(put(session, head, &[])).await.unwrap_err();
    assert!(matches!(refused, LogError::ReadOnly { .. }), "{refused}");
    looking.close();

    let (one, two) = (open(bench.path()), open(bench.path()));
    assert_eq!(one.head(session).await.unwrap(), head, "nothing of the log is touched");
    stored(&one, put(session, head, &["a"])).await;
    assert_eq!(history(find(&two, session).await).unwrap(), ["a"]);
}
