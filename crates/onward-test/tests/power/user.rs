//! Whoever works with the store: random acts of an owner and of clients, and a note of each promise.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use onward_event::{AppendId, Epoch, Seq, SessionId};
use onward_port::{Append, Appended, Blob, Expect, Log, SideChunk};
use onward_sqlite::SqliteStore;
use onward_test::power::{Chance, Disk, Machine};
use tokio::task::JoinSet;

use crate::events::{append, create, message, notice, now};
use crate::truth::{Expected, Promise};

/// So many sessions are worked on.
const SESSIONS: usize = 3;

/// The user of one life.
pub(crate) struct User<'a> {
    machine: &'a Machine,
    pub(crate) store: SqliteStore,
    chance: Chance,
    /// Makes the ids of this life its own.
    life: String,
    acts: usize,
    known: BTreeMap<SessionId, Known>,
    pub(crate) promises: Vec<Promise>,
    pub(crate) appends: BTreeMap<AppendId, Append>,
}

/// What the user knows of a session.
#[derive(Default)]
struct Known {
    head: Seq,
    /// Present while the session is owned.
    epoch: Option<Epoch>,
    /// Side streams that were begun.
    scopes: Vec<String>,
}

impl<'a> User<'a> {
    pub(crate) fn new(machine: &'a Machine, store: SqliteStore, seed: u64, life: &str) -> Self {
        Self {
            machine,
            store,
            chance: Chance::new(seed),
            life: life.to_owned(),
            acts: 0,
            known: BTreeMap::new(),
            promises: Vec::new(),
            appends: BTreeMap::new(),
        }
    }

    /// Does so many random things.
    pub(crate) async fn work(&mut self, acts: usize) -> Result<()> {
        self.create().await?;
        for _ in 0..acts {
            self.act().await?;
        }
        Ok(())
    }

    /// Goes on with what survived: repeats what clients sent, takes each session over, and appends to it.
    pub(crate) async fn go_on(&mut self, expected: &Expected<'_>) -> Result<()> {
        for summary in self.store.sessions().await? {
            let session = summary.session;
            self.known.insert(session, Known { head: summary.head.seq, ..Known::default() });
            self.repeat_clients(session, expected).await?;
            self.take_over(session, expected).await?;
            let append = self.owners(session, true).context("the session is owned")?;
            self.appended(append).await?;
        }
        self.create().await
    }

    async fn act(&mut self) -> Result<()> {
        let Some(session) = self.any_session() else { return self.create().await };
        let owned = self.known.get(&session).is_some_and(|known| known.epoch.is_some());
        match self.chance.below(20) {
            0 if self.known.len() < SESSIONS => self.create().await,
            0 | 1 => self.checkpoint(),
            2 if self.chance.one_in(3) => self.restart().await,
            2 | 3 => self.group().await,
            4 => self.put_side(session).await,
            5 => self.sync(session).await,
            6 if owned && self.chance.one_in(2) => self.release(session).await,
            7..=9 => {
                let append = self.clients(session);
                self.appended(append).await
            }
            _ if !owned => self.acquire(session).await.map(drop),
            n => match self.owners(session, n % 2 == 0) {
                Some(append) => self.appended(append).await,
                None => Ok(()),
            },
        }
    }

    async fn create(&mut self) -> Result<()> {
        let session = SessionId::from_bits(self.chance.any().into());
        let events = (0..self.chance.below(3)).map(|_| message(&mut self.chance)).collect();
        let create = create(session, self.id("create"), events);
        let head = self.store.create(create).await?;
        self.promise(session, head.seq);
        self.known.insert(session, Known { head: head.seq, ..Known::default() });
        Ok(())
    }

    async fn acquire(&mut self, session: SessionId) -> Result<Epoch> {
        let id = self.id("acquire");
        let epoch = self.store.acquire(session, "tester".into(), id, now()).await?;
        let at = self.position();
        let head = self.store.head(session).await?.seq;
        self.promises.push(Promise { at, session, through: head });
        let known = self.known.entry(session).or_default();
        (known.head, known.epoch) = (head, Some(epoch));
        Ok(epoch)
    }

    async fn release(&mut self, session: SessionId) -> Result<()> {
        let id = self.id("release");
        let Some(known) = self.known.get_mut(&session) else { return Ok(()) };
        if let Some(epoch) = known.epoch.take() {
            self.store.release(session, epoch, id, now()).await?;
            known.head = self.store.head(session).await?.seq;
        }
        Ok(())
    }

    async fn sync(&mut self, session: SessionId) -> Result<()> {
        let head = self.known.get(&session).map(|known| known.head).unwrap_or_default();
        self.store.sync(session, head).await?;
        self.promise(session, head);
        Ok(())
    }

    async fn put_side(&mut self, session: SessionId) -> Result<()> {
        let scope = self.id("scope").0;
        let text = crate::events::text(&mut self.chance);
        self.store.put_side(session, scope.clone(), SideChunk { n: 0, text }).await?;
        self.known.entry(session).or_default().scopes.push(scope);
        Ok(())
    }

    /// Several appends at once, of several sessions, so that some of them share a transaction.
    async fn group(&mut self) -> Result<()> {
        let sessions: Vec<SessionId> = self.known.keys().copied().collect();
        let mut running = JoinSet::new();
        for session in sessions {
            let sync = self.chance.one_in(2);
            let owners = self.owners(session, sync);
            let clients = self.chance.one_in(2).then(|| self.clients(session));
            for append in [owners, clients].into_iter().flatten() {
                let (store, disk) = (self.store.clone(), self.machine.disk().clone());
                running.spawn(noted(store, disk, append));
            }
        }
        while let Some(promise) = running.join_next().await {
            self.promises.extend(promise??);
        }
        for (session, known) in &mut self.known {
            known.head = self.store.head(*session).await?.seq;
        }
        Ok(())
    }

