//! Who owns a session, within one process: two stores on one folder stand for two processes.

use std::path::Path;
use std::process::Command;

use onward_event::{Epoch, Seq};
use onward_port::{Append, Appended, Blobs, Log, LogError, OwnerState, Released, SideChunk};
use onward_sqlite::SqliteStore;

use crate::support::{
    Bench, client, committed, create, id, interrupt, kinds, message, notice, now, open, owned, owner,
    release, session, whole,
};

#[tokio::test]
async fn acquiring_again_is_refused_unless_it_is_the_same_request() {
    let bench = Bench::new();
    let store = &bench.store;
    let (session, head) = owned(store, 1).await;
    let refused = store.acquire(session, "tester".into(), id("another"), now(2)).await.unwrap_err();
    assert!(matches!(refused, LogError::Owned { .. }), "{refused}");
    let epoch = store.acquire(session, "tester".into(), id("acquire-1"), now(2)).await.unwrap();
    assert_eq!(epoch, Epoch(1));
    assert_eq!(store.head(session).await.unwrap(), head);
}

#[tokio::test]
async fn a_released_session_is_free_and_its_epoch_goes_on() {
    let bench = Bench::new();
    let store = &bench.store;
    let (session, _) = owned(store, 1).await;
    assert_eq!(state(store).await, OwnerState::Held { owner: "tester".into() });
    assert_eq!(store.release(release(session, 1, 2)).await.unwrap(), Released::Free);
    assert_eq!(state(store).await, OwnerState::Free);
    let next = open(bench.path());
    assert_eq!(next.acquire(session, "next".into(), id("n"), now(4)).await.unwrap(), Epoch(2));
    let stale = store.release(release(session, 1, 3)).await.unwrap_err();
    assert!(matches!(stale, LogError::Fenced { .. }), "{stale}");
    assert_eq!(
        kinds(&whole(store, session).await),
        ["session/created", "owner/acquired", "owner/released", "owner/acquired"]
    );
}

#[tokio::test]
async fn an_owner_that_has_not_seen_all_of_it_does_not_leave() {
    let bench = Bench::new();
    let store = &bench.store;
    let (session, head) = owned(store, 1).await;
    committed(store, client(session, "late", vec![message("wait")])).await;
    assert_eq!(store.release(release(session, 1, head.seq.0)).await.unwrap(), Released::Behind);
    assert_eq!(state(store).await, OwnerState::Held { owner: "tester".into() });
    assert_eq!(store.release(release(session, 1, head.seq.0 + 1)).await.unwrap(), Released::Free);
    assert_eq!(state(store).await, OwnerState::Free);
    // A repeated one is the same one, whatever came after it.
    committed(store, client(session, "later", vec![message("too late")])).await;
    assert_eq!(store.release(release(session, 1, head.seq.0 + 1)).await.unwrap(), Released::Free);
    let (second, head) = owned(store, 2).await;
    let error = store.release(release(second, 1, head.seq.0 + 1)).await.unwrap_err();
    assert!(matches!(error, LogError::Damaged { .. }), "an owner that knows more than there is: {error}");
}

#[tokio::test]
async fn two_handles_do_not_own_one_session() {
    let bench = Bench::new();
    let (session, head) = owned(&bench.store, 1).await;
    let second = open(bench.path());
    let refused = second.acquire(session, "second".into(), id("s"), now(2)).await.unwrap_err();
    assert!(matches!(&refused, LogError::Owned { owner, .. } if owner == "tester"), "{refused}");
    let foreign = second.append(owner(session, head.seq, 1, "o", vec![notice("n")])).await.unwrap_err();
    crate::support::assert_io(&foreign, "not owned by this process");
    bench.store.close();
    assert_eq!(state(&second).await, OwnerState::Orphaned { owner: "tester".into() });
    assert_eq!(second.acquire(session, "second".into(), id("s"), now(2)).await.unwrap(), Epoch(2));
}

#[tokio::test]
async fn one_process_holds_many_sessions_with_one_lock() {
    let bench = Bench::new();
    for n in 1..=5 {
        owned(&bench.store, n).await;
    }
    assert_eq!(locks(bench.path()), 1);
    bench.store.close();
    assert_eq!(locks(bench.path()), 0);
}

#[tokio::test]
async fn a_fallen_owner_is_fenced_off() {
    let bench = Bench::new();
    let (session, head) = owned(&bench.store, 1).await;
    // As if the lock had been lost with its process, while the process's memory lives on in this test.
    for entry in std::fs::read_dir(bench.path().join("locks")).unwrap() {
        std::fs::remove_file(entry.unwrap().path()).unwrap();
    }
    let second = open(bench.path());
    assert_eq!(second.acquire(session, "second".into(), id("s"), now(2)).await.unwrap(), Epoch(2));
    let fenced = bench.store.append(owner(session, head.seq, 1, "o", vec![notice("n")])).await.unwrap_err();
    assert!(matches!(fenced, LogError::Fenced { ours: Epoch(1), current: Epoch(2), .. }), "{fenced}");
}

