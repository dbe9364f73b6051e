//! The store as its users hold it: opening, closing, and the threads in between.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use onward_port::LogError;

use crate::blob_files::make_folder;
use crate::connect::{Opening, WriteConnection, open_reader_anywhere, open_writer, verify_mark};
use crate::fault::file_error;
use crate::lockfile;
use crate::mark::Mark;
use crate::place::Place;
use crate::pool::Pool;
use crate::queue::Queue;
use crate::reader::{Access, Reader};
use crate::request::Order;
use crate::sync::lock;
use crate::watch::{self, Watch};
use crate::watermark::Watermarks;
use crate::writer::{self, Writer};

/// How to open a store.
#[derive(Clone, Debug)]
pub struct OpenOptions {
    /// The folder that holds it; made, readable by its user only, when there is none.
    pub folder: PathBuf,
    /// How many bytes the database file may have. An append that needs more is refused as if the disk were full.
    /// Content in files does not count. Without it only the disk sets the limit.
    pub max_bytes: Option<u64>,
    /// What to do when records are missing from the end.
    pub lost: Lost,
    /// The name of the SQLite VFS through which the database is reached; the system's own without it. It must have
    /// been registered in this process. Lock files and content in files stay in the folder all the same.
    pub vfs: Option<String>,
}

impl OpenOptions {
    /// The store in this folder, with no limit but the disk's.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into(), max_bytes: None, lost: Lost::Refuse, vfs: None }
    }
}

/// What becomes of a store whose mark says that it had records which are gone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lost {
    /// It is not opened.
    #[default]
    Refuse,
    /// It goes on with what is there. A copy of what is left of the write-ahead log is kept beside it. For a person to
    /// decide: what is missing may have been done, and may be done again.
    Accept,
}

/// A store that is open. Clones are the same store; the last one to go closes it, see [`SqliteStore::close`].
///
/// The process owns sessions through this store: closing it gives up every session that it has not released, and
/// another process may take those over at once.
#[derive(Clone)]
pub struct SqliteStore {
    pub(crate) parts: Arc<Parts>,
}

/// What the clones share.
pub(crate) struct Parts {
    pub(crate) place: Place,
    /// Absent when the store is only looked at.
    pub(crate) orders: Option<Arc<Queue<Order>>>,
    pub(crate) pool: Pool,
    pub(crate) watch: Arc<Watch>,
    pub(crate) marks: Arc<Watermarks>,
    /// What is missing from its end.
    cut: Option<String>,
    watcher: Mutex<Option<JoinHandle<()>>>,
    writer: Mutex<Option<JoinHandle<()>>>,
}

impl SqliteStore {
    /// Opens the store in a folder; makes it when there is none. Blocks for the time of a few file operations.
    ///
    /// # Errors
    /// [`LogError::Corrupt`] when what is there is no store, [`LogError::Cut`] when records that were on disk are gone from
    /// its end (nothing is changed then, not even the log), [`LogError::ReadOnly`] or [`LogError::Full`] when nothing
    /// can be written there, [`LogError::Io`] when it is of a newer version, or for anything else.
    pub fn open(options: OpenOptions) -> Result<Self, LogError> {
        let OpenOptions { folder, max_bytes, lost, vfs } = options;
        let failed = |error: std::io::Error| file_error(&error, "the folder of the store", &folder);
        make_folder(&folder).map_err(failed)?;
        let place = Place::new(folder.canonicalize().map_err(failed)?).through(vfs);
        let opening = match lost {
            Lost::Refuse => Opening::First,
            Lost::Accept => Opening::Accepting,
        };
        let write = open_writer(&place, opening, max_bytes)?;
        for part in [place.locks(), place.unfinished_blobs()] {
            make_folder(&part).map_err(|error| file_error(&error, "a folder of the store", &part))?;
        }
        lockfile::sweep(&place.unfinished_blobs());
        let store = Self::start(place.clone(), Access::Write)?;
        store.start_writer(place, max_bytes, write)
    }