    /// Another program moves the log into the database, in any of the ways that there are.
    fn checkpoint(&mut self) -> Result<()> {
        let mode = ["PASSIVE", "FULL", "RESTART", "TRUNCATE"][self.chance.below(4)];
        let conn = self.machine.connect("onward.db")?;
        conn.query_row(&format!("PRAGMA wal_checkpoint({mode})"), [], |_| Ok(()))?;
        Ok(())
    }

    /// The process ends in order and another begins.
    async fn restart(&mut self) -> Result<()> {
        self.store.close();
        self.store = self.machine.open()?;
        self.known.values_mut().for_each(|known| known.epoch = None);
        Ok(())
    }

    async fn appended(&mut self, append: Append) -> Result<()> {
        let session = append.session;
        let promise = noted(self.store.clone(), self.machine.disk().clone(), append).await?;
        self.promises.extend(promise);
        self.known.entry(session).or_default().head = self.store.head(session).await?.seq;
        Ok(())
    }

    /// A client that was not answered sends again: what survived is not appended twice, what did not is appended.
    async fn repeat_clients(&mut self, session: SessionId, expected: &Expected<'_>) -> Result<()> {
        let Some(truth) = expected.truth else { return Ok(()) };
        let is_clients = |append: &&Append| append.session == session && append.expect == Expect::Any;
        for again in truth.appends.values().filter(is_clients) {
            let head = self.store.head(session).await?.seq;
            let survived = expected.log(session).iter().position(|entry| entry.append == again.id);
            let survived = survived.map(|before| Seq(before as u64 + 1)).filter(|first| *first <= head);
            let Appended::Committed { first, .. } = self.store.append(again.clone()).await? else {
                anyhow::bail!("a client's append met a conflict")
            };
            let right = survived.unwrap_or(head.next());
            ensure!(first == right, "append {:?} is at {first} now, not at {right}", again.id.0);
            if survived.is_some() {
                ensure!(self.store.head(session).await?.seq == head, "append {:?} is there twice", again.id.0);
            }
            // Answered, so on disk, now at the latest; but only up to that append.
            let end = first.0 + again.events.len() as u64 - 1;
            self.promise(session, Seq(end));
            self.appends.insert(again.id.clone(), again.clone());
        }
        Ok(())
    }

    async fn take_over(&mut self, session: SessionId, expected: &Expected<'_>) -> Result<()> {
        let head = self.known.get(&session).map(|known| known.head.0).unwrap_or_default();
        let survived = expected.log(session).iter().filter(|entry| entry.stored.seq.0 <= head);
        let before = survived.filter_map(|entry| entry.acquired).max().unwrap_or_default();
        let epoch = self.acquire(session).await.with_context(|| format!("taking over {session}"))?;
        ensure!(epoch == Epoch(before.0 + 1), "{session}: epoch {epoch:?} follows {before:?}");
        Ok(())
    }

    fn owners(&mut self, session: SessionId, sync: bool) -> Option<Append> {
        let id = self.id("owner");
        let Self { chance, known, .. } = self;
        let known = known.get_mut(&session)?;
        let expect = Expect::Head { seq: known.head, epoch: known.epoch? };
        let events = (0..=chance.below(3)).map(|_| notice(chance)).collect();
        let blobs = if chance.one_in(4) { vec![content(chance)] } else { Vec::new() };
        let ends_side = if chance.one_in(3) { std::mem::take(&mut known.scopes) } else { Vec::new() };
        let append = Append { blobs, ends_side, sync, ..append(session, expect, id, events) };
        Some(self.remember(append))
    }

    fn clients(&mut self, session: SessionId) -> Append {
        let id = self.id("client");
        let events = (0..=self.chance.below(2)).map(|_| message(&mut self.chance)).collect();
        let append = append(session, Expect::Any, id, events);
        self.remember(append)
    }

    fn remember(&mut self, append: Append) -> Append {
        self.appends.insert(append.id.clone(), append.clone());
        append
    }

    fn promise(&mut self, session: SessionId, through: Seq) {
        self.promises.push(Promise { at: self.position(), session, through });
    }

    fn position(&self) -> usize {
        self.machine.disk().position()
    }

    fn any_session(&mut self) -> Option<SessionId> {
        let sessions: Vec<SessionId> = self.known.keys().copied().collect();
        self.chance.pick(&sessions).copied()
    }

    fn id(&mut self, what: &str) -> AppendId {
        self.acts += 1;
        AppendId(format!("{}-{what}-{}", self.life, self.acts))
    }
}

/// Appends; the promise that the answer is, if it is one.
async fn noted(store: SqliteStore, disk: Arc<Disk>, append: Append) -> Result<Option<Promise>> {
    let (session, sync) = (append.session, append.sync);
    let appended = store.append(append).await?;
    let at = disk.position();
    Ok(match appended {
        Appended::Committed { head, .. } if sync => Some(Promise { at, session, through: head.seq }),
        // Two at once: the owner's append met the client's, and nothing was written.
        Appended::Committed { .. } | Appended::Conflict { .. } => None,
    })
}

/// Content that lies within the database. What is larger is a file beside it, which is not on this disk.
fn content(chance: &mut Chance) -> Blob {
    let len = chance.below(30_000);
    Blob::new((0..len).map(|_| chance.any().to_le_bytes()[0]).collect::<Vec<u8>>())
}
