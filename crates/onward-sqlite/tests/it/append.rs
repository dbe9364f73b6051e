//! Appending and reading: the chain, conflicts, repeated keys, who may append what.

use onward_event::{Epoch, Event, OwnerAcquired, Record, Seq};
use onward_port::{Appended, Log, LogError};

use crate::support::{
    Bench, assert_io, client, committed, create, id, interrupt, kinds, message, notice, now, open, owned,
    owner, release, session, whole,
};

#[tokio::test]
async fn records_are_numbered_chained_and_read_back() {
    let bench = Bench::new();
    let store = &bench.store;
    let (session, _) = owned(store, 1).await;
    let (first, head) = committed(store, client(session, "k1", vec![message("a"), interrupt()])).await;
    assert_eq!((first, head.seq), (Seq(3), Seq(4)));
    let (first, head) = committed(store, owner(session, Seq(4), 1, "o1", vec![notice("b")])).await;
    assert_eq!((first, head.seq), (Seq(5), Seq(5)));
    let records = whole(store, session).await;
    assert_eq!(
        kinds(&records),
        ["session/created", "owner/acquired", "inbox/received", "interrupt/requested", "notice/added"]
    );
    assert_eq!(records[4].epoch, Some(Epoch(1)));
    assert_eq!(records[1].event, Event::from(OwnerAcquired { epoch: Epoch(1), owner: "tester".into() }));
    let some = store.read(session, Seq(2), 2).await.unwrap();
    assert_eq!(some.iter().map(|record| record.seq.0).collect::<Vec<_>>(), [3, 4]);
    assert!(store.read(session, Seq(u64::MAX), 9).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_store_that_is_opened_again_goes_on() {
    let bench = Bench::new();
    let session = session(1);
    bench.store.create(create(session)).await.unwrap();
    bench.store.close();
    let closed = bench.store.append(client(session, "k", vec![interrupt()])).await.unwrap_err();
    assert_io(&closed, "closed");
    let store = open(bench.path());
    committed(&store, client(session, "k", vec![interrupt()])).await;
    drop(store);
    assert_eq!(whole(&open(bench.path()), session).await.len(), 2);
}

#[tokio::test]
async fn an_owner_that_is_behind_is_told_what_it_missed_and_goes_on() {
    let bench = Bench::new();
    let store = &bench.store;
    let (session, head) = owned(store, 1).await;
    committed(store, client(session, "k", vec![message("one"), message("two")])).await;
    let append = owner(session, head.seq, 1, "o", vec![notice("n")]);
    let Appended::Conflict { missed } = store.append(append.clone()).await.unwrap() else {
        panic!("two records were missed")
    };
    assert_eq!(missed.iter().map(|record| record.seq.0).collect::<Vec<_>>(), [3, 4]);
    assert_eq!(missed[1].event, message("two"));
    assert_eq!(whole(store, session).await.len(), 4);
    let again = owner(session, missed[1].seq, 1, "o", vec![notice("n")]);
    assert_eq!(committed(store, again).await.0, Seq(5));
    // The same append on the old assumption: it is in the log, which is what counts.
    let Appended::Committed { first, head } = store.append(append).await.unwrap() else {
        panic!("it is its own record that it missed")
    };
    assert_eq!((first, head.seq), (Seq(5), Seq(5)));
    assert_eq!(whole(store, session).await.len(), 5);
}

#[tokio::test]
async fn an_owner_that_knows_more_than_the_log_is_told_of_the_damage() {
    let bench = Bench::new();
    let (session, _) = owned(&bench.store, 1).await;
    let error = bench.store.append(owner(session, Seq(9), 1, "o", vec![notice("n")])).await.unwrap_err();
    assert!(matches!(error, LogError::Damaged { seq: Seq(3), .. }), "{error}");
}

#[tokio::test]
async fn a_repeated_key_is_the_same_append() {
    let bench = Bench::new();
    let store = &bench.store;
    let (session, _) = owned(store, 1).await;
    let first = committed(store, client(session, "k", vec![message("a"), message("b")])).await;
    committed(store, client(session, "other", vec![interrupt()])).await;
    let mut again = client(session, "k", vec![message("something else")]);
    again.sync = true;
    assert_eq!(committed(store, again).await, first);
    assert_eq!(whole(store, session).await.len(), 5);
}

#[tokio::test]
async fn creating_again_changes_nothing() {
    let bench = Bench::new();
    let session = session(1);
    let mut create = create(session);
    create.events = vec![message("hello")];
    let head = bench.store.create(create.clone()).await.unwrap();
    committed(&bench.store, client(session, "k", vec![interrupt()])).await;
    assert_eq!(bench.store.create(create).await.unwrap(), head);
    let records = whole(&bench.store, session).await;
    assert_eq!(kinds(&records), ["session/created", "inbox/received", "interrupt/requested"]);
    assert_eq!(records[0].append, records[1].append);
}

#[tokio::test]
async fn an_older_epoch_is_fenced() {
    let bench = Bench::new();
    let store = &bench.store;
    let (session, head) = owned(store, 1).await;
    let append = owner(session, head.seq, 0, "o", vec![notice("n")]);
    let error = store.append(append).await.unwrap_err();
    assert!(matches!(error, LogError::Fenced { ours: Epoch(0), current: Epoch(1), .. }), "{error}");
    store.release(release(session, 1, 2)).await.unwrap();
    store.release(release(session, 1, 2)).await.unwrap();
    let append = owner(session, Seq(3), 1, "o", vec![notice("n")]);
    assert_io(&store.append(append).await.unwrap_err(), "not owned by this process");
    assert_eq!(whole(store, session).await.len(), 3);
}

#[tokio::test]
async fn what_does_not_fit_together_is_refused_with_a_reason() {
    let bench = Bench::new();
    let store = &bench.store;
    let (session, head) = owned(store, 1).await;
    let acquired = Event::from(OwnerAcquired { epoch: Epoch(9), owner: "x".into() });
    let mut nobody = client(session, "k", vec![interrupt()]);
    nobody.by = None;
    let mut both = owner(session, head.seq, 1, "o", vec![notice("n")]);
    both.by = Some(crate::support::by());
    let mut wrong_blob = client(session, "k", vec![interrupt()]);
    wrong_blob.blobs.push(onward_port::Blob { hash: onward_event::Digest::ZERO, bytes: "x".into() });
    let cases = [
        (client(session, "k", vec![notice("n")]), "a notice/added is the owner's"),
        (owner(session, head.seq, 1, "o", vec![interrupt()]), "a interrupt/requested is a client's"),
        (owner(session, head.seq, 1, "o", vec![acquired]), "by acquiring or releasing"),
        (client(session, "k", vec![crate::support::created(session).into()]), "by creating"),
        (client(session, "k", vec![]), "no events"),
        (nobody, "by whom"),
        (both, "names no client"),
        (wrong_blob, "not what its digest"),
    ];
    for (append, why) in cases {
        assert_io(&store.append(append).await.unwrap_err(), why);
    }
    assert_eq!(whole(store, session).await.len(), 2);
    // A key whose append was refused is still free.
    assert_eq!(committed(store, client(session, "k", vec![interrupt()])).await.0, Seq(3));
}

#[tokio::test]
async fn a_session_that_is_not_there_is_named() {
    let bench = Bench::new();
    let store = &bench.store;
    let gone = session(404);
    let errors = [
        store.append(client(gone, "k", vec![interrupt()])).await.unwrap_err(),
        store.read(gone, Seq(0), 1).await.unwrap_err(),
        store.head(gone).await.unwrap_err(),
        store.sync(gone, Seq(1)).await.unwrap_err(),
        store.acquire(gone, "me".into(), id("a"), now(0)).await.unwrap_err(),
        store.release(release(gone, 1, 2)).await.unwrap_err(),
    ];
    for error in errors {
        assert!(matches!(error, LogError::NoSession(session) if session == gone), "{error}");
    }
}

#[tokio::test]
async fn syncing_what_is_not_there_is_an_error_and_syncing_twice_is_not() {
    let bench = Bench::new();
    let (session, head) = owned(&bench.store, 1).await;
    bench.store.sync(session, head.seq).await.unwrap();
    committed(&bench.store, client(session, "k", vec![interrupt()])).await;
    bench.store.sync(session, Seq(3)).await.unwrap();
    bench.store.sync(session, Seq(3)).await.unwrap();
    assert_io(&bench.store.sync(session, Seq(4)).await.unwrap_err(), "no record 4");
}

#[tokio::test]
async fn a_large_record_and_any_text_are_kept_as_they_are() {
    let bench = Bench::new();
    let session = session(1);
    bench.store.create(create(session)).await.unwrap();
    let texts = ["", "\u{0}\u{1}\"\\", "é€😀", &"x".repeat(3_000_000)];
    for (n, text) in texts.iter().enumerate() {
        committed(&bench.store, client(session, &format!("k{n}"), vec![message(text)])).await;
    }
    let records: Vec<Record> = whole(&bench.store, session).await;
    for (record, text) in records[1..].iter().zip(texts) {
        assert_eq!(record.event, message(text));
    }
}

#[tokio::test]
async fn the_list_shows_every_session_the_latest_first() {
    let bench = Bench::new();
    for n in 1..=3 {
        bench.store.create(create(session(n))).await.unwrap();
    }
    let mut late = client(session(1), "k", vec![interrupt()]);
    late.at = now(99);
    committed(&bench.store, late).await;
    let list = bench.store.sessions().await.unwrap();
    let order: Vec<u128> = list.iter().map(|line| line.session.bits()).collect();
    assert_eq!(order, [1, 3, 2]);
    assert_eq!(list[0].head, bench.store.head(session(1)).await.unwrap());
    assert_eq!((list[0].created, list[0].updated), (now(0), now(99)));
    assert_eq!(list[0].spec, crate::support::created(session(1)).spec);
    assert_eq!(list[0].workspace.root, "/w");
}
