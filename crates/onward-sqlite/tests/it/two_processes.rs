//! Several processes on one store: one owns a session, the others see it and feed it.

use std::time::Duration;

use onward_event::{Epoch, Seq};
use onward_port::{Appended, Log, LogError, OwnerState};

use crate::child::{Other, command};
use crate::support::{
    Bench, client, committed, create, id, interrupt, kinds, message, notice, now, owned, owner, session,
    whole,
};

/// Long enough for a machine under load; a test that waits so long has failed.
const LONG: Duration = Duration::from_secs(60);

#[tokio::test]
async fn a_living_owner_is_respected_and_a_killed_one_is_replaced_at_once() {
    let bench = Bench::new();
    let store = &bench.store;
    let session = session(1);
    store.create(create(session)).await.unwrap();
    let mut other = Other::start("own", bench.path());
    assert_eq!(other.says(), "owned 1");

    let refused = store.acquire(session, "me".into(), id("mine"), now(4)).await.unwrap_err();
    assert!(matches!(&refused, LogError::Owned { owner, .. } if owner == "the other"), "{refused}");
    assert_eq!(state(store).await, OwnerState::Held { owner: "the other".into() });
    other.kill();
    assert_eq!(state(store).await, OwnerState::Orphaned { owner: "the other".into() });

    let epoch = store.acquire(session, "me".into(), id("mine"), now(4)).await.unwrap();
    assert_eq!(epoch, Epoch(2));
    assert_eq!(state(store).await, OwnerState::Held { owner: "me".into() });
    assert_eq!(kinds(&whole(store, session).await), ["session/created", "owner/acquired", "owner/acquired"]);
    let locks = std::fs::read_dir(bench.path().join("locks")).unwrap().count();
    assert_eq!(locks, 1, "the killed process's lock file is gone");
}

#[tokio::test]
async fn an_owner_that_ends_in_order_leaves_its_session_to_the_next() {
    let bench = Bench::new();
    bench.store.create(create(session(1))).await.unwrap();
    let mut other = Other::start("own", bench.path());
    assert_eq!(other.says(), "owned 1");
    other.finish();
    assert_eq!(state(&bench.store).await, OwnerState::Orphaned { owner: "the other".into() });
    assert_eq!(std::fs::read_dir(bench.path().join("locks")).unwrap().count(), 0);
    let epoch = bench.store.acquire(session(1), "me".into(), id("mine"), now(4)).await.unwrap();
    assert_eq!(epoch, Epoch(2));
}

#[tokio::test]
async fn a_client_in_another_process_wakes_and_corrects_the_owner() {
    let bench = Bench::new();
    let store = &bench.store;
    let (session, head) = owned(store, 1).await;
    let waiting = tokio::spawn({
        let store = store.clone();
        async move { store.changed(session, head.seq).await }
    });
    let sent = tokio::task::spawn_blocking({
        let mut command = command("send k", bench.path());
        move || command.output().unwrap().status.success()
    });
    tokio::time::timeout(LONG, waiting).await.expect("the change is noticed").unwrap();
    assert!(sent.await.unwrap());
    assert!(store.head(session).await.unwrap().seq > head.seq, "it woke because of the append");

    let append = owner(session, head.seq, 1, "o", vec![notice("n")]);
    let Appended::Conflict { missed } = store.append(append).await.unwrap() else { panic!("a conflict") };
    assert_eq!(missed.len(), 1);
    assert_eq!(missed[0].event, message("from another process"));
    committed(store, owner(session, Seq(3), 1, "o", vec![notice("n")])).await;
    assert_eq!(whole(store, session).await.len(), 4);
}

#[tokio::test]
async fn whoever_waits_is_woken_by_this_process_too_and_not_by_other_sessions() {
    let bench = Bench::new();
    let store = &bench.store;
    let (mine, head) = owned(store, 1).await;
    let (other, _) = owned(store, 2).await;
    tokio::time::timeout(LONG, store.changed(mine, Seq(0))).await.expect("what is there already counts");
    let mut waiting = Box::pin(store.changed(mine, head.seq));
    committed(store, client(other, "k", vec![interrupt()])).await;
    assert!(
        tokio::time::timeout(Duration::from_millis(100), &mut waiting).await.is_err(),
        "nothing happened"
    );
    committed(store, client(mine, "k", vec![interrupt()])).await;
    tokio::time::timeout(LONG, waiting).await.expect("the append is noticed");
}

#[tokio::test]
async fn closing_the_store_lets_whoever_waits_go() {
    let bench = Bench::new();
    let (session, head) = owned(&bench.store, 1).await;
    let waiting = tokio::spawn({
        let store = bench.store.clone();
        async move { store.changed(session, head.seq).await }
    });
    tokio::task::yield_now().await;
    bench.store.close();
    tokio::time::timeout(LONG, waiting).await.expect("it returns").unwrap();
}

#[tokio::test]
async fn processes_that_write_at_once_make_one_log() {
    let bench = Bench::new();
    let session = session(1);
    bench.store.create(create(session)).await.unwrap();
    let mut others: Vec<_> =
        ["a", "b"].map(|key| command(&format!("send-many {key}"), bench.path()).spawn().unwrap()).into();
    for n in 0..50 {
        committed(&bench.store, client(session, &format!("mine-{n}"), vec![interrupt()])).await;
    }
    for other in &mut others {
        assert!(other.wait().unwrap().success());
    }
    assert_eq!(whole(&bench.store, session).await.len(), 151);
}

#[tokio::test]
async fn processes_that_open_a_new_folder_at_once_make_one_store() {
    let folder = tempfile::tempdir().unwrap();
    let mut others: Vec<_> =
        (1..=4).map(|n| command(&format!("create {n}"), folder.path()).spawn().unwrap()).collect();
    for other in &mut others {
        assert!(other.wait().unwrap().success());
    }
    assert_eq!(crate::support::open(folder.path()).sessions().await.unwrap().len(), 4);
}

async fn state(store: &onward_sqlite::SqliteStore) -> OwnerState {
    store.sessions().await.unwrap().remove(0).owner
}
