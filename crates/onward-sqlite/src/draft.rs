//! An append, made ready by its caller: serialised and checked, so that the writer thread only has to number it.

use bytes::Bytes;
use onward_event::{AppendId, By, Digest, Epoch, Event, EventWriter, Record, Seq, SessionId, Timestamp};
use onward_port::{Append, Blob, Create, Expect, LogError};

/// Content up to this many bytes lies in the database; above it, in a file.
pub(crate) const INLINE_BYTES: usize = 256 * 1024;

/// An append on its way to the writer.
#[derive(Debug)]
pub(crate) struct Draft {
    pub(crate) session: SessionId,
    pub(crate) expect: Expect,
    pub(crate) id: AppendId,
    pub(crate) at: Timestamp,
    pub(crate) bodies: Vec<Body>,
    pub(crate) blobs: Vec<BlobRow>,
    pub(crate) ends_side: Vec<String>,
    pub(crate) sync: bool,
}

/// A record without its number.
#[derive(Debug)]
pub(crate) struct Body(Vec<u8>);

/// Content to be known by the store.
#[derive(Debug)]
pub(crate) struct BlobRow {
    pub(crate) hash: Digest,
    pub(crate) size: usize,
    /// Absent when it is a file.
    pub(crate) bytes: Option<Bytes>,
}

/// How the stored form of a record with the number 0 begins; what follows does not depend on the number.
const UNNUMBERED: &[u8] = b"{\"seq\":0,";

impl Draft {
    /// Checks and serialises.
    ///
    /// # Errors
    /// When the events and the one who appends them do not go together.
    pub(crate) fn new(append: Append) -> Result<Self, LogError> {
        check_who(&append)?;
        if append.events.is_empty() {
            return Err(refused(&append, "it has no events"));
        }
        for event in &append.events {
            check_event(&append, event)?;
        }
        check_blobs(&append)?;
        let epoch = match append.expect {
            Expect::Head { epoch, .. } => Some(epoch),
            Expect::Any => None,
        };
        let Append { session, expect, id, at, by, events, blobs, ends_side, sync } = append;
        let body = |event: Event| Body::new(event, &id, at, epoch, by.clone());
        let bodies = events.into_iter().map(body).collect::<Result<_, _>>()?;
        let blobs = blobs.iter().map(BlobRow::new).collect();
        Ok(Self { session, expect, id, at, bodies, blobs, ends_side, sync })
    }
}

impl Draft {
    /// The first append of a session.
    ///
    /// # Errors
    /// When some event is not a client's to append.
    pub(crate) fn of_create(create: &Create) -> Result<Self, LogError> {
        let session = create.created.session;
        for event in &create.events {
            check_client_event(event).map_err(|why| {
                LogError::Io(format!("creating {session} was refused: {why}; nothing was written"))
            })?;
        }
        let first = Event::from(create.created.clone());
        let body = |event: Event| Body::new(event, &create.id, create.at, None, Some(create.by.clone()));
        let events = std::iter::once(first).chain(create.events.iter().cloned());
        Ok(Self {
            session,
            expect: Expect::Any,
            id: create.id.clone(),
            at: create.at,
            bodies: events.map(body).collect::<Result<_, _>>()?,
            blobs: Vec::new(),
            ends_side: Vec::new(),
            sync: true,
        })
    }
}

impl Body {
    /// The record's bytes but for its number.
    pub(crate) fn new(
        event: Event,
        append: &AppendId,
        at: Timestamp,
        epoch: Option<Epoch>,
        by: Option<By>,
    ) -> Result<Self, LogError> {
        let record = Record { seq: Seq(0), at, epoch, by, append: append.clone(), event };
        let mut bytes =
            record.to_bytes().map_err(|error| LogError::Io(format!("serialising a record: {error}")))?;
        if !bytes.starts_with(UNNUMBERED) {
            return Err(LogError::Io("serialising a record: its number does not come first".into()));
        }
        bytes.drain(..UNNUMBERED.len());
        Ok(Self(bytes))
    }

    /// The bytes of the record at this position: exactly [`Record::to_bytes`].
    pub(crate) fn at(&self, seq: Seq) -> Vec<u8> {
        let number = format!("{{\"seq\":{},", seq.0);
        [number.as_bytes(), &self.0].concat()
    }
}

impl BlobRow {
    fn new(blob: &Blob) -> Self {
        let size = blob.bytes.len();
        Self { hash: blob.hash, size, bytes: (size <= INLINE_BYTES).then(|| blob.bytes.clone()) }
    }
}

fn check_client_event(event: &Event) -> Result<(), String> {
    match (event, event.writer()) {
        (Event::SessionCreated(_), _) => Err("a session/created is appended by creating the session".into()),
        (_, EventWriter::Owner) => {
            Err(format!("a {} is the owner's to append, not a client's", event.kind()))
        }
        (_, EventWriter::Client | EventWriter::Both) => Ok(()),
    }
}

fn check_owner_event(event: &Event) -> Result<(), String> {
    match (event, event.writer()) {
        (Event::OwnerAcquired(_) | Event::OwnerReleased(_), _) => {
            Err(format!("a {} is appended by acquiring or releasing the session", event.kind()))
        }
        (_, EventWriter::Client) => {
            Err(format!("a {} is a client's to append, not the owner's", event.kind()))
        }
        (_, EventWriter::Owner | EventWriter::Both) => Ok(()),
    }
}

fn check_event(append: &Append, event: &Event) -> Result<(), LogError> {
    let verdict = match append.expect {
        Expect::Head { .. } => check_owner_event(event),
        Expect::Any => check_client_event(event),
    };
    verdict.map_err(|why| refused(append, &why))
}

fn check_who(append: &Append) -> Result<(), LogError> {
    match (append.expect, &append.by) {
        (Expect::Head { .. }, Some(_)) => Err(refused(append, "an owner's append names no client")),
        (Expect::Any, None) => Err(refused(append, "a client's append does not say by whom it is")),
        (Expect::Head { .. }, None) | (Expect::Any, Some(_)) => Ok(()),
    }
}

fn check_blobs(append: &Append) -> Result<(), LogError> {
    match append.blobs.iter().find(|blob| onward_port::digest(&blob.bytes) != blob.hash) {
        None => Ok(()),
        Some(blob) => Err(refused(append, &format!("content is not what its digest {} says", blob.hash))),
    }
}

fn refused(append: &Append, why: &str) -> LogError {
    LogError::Io(format!("an append to {} was refused: {why}; nothing was written", append.session))
}
