//! The write-ahead log stays short, however much is appended, while others read; and an append adds little to it.

use onward_event::Seq;
use onward_port::{Append, Blob, Log};

use crate::support::{Bench, client, committed, create, interrupt, notice, owned, owner, session};

/// Above where the writer makes the log start again although somebody always reads (64 MiB), below what is appended.
const LIMIT: u64 = 72 * 1024 * 1024;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_log_of_a_busy_store_has_an_end() {
    let bench = Bench::new();
    let s = session(1);
    bench.store.create(create(s)).await.unwrap();
    let reader = tokio::spawn({
        let store = bench.store.clone();
        async move {
            loop {
                store.read(s, Seq(0), usize::MAX).await.unwrap();
            }
        }
    });
    let mut longest = 0;
    for n in 0..450u32 {
        let mut content = vec![0; 200_000];
        content[..4].copy_from_slice(&n.to_le_bytes());
        let append = client(s, &format!("k{n}"), vec![interrupt()]);
        committed(&bench.store, Append { blobs: vec![Blob::new(content)], ..append }).await;
        longest = longest.max(std::fs::metadata(bench.path().join("onward.db-wal")).unwrap().len());
    }
    reader.abort();
    assert!(longest < LIMIT, "the log grew to {longest} bytes");
    assert_eq!(bench.store.head(s).await.unwrap().seq, Seq(451));
}

/// A page of the write-ahead log, with its header.
const FRAME: u64 = 4_120;

#[tokio::test]
async fn a_synced_append_of_two_records_adds_fewer_than_five_pages_to_the_log() {
    let bench = Bench::new();
    let (s, mut head) = owned(&bench.store, 1).await;
    let wal = bench.path().join("onward.db-wal");
    let (mut before, appends) = (0, 120);
    for n in 0..10 + appends {
        if n == 10 {
            before = std::fs::metadata(&wal).unwrap().len();
        }
        let events = vec![notice(&"n".repeat(250)), notice(&"n".repeat(500))];
        let append = Append { sync: true, ..owner(s, head.seq, 1, &format!("o{n}"), events) };
        head = committed(&bench.store, append).await.1;
    }
    let frames = (std::fs::metadata(&wal).unwrap().len() - before) / FRAME;
    eprintln!("{frames} pages for {appends} appends");
    assert!(frames < 5 * appends, "{frames} pages for {appends} appends");
}
