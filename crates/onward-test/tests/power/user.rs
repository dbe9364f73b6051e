//! Whoever works with the store: random acts of an owner and of clients, and a note of each promise.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::{Result, ensure};
use onward_event::{AppendId, Epoch, Seq, SessionId};
use onward_port::{Append, Appended, Blob, Expect, Log, PutSnapshot, Release, Released, SideChunk};
use onward_sqlite::SqliteStore;
use onward_test::power::{Chance, Disk, Machine};
use tokio::task::JoinSet;

use crate::events::{append, create, message, notice, now, text};
use crate::truth::Promise;

/// So many sessions are worked on.
const SESSIONS: usize = 3;

/// The version of the folds that are stored.
pub(crate) const FOLD: u32 = 1;

/// The user of one life.
pub(crate) struct User<'a> {
    machine: &'a Machine,
    pub(crate) store: SqliteStore,
    chance: Chance,
    /// Makes the ids of this life its own.
    life: usize,
    acts: usize,
    pub(crate) known: BTreeMap<SessionId, Known>,
    pub(crate) promises: Vec<Promise>,
    pub(crate) appends: BTreeMap<AppendId, Append>,
}

/// What the user knows of a session.
#[derive(Default)]
pub(crate) struct Known {
    pub(crate) head: Seq,
    /// Present while the session is owned.
    pub(crate) epoch: Option<Epoch>,
    /// Side streams that were begun.
    pub(crate) scopes: Vec<String>,
}

impl<'a> User<'a> {
    pub(crate) fn new(machine: &'a Machine, store: SqliteStore, seed: u64, life: usize) -> Self {
        Self {
            machine,
            store,
            chance: Chance::new(seed),
            life,
            acts: 0,
            known: BTreeMap::new(),
            promises: Vec::new(),
            appends: BTreeMap::new(),
        }
    }

    /// Does so many random things.
    pub(crate) async fn work(&mut self, acts: usize) -> Result<()> {
        for _ in 0..acts {
            self.act().await?;
        }
        Ok(())
    }

    async fn act(&mut self) -> Result<()> {
        let Some(session) = self.any_session() else { return self.create().await };
        let owned = self.known.get(&session).is_some_and(|known| known.epoch.is_some());
        match self.chance.below(20) {
            0 if self.known.len() < SESSIONS => self.create().await,
            0 | 1 => self.checkpoint(),
            2 if self.chance.one_in(3) => self.restart().await,
            2 | 3 => self.group().await,
            4 if self.chance.one_in(2) => self.put_side(session).await,
            4 => self.put_snapshot(session).await,
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

    pub(crate) async fn create(&mut self) -> Result<()> {
        let session = SessionId::from_bits(self.chance.any().into());
        let events = (0..self.chance.below(3)).map(|_| message(&mut self.chance)).collect();
        let create = create(session, self.id("create"), events);
        let head = self.store.create(create).await?;
        self.promise(session, head.seq);
        self.known.insert(session, Known { head: head.seq, ..Known::default() });
        Ok(())
    }

    pub(crate) async fn acquire(&mut self, session: SessionId) -> Result<Epoch> {
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
            let release = Release { session, epoch, seen: known.head, id, at: now() };
            ensure!(
                self.store.release(release).await? == Released::Free,
                "{session} has more than its owner saw"
            );
            known.head = self.store.head(session).await?.seq;
        }
        Ok(())
    }

    async fn sync(&mut self, session: SessionId) -> Result<()> {
        let head = self.head(session);
        self.store.sync(session, head).await?;
        self.promise(session, head);
        Ok(())
    }

    async fn put_side(&mut self, session: SessionId) -> Result<()> {
        let scope = self.id("scope").0;
        let text = text(&mut self.chance);
        self.store.put_side(session, scope.clone(), SideChunk { n: 0, text }).await?;
        self.known.entry(session).or_default().scopes.push(scope);
        Ok(())
    }

    /// A stored fold, which says of which record it is.
    async fn put_snapshot(&mut self, session: SessionId) -> Result<()> {
        let head = self.store.head(session).await?;
        let state = head.hash.0.to_vec();
        let pieces = (0..self.chance.below(4)).map(|_| text(&mut self.chance).into_bytes()).collect();
        let put = PutSnapshot { session, version: FOLD, head, state, keep: None, pieces };
        Ok(self.store.put_snapshot(put).await?)
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
        while let Some(done) = running.join_next().await {
            self.note(done??);
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

    pub(crate) async fn appended(&mut self, append: Append) -> Result<()> {
        let done = noted(self.store.clone(), self.machine.disk().clone(), append).await?;
        self.note(done);
        Ok(())
    }

    fn note(&mut self, done: Noted) {
        let Some(committed) = done.committed else { return };
        let known = self.known.entry(committed.session).or_default();
        known.head = committed.through.max(known.head);
        if done.synced {
            self.promises.push(committed);
        }
    }

    pub(crate) fn owners(&mut self, session: SessionId, sync: bool) -> Option<Append> {
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

    pub(crate) fn remember(&mut self, append: Append) -> Append {
        self.appends.insert(append.id.clone(), append.clone());
        append
    }

    pub(crate) fn promise(&mut self, session: SessionId, through: Seq) {
        self.promises.push(Promise { at: self.position(), session, through });
    }

    pub(crate) fn head(&self, session: SessionId) -> Seq {
        self.known.get(&session).map(|known| known.head).unwrap_or_default()
    }

    fn position(&self) -> usize {
        self.machine.disk().position()
    }

    pub(crate) fn any_session(&mut self) -> Option<SessionId> {
        let sessions: Vec<SessionId> = self.known.keys().copied().collect();
        self.chance.pick(&sessions).copied()
    }

    fn id(&mut self, what: &str) -> AppendId {
        self.acts += 1;
        AppendId(format!("{what}-{}-{}", self.life, self.acts))
    }
}

/// An append that was answered.
struct Noted {
    /// Where the session ended then, and when that was; `None` after a conflict: the owner's append met a client's, and
    /// nothing was written.
    committed: Option<Promise>,
    /// Whether the answer is a promise.
    synced: bool,
}

async fn noted(store: SqliteStore, disk: Arc<Disk>, append: Append) -> Result<Noted> {
    let (session, synced) = (append.session, append.sync);
    let appended = store.append(append).await?;
    let at = disk.position();
    let committed = match appended {
        Appended::Committed { head, .. } => Some(Promise { at, session, through: head.seq }),
        Appended::Conflict { .. } => None,
    };
    Ok(Noted { committed, synced })
}

/// Content that lies within the database. What is larger is a file beside it, which is not on this disk.
fn content(chance: &mut Chance) -> Blob {
    let words = chance.below(1_500);
    Blob::new((0..words).flat_map(|_| chance.any().to_le_bytes()).collect::<Vec<u8>>())
}
