//! The disk as running programs see it: all that was written is there, synced or not. And the trace of it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::image::Image;
use super::lies::Lies;
use super::locks::FileLocks;
use super::platter::{Platter, put, set_len};
use super::shm::Shm;
use super::trace::{FileId, Op};

/// A disk that has power.
#[derive(Debug)]
pub struct Disk {
    /// What was on it when the power came.
    image: Image,
    /// A file of the real file system that nobody syncs.
    beside: PathBuf,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
pub(crate) struct State {
    files: Vec<Live>,
    names: BTreeMap<Arc<str>, FileId>,
    trace: Vec<Op>,
    lies: Lies,
    /// What the file beside it held when it was last looked at.
    beside: Option<Arc<[u8]>>,
}

/// A file while there is power.
#[derive(Debug, Default)]
pub(crate) struct Live {
    pub(crate) name: Arc<str>,
    pub(crate) bytes: Vec<u8>,
    pub(crate) locks: FileLocks,
    pub(crate) shm: Shm,
}

impl Disk {
    /// The power comes.
    pub fn new(image: Image) -> Self {
        Self::with_beside(image, PathBuf::new())
    }

    /// The power comes. Whatever is written to the file at this path becomes part of the trace: before the next
    /// operation on the disk, it was there.
    pub fn with_beside(image: Image, beside: PathBuf) -> Self {
        let mut state = State { beside: image.beside().cloned(), ..State::default() };
        for (name, bytes) in image.files() {
            state.names.insert(name.clone(), FileId(state.files.len()));
            state.files.push(Live { name: name.clone(), bytes: bytes.to_vec(), ..Live::default() });
        }
        Self { image, beside, state: Mutex::new(state) }
    }

    /// From now on it lies like this.
    pub fn lie(&self, lies: Lies) {
        self.state().lies = lies;
    }

    /// What was on it when the power came: what the trace is to be played onto.
    pub fn first_image(&self) -> &Image {
        &self.image
    }

    /// Everything that has been done to it.
    pub fn trace(&self) -> Vec<Op> {
        self.now().trace.clone()
    }

    /// How many operations have been done to it.
    pub fn position(&self) -> usize {
        self.now().trace.len()
    }

    /// Names and lengths as programs see them now.
    pub fn listing(&self) -> Vec<(Arc<str>, usize)> {
        let state = self.state();
        let len = |file: &FileId| state.files.get(file.0).map_or(0, |live| live.bytes.len());
        state.names.iter().map(|(name, file)| (name.clone(), len(file))).collect()
    }

    /// What is left if the power fails now.
    pub fn power_cut(&self, seed: u64) -> Image {
        let mut platter = Platter::new(&self.image);
        self.now().trace.iter().for_each(|op| platter.apply(op));
        platter.power_cut(seed)
    }

    /// Opens a file, and makes it if it may.
    pub(crate) fn open(&self, name: &str, make: bool) -> Option<FileId> {
        let mut state = self.now();
        if let Some(file) = state.names.get(name) {
            return Some(*file);
        }
        if !make {
            return None;
        }
        let file = FileId(state.files.len());
        let name: Arc<str> = name.into();
        state.files.push(Live { name: name.clone(), ..Live::default() });
        state.names.insert(name.clone(), file);
        state.trace.push(Op::Create { name });
        Some(file)
    }

    /// Removes a name; whether there was one.
    pub(crate) fn remove(&self, name: &str) -> bool {
        let mut state = self.now();
        let Some((name, _)) = state.names.remove_entry(name) else { return false };
        state.trace.push(Op::Remove { name });
        true
    }

    /// The length of a file, if there is one of this name.
    pub(crate) fn len_of(&self, name: &str) -> Option<usize> {
        let state = self.state();
        state.names.get(name).and_then(|file| state.files.get(file.0)).map(|live| live.bytes.len())
    }

    pub(crate) fn write(&self, file: FileId, at: usize, bytes: &[u8]) {
        let mut state = self.now();
        if let Some(live) = state.files.get_mut(file.0) {
            put(&mut live.bytes, at, bytes);
            state.trace.push(Op::Write { file, at, bytes: bytes.into() });
        }
    }

    pub(crate) fn truncate(&self, file: FileId, len: usize) {
        let mut state = self.now();
        if let Some(live) = state.files.get_mut(file.0) {
            set_len(&mut live.bytes, len, 0);
            state.trace.push(Op::Truncate { file, len });
        }
    }

    pub(crate) fn sync(&self, file: FileId) {
        let mut state = self.now();
        let kept = state.files.get(file.0).is_some_and(|live| state.lies.keeps_file(&live.name));
        state.trace.push(Op::Sync { file, kept });
    }

    pub(crate) fn sync_names(&self) {
        let mut state = self.now();
        let kept = state.lies.keeps_names();
        state.trace.push(Op::SyncNames { kept });
    }

    /// Does something with a file that leaves no trace.
    pub(crate) fn with<T>(&self, file: FileId, body: impl FnOnce(&mut Live) -> T) -> Option<T> {
        self.state().files.get_mut(file.0).map(body)
    }

    /// Nothing here panics between two changes that belong together, so a poisoned lock means nothing.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The state, after what was written beside the disk has come into the trace.
    fn now(&self) -> MutexGuard<'_, State> {
        let mut state = self.state();
        if let Ok(bytes) = std::fs::read(&self.beside)
            && state.beside.as_deref() != Some(&bytes)
        {
            let bytes: Arc<[u8]> = bytes.into();
            state.beside = Some(bytes.clone());
            state.trace.push(Op::Beside { bytes });
        }
        state
    }
}
