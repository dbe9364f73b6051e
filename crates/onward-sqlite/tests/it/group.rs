//! Group commit: many sessions at once, each with its own outcome.

use std::sync::Arc;

use onward_event::Seq;
use onward_port::{Append, Appended, Log};

use crate::support::{
    Bench, client, committed, create, interrupt, message, notice, owned, owner, session, whole,
};

const SESSIONS: u128 = 40;
const APPENDS: u64 = 25;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_append_of_many_sessions_is_acknowledged_and_in_its_log() {
    let bench = Bench::new();
    let store = &bench.store;
    let mut tasks = Vec::new();
    for n in 1..=SESSIONS {
        let (session, head) = owned(store, n).await;
        let owning = store.clone();
        let feeding = store.clone();
        tasks.push(tokio::spawn(async move {
            let mut seq = head.seq;
            let mut done = 0;
            while done < APPENDS {
                let append = owner(session, seq, 1, &format!("o{done}"), vec![notice("a"), notice("b")]);
                match owning.append(Append { sync: done.is_multiple_of(2), ..append }).await.unwrap() {
                    Appended::Committed { first, head } => {
                        assert_eq!((first, head.seq), (seq.next(), Seq(seq.0 + 2)));
                        seq = head.seq;
                        done += 1;
                    }
                    Appended::Conflict { missed } => seq = missed.last().unwrap().seq,
                }
            }
        }));
        tasks.push(tokio::spawn(async move {
            for k in 0..APPENDS {
                let append = client(session, &format!("c{k}"), vec![message("m")]);
                committed(&feeding, Append { sync: k.is_multiple_of(3), ..append }).await;
            }
        }));
    }
    for task in tasks {
        task.await.unwrap();
    }
    for n in 1..=SESSIONS {
        assert_eq!(whole(store, session(n)).await.len() as u64, 2 + 3 * APPENDS);
    }
}

#[tokio::test]
async fn a_refused_append_fails_nobody_beside_it() {
    let bench = Bench::new();
    let store = Arc::new(bench.store.clone());
    let (mine, head) = owned(&store, 1).await;
    store.create(create(session(2))).await.unwrap();
    committed(&store, client(mine, "first", vec![interrupt()])).await;
    // Polled together, so that they are queued before the writer takes the first.
    let (conflict, missing, fenced, fine, also) = tokio::join!(
        store.append(owner(mine, head.seq, 1, "o", vec![notice("n")])),
        store.append(client(session(404), "k", vec![interrupt()])),
        store.append(owner(mine, Seq(3), 7, "o", vec![notice("n")])),
        store.append(client(session(2), "k", vec![interrupt()])),
        store.append(client(mine, "second", vec![interrupt()])),
    );
    assert!(matches!(conflict, Ok(Appended::Conflict { missed }) if !missed.is_empty()));
    assert!(missing.is_err() && fenced.is_err());
    assert!(matches!(fine, Ok(Appended::Committed { first: Seq(2), .. })));
    assert!(matches!(also, Ok(Appended::Committed { first: Seq(4), .. })));
    assert_eq!(whole(&store, mine).await.len(), 4);
    assert_eq!(whole(&store, session(2)).await.len(), 2);
}

#[tokio::test]
async fn an_append_that_nobody_waits_for_is_done_all_the_same() {
    let bench = Bench::new();
    let session = session(1);
    bench.store.create(create(session)).await.unwrap();
    let mut append = bench.store.append(client(session, "k", vec![interrupt()]));
    // One poll queues it.
    let polled = std::future::poll_fn(|cx| std::task::Poll::Ready(append.as_mut().poll(cx).is_ready())).await;
    drop(append);
    let _ = polled;
    assert_eq!(committed(&bench.store, client(session, "k", vec![interrupt()])).await.0, Seq(2));
    bench.store.close();
    assert_eq!(whole(&crate::support::open(bench.path()), session).await.len(), 2);
}
