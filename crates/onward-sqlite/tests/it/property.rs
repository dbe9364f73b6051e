//! Whatever an owner and clients do, in whatever order: the log stays contiguous and chained, and holds exactly what
//! was acknowledged.

use std::collections::BTreeMap;

use onward_event::{Epoch, Seq};
use onward_port::{Appended, Log, LogError, Release};
use onward_sqlite::SqliteStore;
use proptest::prelude::*;

use crate::support::{Bench, client, create, id, interrupt, notice, now, open, owner, session, whole};

#[derive(Clone, Debug)]
enum Act {
    /// A client appends under one of a few keys.
    Client {
        key: u8,
        events: usize,
    },
    /// The owner appends, knowing the log up to so many records before its end.
    Owner {
        behind: u64,
        events: usize,
    },
    Acquire,
    Release,
    /// The process ends and another begins.
    Restart,
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        4 => (0u8..6, 1usize..4).prop_map(|(key, events)| Act::Client { key, events }),
        4 => (0u64..3, 1usize..4).prop_map(|(behind, events)| Act::Owner { behind, events }),
        2 => Just(Act::Acquire),
        1 => Just(Act::Release),
        1 => Just(Act::Restart),
    ]
}

/// What the log must hold: which append each record came with.
struct Model {
    log: Vec<String>,
    keys: BTreeMap<u8, (u64, u64)>,
    epoch: u64,
    owned: bool,
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_log_is_what_was_acknowledged(acts in prop::collection::vec(act(), 1..40)) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(play(acts));
    }
}

async fn play(acts: Vec<Act>) {
    let Bench { mut store, folder } = Bench::new();
    let mut model = Model { log: vec!["create".into()], keys: BTreeMap::new(), epoch: 0, owned: false };
    let mut first = create(session(1));
    first.id = id("create");
    store.create(first).await.unwrap();
    for (n, act) in acts.into_iter().enumerate() {
        if matches!(act, Act::Restart) {
            store.close();
            store = open(folder.path());
            model.owned = false;
        } else {
            model.step(&store, n, act).await;
        }
    }
    let records = whole(&store, session(1)).await;
    let appends: Vec<&str> = records.iter().map(|record| record.append.0.as_str()).collect();
    assert_eq!(appends, model.log);
}

impl Model {
    async fn step(&mut self, store: &SqliteStore, n: usize, act: Act) {
        let name = format!("act-{n}");
        let s = session(1);
        match act {
            Act::Client { key, events } => {
                let name = format!("key-{key}");
                let append = client(s, &name, vec![interrupt(); events]);
                let Ok(Appended::Committed { first, head }) = store.append(append).await else {
                    panic!("a client's append is always taken")
                };
                let known = self.keys.get(&key).copied();
                let expected = known.unwrap_or_else(|| self.add(&name, events));
                self.keys.insert(key, expected);
                assert_eq!((first.0, head.seq.0), expected);
            }
            Act::Owner { behind, events } => {
                let end = self.log.len() as u64;
                let append =
                    owner(s, Seq(end - behind.min(end)), self.epoch, &name, vec![notice("n"); events]);
                match store.append(append).await {
                    Ok(Appended::Committed { first, head }) => {
                        assert!(self.owned && behind == 0);
                        assert_eq!((first.0, head.seq.0), self.add(&name, events));
                    }
                    Ok(Appended::Conflict { missed }) => {
                        assert!(self.owned && missed.len() as u64 == behind.min(end));
                    }
                    Err(error) => assert!(!self.owned, "{error}"),
                }
            }
            Act::Acquire => match store.acquire(s, "me".into(), id(name.clone()), now(1)).await {
                Ok(epoch) => {
                    assert!(!self.owned);
                    self.epoch += 1;
                    self.owned = true;
                    assert_eq!(epoch, Epoch(self.epoch));
                    self.add(&name, 1);
                }
                Err(error) => assert!(self.owned && matches!(error, LogError::Owned { .. }), "{error}"),
            },
            Act::Release => {
                let released = store
                    .release(Release {
                        session: s,
                        epoch: Epoch(self.epoch),
                        seen: store.head(s).await.unwrap().seq,
                        id: id(name.clone()),
                        at: now(1),
                    })
                    .await;
                if self.owned {
                    released.unwrap();
                    self.owned = false;
                    self.add(&name, 1);
                }
            }
            Act::Restart => {}
        }
    }

    fn add(&mut self, name: &str, events: usize) -> (u64, u64) {
        let first = self.log.len() as u64 + 1;
        self.log.extend(std::iter::repeat_n(name.to_owned(), events));
        (first, self.log.len() as u64)
    }
}
