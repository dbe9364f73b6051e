//! Side streams: visible soon, gone with their scope.

use std::time::{Duration, Instant};

use onward_event::SessionId;
use onward_port::{Append, Log, SideChunk};
use onward_sqlite::SqliteStore;

use crate::support::{Bench, client, committed, create, interrupt, open, session};

#[tokio::test]
async fn pieces_are_seen_by_another_process_until_their_scope_ends() {
    let bench = Bench::new();
    let session = session(1);
    bench.store.create(create(session)).await.unwrap();
    for n in 0..20 {
        put(&bench.store, session, "a", n).await;
        put(&bench.store, session, "b", n).await;
    }
    let reader = open(bench.path());
    let a = until(&reader, session, "a", 20).await;
    assert_eq!(a[7], chunk(7));
    assert_eq!(reader.side(session, "a".into(), 15).await.unwrap().len(), 5);

    put(&bench.store, session, "a", 20).await;
    let end = Append { ends_side: vec!["a".into()], ..client(session, "k", vec![interrupt()]) };
    committed(&bench.store, end).await;
    put(&bench.store, session, "a", 21).await;
    put(&bench.store, session, "b", 20).await;
    // Once the later piece of the other scope is there, the late piece of the ended one would be, too.
    until(&reader, session, "b", 21).await;
    assert!(reader.side(session, "a".into(), 0).await.unwrap().is_empty());
}

#[tokio::test]
async fn pieces_survive_an_orderly_end_and_need_a_session() {
    let bench = Bench::new();
    bench.store.create(create(session(1))).await.unwrap();
    put(&bench.store, session(1), "a", 0).await;
    put(&bench.store, session(404), "a", 0).await;
    bench.store.close();
    let store = open(bench.path());
    assert_eq!(store.side(session(1), "a".into(), 0).await.unwrap(), [chunk(0)]);
    assert!(store.side(session(404), "a".into(), 0).await.is_err());
}

fn chunk(n: u64) -> SideChunk {
    SideChunk { n, text: format!("piece {n}") }
}

async fn put(store: &SqliteStore, session: SessionId, scope: &str, n: u64) {
    store.put_side(session, scope.into(), chunk(n)).await.unwrap();
}

/// Waits until so many pieces are visible.
pub(crate) async fn until(
    store: &SqliteStore,
    session: SessionId,
    scope: &str,
    count: usize,
) -> Vec<SideChunk> {
    let start = Instant::now();
    loop {
        let chunks = store.side(session, scope.into(), 0).await.unwrap();
        if chunks.len() == count {
            return chunks;
        }
        assert!(start.elapsed() < Duration::from_secs(60), "{} of {count} pieces are visible", chunks.len());
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}
