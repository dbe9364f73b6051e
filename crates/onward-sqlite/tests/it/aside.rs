//! Records that are set aside: kept in full before they are taken out, and never under a living owner.

use onward_event::{Epoch, Seq};
use onward_port::{Append, Head, Log, LogError};
use onward_sqlite::{KeptAside, SetAside, SqliteStore};

use crate::support::{
    Bench, assert_io, client, committed, create, id, interrupt, kinds, message, now, owned, release, session,
    whole,
};

async fn set_aside(store: &SqliteStore, keep: Head, epoch: u64, key: &str) -> Result<KeptAside, LogError> {
    let told = Append { sync: true, ..client(session(1), key, vec![message("some records were set aside")]) };
    store.set_aside(SetAside { keep, epoch: Epoch(epoch), told }).await
}

#[tokio::test]
async fn what_is_set_aside_is_in_a_file_and_the_log_goes_on_under_the_epoch_that_is_left() {
    let bench = Bench::new();
    let (s, head) = owned(&bench.store, 1).await;
    bench.store.release(release(s, 1, head.seq.0)).await.unwrap();
    let keep = bench.store.head(s).await.unwrap();
    committed(&bench.store, client(s, "given up", vec![interrupt()])).await;
    bench.store.acquire(s, "second".into(), id("acquire"), now(5)).await.unwrap();
    let last = bench.store.head(s).await.unwrap().seq;
    bench.store.release(release(s, 2, last.0)).await.unwrap();
    let before = bench.store.read(s, Seq(0), usize::MAX).await.unwrap();

    let kept = set_aside(&bench.store, keep, 1, "told").await.unwrap();
    assert_eq!(kept.records, 3);
    let file = std::fs::read_to_string(kept.file.unwrap()).unwrap();
    let lines: Vec<serde_json::Value> =
        file.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for (line, stored) in lines.iter().zip(&before[keep.seq.0 as usize..]) {
        assert_eq!(line["seq"], stored.seq.0);
        assert_eq!(line["text"].as_str().unwrap().as_bytes(), stored.bytes);
        assert_eq!(line["hash"], stored.hash.to_string());
    }
    assert_eq!(
        kinds(&whole(&bench.store, s).await),
        ["session/created", "owner/acquired", "owner/released", "inbox/received"]
    );
    // The key of what was given up is free again.
    committed(&bench.store, client(s, "given up", vec![interrupt()])).await;
    let epoch = bench.store.acquire(s, "third".into(), id("again"), now(6)).await.unwrap();
    assert_eq!(epoch, Epoch(2), "the next one after the one that is left");
    assert_eq!(whole(&bench.store, s).await.len(), 6);
}

#[tokio::test]
async fn a_living_owner_keeps_its_log() {
    let bench = Bench::new();
    let (s, head) = owned(&bench.store, 1).await;
    committed(&bench.store, client(s, "k", vec![interrupt()])).await;
    let error = set_aside(&bench.store, head, 1, "told").await.unwrap_err();
    assert!(matches!(error, LogError::Owned { .. }), "{error}");
    assert_eq!(whole(&bench.store, s).await.len(), 3);
}

#[tokio::test]
async fn an_end_that_is_not_there_is_refused_and_nothing_is_set_aside_twice() {
    let bench = Bench::new();
    let s = session(1);
    bench.store.create(create(s)).await.unwrap();
    let keep = bench.store.head(s).await.unwrap();
    committed(&bench.store, client(s, "k", vec![interrupt()])).await;
    let wrong = Head { seq: keep.seq, hash: bench.store.head(s).await.unwrap().hash };
    assert_io(&set_aside(&bench.store, wrong, 0, "told").await.unwrap_err(), "nothing was set aside");
    assert_eq!(whole(&bench.store, s).await.len(), 2);
    // A file of the same name is left as it is.
    let first = set_aside(&bench.store, keep, 0, "told").await.unwrap().file.unwrap();
    let second = set_aside(&bench.store, keep, 0, "told again").await.unwrap().file.unwrap();
    assert!(first != second && first.exists() && second.exists(), "{first:?} {second:?}");
    assert_eq!(whole(&bench.store, s).await.len(), 2);
}
