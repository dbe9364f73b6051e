//! [`onward_port::Log`] and [`onward_port::Blobs`] in one SQLite file.
//!
//! One folder holds everything, under relative names only, so that a copied or moved folder is a store of its own:
//!
//! ```text
//! onward.db, onward.db-wal, onward.db-shm   the records and everything that must change together with them
//! onward.db-mark                            how far the store has been on disk: a witness, see `mark.rs`
//! blobs/ab/abcd…                            content above 256 KiB, named by its digest
//! blobs/tmp/                                such content while it is written
//! set-aside/…                               damaged records that a person gave up, see `aside.rs`
//! locks/…                                   one file per process that owns sessions, locked while it lives
//! ```
//!
//! # Tables
//!
//! ```text
//! sessions  key, id, created, updated, seq + hash (the head), epoch, owner, lock, acquired_by, released
//! setup     session -> spec, workspace (JSON)     written once; kept apart so that a session's hot row stays small
//! records   (session, seq) -> bytes, hash         in the order of arrival: a group of appends fills one page after another
//! clients   (session, key) -> first, last         the keys that clients chose: a repeated one changes nothing
//! blobs     hash -> size, bytes                   bytes are NULL when the content is a file
//! side      (session, scope, n) -> text           deltas and progress, until their scope ends
//! snapshots session -> version, seq + hash, state      a fold to start from: a cache, never trusted unverified
//! snapshot_pieces (session, n) -> bytes                its history, in pieces that are written once
//! meta      key -> value                          syncs: how many groups were synced; store: which store this is
//! ```
//!
//! `hash` of a record is the chain over `bytes`; a session's row holds the last one, so that an append reads nothing
//! of the log. `lock` names the lock file of the owning process; it is NULL when nobody owns the session.
//!
//! # How it writes
//!
//! One thread owns the only connection that writes. It takes whatever is queued into one transaction. If one of the requests
//! is refused, all are done again with a savepoint for each, so that it undoes only itself. If any request of the group wants to be on disk, the group is
//! committed with one sync of the write-ahead log; otherwise without any. Processes meet at SQLite's own write lock.
//!
//! # Settings, and why
//!
//! - `journal_mode = WAL`: readers never wait for the writer, and a commit is one write to one file.
//! - `synchronous = NORMAL`, or `FULL` for a group that wants to be on disk. In WAL mode the first commits without a
//!   sync and the second with exactly one; both survive the death of the process, the second that of the machine.
//! - `wal_autocheckpoint = 0`: the writer moves the log into the database itself, after it has answered, when the log
//!   is long or the store is idle; no append pays for it.
//! - `journal_size_limit`: a log that was once large gives its space back.
//! - `mmap_size = 0`: with a mapped file an I/O error is a signal that ends the process, not an error.
//! - `temp_store = MEMORY`: savepoints keep their undo pages in memory, not in files elsewhere.
//! - `trusted_schema = OFF`: a store from elsewhere cannot bring functions along in its schema.
//! - `cache_size`: bounded, smaller for readers, who sweep through a log once.
//! - `max_page_count`: only when the caller limits the size.
//!
//! SQLite older than 3.51.3 is refused: see [`MIN_SQLITE`].

mod append;
mod aside;
mod batch;
mod blob_files;
mod blobs;
mod connect;
mod draft;
mod fault;
mod lockfile;
mod log;
mod mark;
mod missed;
mod ownership;
mod place;
mod pool;
mod query;
mod queue;
mod reader;
mod request;
mod resolve;
mod schema;
mod session;
mod side;
mod snapshot;
mod store;
mod sync;
mod wal;
mod watch;
mod watermark;
mod writer;

pub use aside::{KeptAside, SetAside};
pub use connect::MIN_SQLITE;
pub use store::{Lost, OpenOptions, SqliteStore};
