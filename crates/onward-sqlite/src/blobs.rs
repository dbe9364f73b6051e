//! [`Blobs`]: content by its digest, from the database or from its file.

use bytes::Bytes;
use onward_event::Digest;
use onward_port::{Blobs, BoxFuture, LogError};
use rusqlite::{Connection, OptionalExtension};

use crate::blob_files;
use crate::fault::Fault;
use crate::place::Place;
use crate::reader::Reader;
use crate::store::SqliteStore;

impl Blobs for SqliteStore {
    fn get(&self, hash: Digest) -> BoxFuture<'_, Result<Option<Bytes>, LogError>> {
        Box::pin(self.parts.pool.run(move |reader| get(reader, hash)))
    }
}

enum Found {
    Inline(Vec<u8>),
    InFile,
}

fn get(reader: &mut Reader, hash: Digest) -> Result<Option<Bytes>, LogError> {
    match reader.with(|conn| find(conn, hash))? {
        None => Ok(None),
        Some(Found::Inline(bytes)) => verified(reader.place(), hash, bytes).map(Some),
        Some(Found::InFile) => blob_files::read(reader.place(), &hash).map(Some),
    }
}

fn find(conn: &Connection, hash: Digest) -> Result<Option<Found>, Fault> {
    let bytes: Option<Option<Vec<u8>>> = conn
        .prepare_cached("SELECT bytes FROM blobs WHERE hash = ?1")?
        .query_row([hash.0], |row| row.get(0))
        .optional()?;
    Ok(bytes.map(|bytes| bytes.map_or(Found::InFile, Found::Inline)))
}

fn verified(place: &Place, hash: Digest, bytes: Vec<u8>) -> Result<Bytes, LogError> {
    if onward_port::digest(&bytes) != hash {
        let path = place.database();
        return Err(LogError::Corrupt(format!(
            "content {hash} in {} is not what its digest says",
            path.display()
        )));
    }
    Ok(bytes.into())
}