/// Whatever an owner of an older epoch brings, by whichever way: nothing of it is kept.
#[tokio::test]
async fn nothing_of_an_older_epoch_is_kept_by_any_way() {
    let bench = Bench::new();
    let store = &bench.store;
    let (session, head) = owned(store, 1).await;
    store.release(release(session, 1, head.seq.0)).await.unwrap();
    // The same process again: its lock is good, and only the epoch is old.
    assert_eq!(store.acquire(session, "tester".into(), id("again"), now(4)).await.unwrap(), Epoch(2));
    let before = whole(store, session).await;
    let end = before.last().unwrap().seq;
    let old = |seq: Seq, key: &str| owner(session, seq, 1, key, vec![notice("stale")]);
    let bytes = bytes::Bytes::from_static(b"of an old owner");
    let hash = onward_port::digest(&bytes);
    let with_blob = Append {
        blobs: vec![onward_port::Blob { hash, bytes }],
        ends_side: vec!["att_open".into()],
        ..old(end, "with content")
    };
    let piece = SideChunk { n: 0, text: "a piece".into() };
    store.put_side(session, "att_open".into(), piece).await.unwrap();
    let is_fenced = |answer: Result<Appended, LogError>| match answer {
        Err(LogError::Fenced { ours: Epoch(1), current: Epoch(2), .. }) => {}
        other => panic!("{other:?}"),
    };
    // At the end of the log, behind it (where another one would be told what it missed), and past it.
    for seq in [end, Seq(1), Seq(end.0 + 5)] {
        for sync in [true, false] {
            is_fenced(store.append(Append { sync, ..old(seq, &format!("alone {seq} {sync}")) }).await);
        }
    }
    is_fenced(store.append(with_blob).await);
    assert_eq!(store.get(hash).await.unwrap(), None);
    assert_eq!(store.side(session, "att_open".into(), 0).await.unwrap().len(), 1);
    // In a group with appends that are good: those are kept, and only those.
    let (first, good, second) = tokio::join!(
        store.append(old(end, "in a group")),
        store.append(owner(session, end, 2, "good", vec![notice("new")])),
        store.append(old(Seq(end.0 + 1), "in a group, too")),
    );
    is_fenced(first);
    is_fenced(second);
    assert!(matches!(good, Ok(Appended::Committed { .. })), "{good:?}");
    let stale = store.release(release(session, 1, end.0 + 1)).await.unwrap_err();
    assert!(matches!(stale, LogError::Fenced { .. }), "{stale}");
    // Opened again, without anything that a process remembers.
    bench.store.close();
    let after = whole(&open(bench.path()), session).await;
    assert_eq!(after.len(), before.len() + 1);
    assert!(after.iter().all(|record| !format!("{record:?}").contains("stale")));
}

#[tokio::test]
async fn a_copied_folder_is_a_store_of_its_own() {
    let bench = Bench::new();
    let (session, head) = owned(&bench.store, 1).await;
    committed(&bench.store, client(session, "k", vec![interrupt()])).await;
    let copies = tempfile::tempdir().unwrap();
    let folder = copies.path().join("copy");
    copy(bench.path(), &folder);

    let copied = open(&folder);
    assert_eq!(state(&copied).await, OwnerState::Orphaned { owner: "tester".into() });
    assert_eq!(copied.acquire(session, "copier".into(), id("c"), now(9)).await.unwrap(), Epoch(2));
    committed(&copied, owner(session, Seq(4), 2, "o", vec![notice("in the copy")])).await;
    assert_eq!(whole(&copied, session).await.len(), 5);

    assert_eq!(state(&bench.store).await, OwnerState::Held { owner: "tester".into() });
    assert_eq!(bench.store.head(session).await.unwrap().seq, Seq(3));
    committed(&bench.store, owner(session, Seq(3), 1, "o", vec![notice("in the original")])).await;
    assert_eq!(head.seq, Seq(2));
}

#[tokio::test]
async fn a_lock_name_that_leads_elsewhere_is_damage() {
    let bench = Bench::new();
    bench.store.create(create(session(1))).await.unwrap();
    let outside = bench.path().join("precious.lock");
    std::fs::write(&outside, "").unwrap();
    let conn = rusqlite::Connection::open(bench.path().join("onward.db")).unwrap();
    conn.execute("UPDATE sessions SET lock = '../precious.lock', owner = 'x'", []).unwrap();
    let error = bench.store.acquire(session(1), "me".into(), id("a"), now(1)).await.unwrap_err();
    assert!(matches!(error, LogError::Corrupt(_)), "{error}");
    assert!(outside.exists());
}

/// Copies with another process: opening and closing the files here would drop the locks that this process holds.
pub(crate) fn copy(from: &Path, to: &Path) {
    assert!(Command::new("cp").arg("-a").arg(from).arg(to).status().unwrap().success());
}

async fn state(store: &SqliteStore) -> OwnerState {
    store.sessions().await.unwrap().remove(0).owner
}

fn locks(folder: &Path) -> usize {
    std::fs::read_dir(folder.join("locks")).unwrap().count()
}
