//! A connection for reading that is opened when it is first needed, and again after it failed.

use onward_port::LogError;
use rusqlite::Connection;

use crate::connect::{open_reader, open_reader_anywhere};
use crate::fault::Fault;
use crate::place::Place;

/// The connection and where it leads.
pub(crate) struct Reader {
    place: Place,
    access: Access,
    conn: Option<Connection>,
}

/// How the store is there for this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// It may be written.
    Write,
    /// It is only looked at, and may lie where nothing can be written.
    Look,
}

impl Reader {
    pub(crate) fn new(place: Place, access: Access) -> Self {
        Self { place, access, conn: None }
    }

    pub(crate) fn place(&self) -> &Place {
        &self.place
    }

    /// Reads. `read` leaves no statement open, so no state of the database is held on to between two reads.
    pub(crate) fn with<T>(
        &mut self,
        read: impl FnOnce(&Connection) -> Result<T, Fault>,
    ) -> Result<T, LogError> {
        let conn = match self.conn.take() {
            Some(conn) => conn,
            None => self.open()?,
        };
        match read(&conn) {
            Ok(value) => {
                self.conn = Some(conn);
                Ok(value)
            }
            Err(Fault::Refused(error)) => {
                self.conn = Some(conn);
                Err(error)
            }
            Err(Fault::Store(fault)) => Err(fault.error(&self.place, "reading")),
        }
    }

    fn open(&self) -> Result<Connection, LogError> {
        match self.access {
            Access::Write => open_reader(&self.place),
            Access::Look => open_reader_anywhere(&self.place),
        }
    }
}
