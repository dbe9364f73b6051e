//! [`Log`]: what is asked on the caller's side, and handed to the threads.

use onward_event::{AppendId, Epoch, Seq, SessionId, Timestamp};
use onward_port::{
    Append, Appended, Blob, BoxFuture, Create, Expect, Head, Log, LogError, PutSnapshot, Release, Released,
    SessionSummary, SideChunk, Snapshot, StoredRecord,
};
use tokio::sync::oneshot;

use crate::draft::{Draft, INLINE_BYTES};
use crate::fault::refuses_writes;
use crate::pool::closed;
use crate::queue::Queue;
use crate::request::{Done, Job, Order, Outcome, Request, Setup, SidePut};
use crate::store::SqliteStore;
use crate::{blob_files, missed, query, snapshot};

impl Log for SqliteStore {
    fn create(&self, create: Create) -> BoxFuture<'_, Result<Head, LogError>> {
        Box::pin(async move {
            let as_json = |error: serde_json::Error| LogError::Io(format!("serialising a session: {error}"));
            let setup = Setup {
                spec: serde_json::to_string(&create.created.spec).map_err(as_json)?,
                workspace: serde_json::to_string(&create.created.workspace).map_err(as_json)?,
            };
            let done = self.ask(Request::Create(Draft::of_create(&create)?, setup)).await?;
            Ok(done.head)
        })
    }

    fn acquire(
        &self,
        session: SessionId,
        owner: String,
        id: AppendId,
        at: Timestamp,
    ) -> BoxFuture<'_, Result<Epoch, LogError>> {
        Box::pin(async move {
            let done = self.ask(Request::Acquire { session, owner, id, at }).await?;
            Ok(done.epoch)
        })
    }

    fn release(&self, release: Release) -> BoxFuture<'_, Result<Released, LogError>> {
        Box::pin(async move {
            match self.submit(Request::Release(release)).await? {
                Outcome::Done(_) => Ok(Released::Free),
                Outcome::Behind | Outcome::Missed { .. } => Ok(Released::Behind),
            }
        })
    }

    fn append(&self, append: Append) -> BoxFuture<'_, Result<Appended, LogError>> {
        Box::pin(self.append_one(append))
    }

    fn read(
        &self,
        session: SessionId,
        after: Seq,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<StoredRecord>, LogError>> {
        Box::pin(
            self.parts.pool.run(move |reader| reader.with(|conn| query::read(conn, session, after, limit))),
        )
    }

    fn head(&self, session: SessionId) -> BoxFuture<'_, Result<Head, LogError>> {
        Box::pin(self.parts.pool.run(move |reader| reader.with(|conn| query::head(conn, session))))
    }

    fn changed(&self, session: SessionId, after: Seq) -> BoxFuture<'_, ()> {
        Box::pin(self.parts.watch.beyond(session, after))
    }

    fn sessions(&self) -> BoxFuture<'_, Result<Vec<SessionSummary>, LogError>> {
        Box::pin(self.parts.pool.run(move |reader| {
            let place = reader.place().clone();
            reader.with(|conn| query::sessions(conn, &place))
        }))
    }

    fn put_side(
        &self,
        session: SessionId,
        scope: String,
        chunk: SideChunk,
    ) -> BoxFuture<'_, Result<(), LogError>> {
        Box::pin(async move {
            let put = SidePut { session, scope, chunk };
            self.orders()?.push(Order::Side(put)).await.map_err(|_| closed())
        })
    }

    fn put_snapshot(&self, put: PutSnapshot) -> BoxFuture<'_, Result<(), LogError>> {
        Box::pin(
            async move { self.orders()?.push(Order::Snapshot(Box::new(put))).await.map_err(|_| closed()) },
        )
    }

    fn snapshot(
        &self,
        session: SessionId,
        version: u32,
    ) -> BoxFuture<'_, Result<Option<Snapshot>, LogError>> {
        Box::pin(self.parts.pool.run(move |reader| {
            // A cache that cannot be read is one that is not there: an older store has no such tables, a damaged one
            // is found out by whoever reads the log.
            Ok(reader.with(|conn| Ok(snapshot::find(conn, session, version)?)).unwrap_or_default())
        }))
    }

    fn side(
        &self,
        session: SessionId,
        scope: String,
        from: u64,
    ) -> BoxFuture<'_, Result<Vec<SideChunk>, LogError>> {
        Box::pin(
            self.parts.pool.run(move |reader| reader.with(|conn| query::side(conn, session, &scope, from))),
        )
    }
}

impl SqliteStore {
    /// Returns when every record of the session up to `seq` is on disk.
    ///
    /// # Errors
    /// When there is no such record, or when it could not be put there.
    pub async fn sync(&self, session: SessionId, seq: Seq) -> Result<(), LogError> {
        if self.parts.marks.covers(session, seq) {
            return Ok(());
        }
        self.ask(Request::Sync { session, seq }).await.map(drop)
    }

    async fn append_one(&self, append: Append) -> Result<Appended, LogError> {
        self.orders()?;
        let Append { session, expect, sync, .. } = append;
        let id = append.id.clone();
        let large = append.blobs.iter().filter(|blob| blob.bytes.len() > INLINE_BYTES);
        let files: Vec<Blob> = large.cloned().collect();
        let draft = Draft::new(append)?;
        for blob in files {
            self.parts.pool.run(move |reader| blob_files::write(reader.place(), &blob)).await?;
        }
        let (before, records) = match self.submit(Request::Append(draft)).await? {
            Outcome::Done(done) => return Ok(Appended::Committed { first: done.first, head: done.head }),
            Outcome::Missed { before, records } => (before, records),
            Outcome::Behind => return Err(unasked()),
        };
        let epoch = match expect {
            Expect::Head { epoch, .. } => epoch,
            Expect::Any => Epoch::default(),
        };
        let answer = missed::answer(session, &id, epoch, before, &records)?;
        if let Appended::Committed { head, .. } = &answer
            && sync
        {
            self.sync(session, head.seq).await?;
        }
        Ok(answer)
    }

    /// Asks for what cannot conflict.
    pub(crate) async fn ask(&self, request: Request) -> Result<Done, LogError> {
        match self.submit(request).await? {
            Outcome::Done(done) => Ok(done),
            Outcome::Missed { .. } | Outcome::Behind => Err(unasked()),
        }
    }

    async fn submit(&self, request: Request) -> Result<Outcome, LogError> {
        let (reply, answer) = oneshot::channel();
        self.orders()?.push(Order::Write(Job { request, reply })).await.map_err(|_| closed())?;
        answer.await.map_err(|_| LogError::Ambiguous("the writer thread ended before it answered".into()))?
    }

    fn orders(&self) -> Result<&Queue<Order>, LogError> {
        self.whole()?;
        self.parts.orders.as_deref().ok_or_else(|| {
            let (folder, database) = (self.parts.place.folder(), self.parts.place.database());
            // Whoever opens a store only to look may have had no choice.
            let why = refuses_writes(folder).or_else(|| refuses_writes(&database));
            let why = why.unwrap_or_else(|| "the store was opened only to look at it".into());
            LogError::ReadOnly { path: database.display().to_string(), why }
        })
    }
}

fn unasked() -> LogError {
    LogError::Io("the writer answered something that was not asked".into())
}