    /// Whether there is a store in this folder, without opening it.
    pub fn is_at(folder: &Path) -> bool {
        Place::new(folder.to_owned()).database().exists()
    }

    /// Opens a store to look at it. Every method that would write is refused with [`LogError::ReadOnly`]. The folder
    /// may lie where nothing can be written, unless the store was not closed in order before it came there.
    ///
    /// # Errors
    /// As [`SqliteStore::open`]; also when there is no store.
    pub fn open_read_only(folder: &Path) -> Result<Self, LogError> {
        let place = folder.canonicalize().map(Place::new);
        let place = place.map_err(|error| file_error(&error, "the folder of the store", folder))?;
        place.refuse_strangers()?;
        let mark = Mark::read(&place);
        // The threads open their own; this one only finds out whether that will work.
        let conn = open_reader_anywhere(&place)?;
        let cut = match verify_mark(&conn, mark, &place) {
            Err(LogError::Cut(what)) => Some(what),
            verified => verified.map(|()| None)?,
        };
        drop(conn);
        let mut store = Self::start(place, Access::Look)?;
        if let Some(parts) = Arc::get_mut(&mut store.parts) {
            parts.cut = cut;
        }
        Ok(store)
    }

    /// What is missing from the end of a store that is only looked at. What is there can be read; whatever would write is
    /// refused with [`LogError::Cut`].
    ///
    /// # Errors
    /// [`LogError::Cut`] when something is missing.
    pub fn whole(&self) -> Result<(), LogError> {
        self.parts.cut.clone().map_or(Ok(()), |what| Err(LogError::Cut(what)))
    }

    /// Writes what is queued, ends the threads and closes the files. Blocks until that is done. Whatever is asked of
    /// the store afterwards is an error.
    pub fn close(&self) {
        self.parts.close();
    }

    fn start(place: Place, access: Access) -> Result<Self, LogError> {
        let pool = Pool::start(&place, access).map_err(|error| no_thread(&error))?;
        let parts = Parts {
            place: place.clone(),
            orders: None,
            pool,
            watch: Arc::default(),
            marks: Arc::default(),
            cut: None,
            watcher: Mutex::default(),
            writer: Mutex::default(),
        };
        let watch = parts.watch.clone();
        let reader = Reader::new(place, access);
        let watcher = spawn("onward-watch", move || watch::run(&watch, reader))?;
        *lock(&parts.watcher) = Some(watcher);
        Ok(Self { parts: Arc::new(parts) })
    }

    fn start_writer(
        mut self,
        place: Place,
        max_bytes: Option<u64>,
        write: WriteConnection,
    ) -> Result<Self, LogError> {
        let Some(parts) = Arc::get_mut(&mut self.parts) else { return Ok(self) };
        let orders = Arc::new(Queue::new(writer::QUEUE));
        let writer = Writer::new(place, max_bytes, write, parts.marks.clone(), parts.watch.clone());
        parts.orders = Some(orders.clone());
        let thread = spawn("onward-write", move || writer.run(&orders))?;
        *lock(&parts.writer) = Some(thread);
        Ok(self)
    }
}

impl Parts {
    /// Readers first: the last connection to close moves the log into the database, and only one that may write can.
    fn close(&self) {
        self.pool.close();
        self.watch.close();
        join(&self.watcher);
        if let Some(orders) = &self.orders {
            orders.close();
        }
        join(&self.writer);
    }
}

impl Drop for Parts {
    fn drop(&mut self) {
        self.close();
    }
}

fn spawn(name: &str, body: impl FnOnce() + Send + 'static) -> Result<JoinHandle<()>, LogError> {
    std::thread::Builder::new().name(name.into()).spawn(body).map_err(|error| no_thread(&error))
}

fn join(thread: &Mutex<Option<JoinHandle<()>>>) {
    if let Some(thread) = lock(thread).take() {
        // A thread that panicked is as much at its end as any other.
        let _ = thread.join();
    }
}

fn no_thread(error: &std::io::Error) -> LogError {
    LogError::Io(format!("starting a thread of the store: {error}"))
}
