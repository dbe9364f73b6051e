//! The way of one process, or of a person, to the store.
//!
//! An append is on its way even when its author dies meanwhile: it arrives, and may then be that of an owner who has
//! lost the session. On its way it can meet a full disk, or be one of which nobody knows whether it arrived.

use std::sync::Arc;

use bytes::Bytes;
use onward_event::{AppendId, Digest, Epoch, Seq, SessionId, Timestamp};
use onward_port::{
    Append, Appended, Blobs, BoxFuture, Create, Head, Log, LogError, Release, Released, SessionSummary,
    SideChunk, StoredRecord,
};

use super::fault::{Fault, Place};
use super::process::Process;
use super::world::{Dice, Planted, Weather, World};

/// A log and its content, as one process sees them; a person has no process that could die.
pub(super) struct Door {
    pub(super) world: Arc<World>,
    pub(super) process: Option<Arc<Process>>,
}

impl Door {
    async fn pass(&self, at: Place) {
        if let Some(process) = &self.process {
            process.pass(at).await;
        }
    }

    /// A thing that is asked and changes nothing.
    async fn ask<T>(&self, answer: impl FnOnce(&World) -> T) -> T {
        if let Some(process) = &self.process {
            process.breathe().await;
        }
        self.world.lag().await;
        let answer = answer(&self.world);
        if let Some(process) = &self.process {
            process.breathe().await;
        }
        answer
    }

    /// Passes the places around something that goes on without its author.
    async fn around<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, LogError>> + Send + 'static,
    ) -> Result<T, LogError> {
        self.pass(Place::BeforeCommit).await;
        // Dropping the handle leaves the work on its way.
        let done = tokio::spawn(work).await;
        self.pass(Place::AfterCommit).await;
        done.unwrap_or_else(|_| Err(LogError::Ambiguous("the store has panicked".into())))
    }
}

impl Log for Door {
    fn create(&self, create: Create) -> BoxFuture<'_, Result<Head, LogError>> {
        Box::pin(self.ask(|world| world.store.create(create)))
    }

    fn acquire(
        &self,
        _: SessionId,
        owner: String,
        id: AppendId,
        at: Timestamp,
    ) -> BoxFuture<'_, Result<Epoch, LogError>> {
        let Some(process) = self.process.clone() else {
            return Box::pin(std::future::ready(Err(LogError::Io("a person owns no session".into()))));
        };
        let world = self.world.clone();
        Box::pin(self.around(async move {
            arrive(&world).await?;
            let acquired = world.store.acquire(&process, owner, id, at);
            if matches!(acquired, Err(LogError::Owned { .. })) {
                world.saw(Fault::Contended);
            }
            acquired
        }))
    }

    fn release(&self, release: Release) -> BoxFuture<'_, Result<Released, LogError>> {
        let world = self.world.clone();
        Box::pin(self.around(async move {
            arrive(&world).await?;
            world.store.release(release)
        }))
    }

    fn append(&self, append: Append) -> BoxFuture<'_, Result<Appended, LogError>> {
        let (world, process) = (self.world.clone(), self.process.clone());
        Box::pin(self.around(async move {
            let appended = commit(world, append).await;
            if let (Some(process), Ok(Appended::Committed { first, head })) = (process, &appended)
                && process.world.planted == Planted::ClaimsBeside
            {
                tokio::spawn(claims_follow(process, *first, head.seq));
            }
            appended
        }))
    }

    fn read(
        &self,
        _: SessionId,
        after: Seq,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<StoredRecord>, LogError>> {
        Box::pin(self.ask(move |world| Ok(world.store.read(after, limit))))
    }

    fn head(&self, _: SessionId) -> BoxFuture<'_, Result<Head, LogError>> {
        Box::pin(self.ask(|world| Ok(world.store.head())))
    }

    fn changed(&self, _: SessionId, after: Seq) -> BoxFuture<'_, ()> {
        let mut watch = self.world.store.watch();
        Box::pin(async move {
            while self.world.store.head().seq <= after {
                if watch.changed().await.is_err() {
                    return;
                }
            }
            if let Some(process) = &self.process {
                process.breathe().await;
            }
        })
    }

    /// There is one session, and whoever needs it knows its id.
    fn sessions(&self) -> BoxFuture<'_, Result<Vec<SessionSummary>, LogError>> {
        Box::pin(std::future::ready(Ok(Vec::new())))
    }

    fn put_side(&self, _: SessionId, scope: String, chunk: SideChunk) -> BoxFuture<'_, Result<(), LogError>> {
        Box::pin(self.ask(move |world| {
            world.store.put_side(scope, chunk);
            Ok(())
        }))
    }

    fn side(
        &self,
        _: SessionId,
        scope: String,
        from: u64,
    ) -> BoxFuture<'_, Result<Vec<SideChunk>, LogError>> {
        Box::pin(self.ask(move |world| Ok(world.store.side(&scope, from))))
    }
}

impl Blobs for Door {
    fn get(&self, hash: Digest) -> BoxFuture<'_, Result<Option<Bytes>, LogError>> {
        Box::pin(self.ask(move |world| Ok(world.store.blob(hash))))
    }
}

/// From the author's call to the answer, which the author may not live to hear.
async fn commit(world: Arc<World>, append: Append) -> Result<Appended, LogError> {
    arrive(&world).await?;
    let synced = append.sync;
    let ambiguous = |what: &str| Err(LogError::Ambiguous(what.into()));
    let answer = match world.weather() {
        Weather::Fair => world.store.append(append),
        Weather::Full => {
            return Err(LogError::Full { what: "an append".into(), path: "/simulated".into() });
        }
        Weather::AppendLost => return ambiguous("the connection broke"),
        Weather::AnswerLost => {
            let _ = world.store.append(append);
            return ambiguous("the connection broke");
        }
    };
    if matches!(answer, Err(LogError::Fenced { .. })) {
        world.saw(Fault::Fenced);
    }
    if let Ok(Appended::Committed { head, .. }) = &answer
        && synced
    {
        arrive(&world).await?;
        world.store.sync(head.seq);
    }
    answer
}

/// The second append of a planted defect: by the process that made the first, if it lives for long enough.
async fn claims_follow(process: Arc<Process>, first: Seq, last: Seq) {
    tokio::time::sleep(process.world.between(Dice::Lags, 0, 40)).await;
    process.pass(Place::BeforeCommit).await;
    process.world.store.claims_arrive(first, last);
}

/// The way to the store, on which the power can fail.
async fn arrive(world: &World) -> Result<(), LogError> {
    let losses = world.store.losses();
    world.lag().await;
    match world.store.losses() == losses {
        true => Ok(()),
        false => Err(LogError::Ambiguous("the power failed".into())),
    }
}
