//! The folder of one execution: who may say what in it, and how it is said at once or not at all.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read as _, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use onward_port::Output;
use serde::Serialize;

use crate::enrolment::Enrolment;
use crate::spec::Verdict;

/// The folder of one execution.
#[derive(Clone, Debug)]
pub(crate) struct Folder(PathBuf);

/// What the gate says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gate {
    /// The supervisor came first.
    Started,
    /// A new owner came first: the command never begins.
    Revoked,
}

impl Gate {
    fn word(self) -> &'static str {
        match self {
            Self::Started => "started",
            Self::Revoked => "revoked",
        }
    }
}

impl Folder {
    pub(crate) fn at(path: impl Into<PathBuf>) -> Self {
        Self(path.into())
    }

    /// Makes the folder, for nobody else's eyes.
    pub(crate) fn create(&self) -> io::Result<()> {
        fs::DirBuilder::new().recursive(true).mode(0o700).create(&self.0)
    }

    pub(crate) fn exists(&self) -> bool {
        self.0.is_dir()
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Where notes are kept that are not of one execution alone.
    pub(crate) fn notes(&self) -> PathBuf {
        self.0.parent().unwrap_or(Path::new("/")).join(".protect")
    }

    pub(crate) fn output(&self) -> PathBuf {
        self.0.join("output")
    }

    pub(crate) fn tail(&self) -> PathBuf {
        self.0.join("tail")
    }

    /// Takes the lock and waits for it if it must: a prober holds it for a moment only.
    pub(crate) fn lock(&self) -> io::Result<File> {
        let file = self.lock_file()?;
        file.lock()?;
        Ok(file)
    }

    /// Whether a supervisor lives.
    pub(crate) fn is_locked(&self) -> io::Result<bool> {
        match self.lock_file()?.try_lock() {
            Ok(()) => Ok(false),
            Err(TryLockError::WouldBlock) => Ok(true),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    fn lock_file(&self) -> io::Result<File> {
        private().create(true).truncate(false).open(self.0.join("lock"))
    }

    /// Goes through the gate with this word, or says which word was there first. The word appears whole or not at
    /// all: it is written aside, and linked to its place, which fails when the place is taken.
    pub(crate) fn claim(&self, word: Gate) -> io::Result<Gate> {
        let gate = self.0.join("gate");
        let aside = self.0.join(format!("gate.{}", word.word()));
        let mut file = private().create(true).truncate(true).open(&aside)?;
        file.write_all(word.word().as_bytes())?;
        drop(file);
        // Only who went through the gate makes an output: a gate that is missing beside one was taken away.
        if word == Gate::Revoked && self.output().exists() && !gate.exists() {
            return Err(io::Error::new(ErrorKind::InvalidData, "its gate was taken away"));
        }
        let linked = fs::hard_link(&aside, &gate);
        // A file that is left behind goes with the folder.
        let _ = fs::remove_file(&aside);
        match linked {
            Ok(()) => Ok(word),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => self.gate(),
            Err(error) => Err(error),
        }
    }

    /// Whether the supervisor went through the gate, as far as can be seen.
    pub(crate) fn has_started(&self) -> bool {
        matches!(self.gate(), Ok(Gate::Started))
    }

    /// What was said so far, from a byte on.
    pub(crate) fn read_output(&self, offset: u64, limit: usize) -> io::Result<Output> {
        let mut file = File::open(self.output())?;
        let kept = file.metadata()?.len();
        file.seek(SeekFrom::Start(offset.min(kept)))?;
        let mut bytes = Vec::new();
        file.take(limit as u64).read_to_end(&mut bytes)?;
        // It may have grown while it was read.
        let kept = kept.max(offset.min(kept) + bytes.len() as u64);
        Ok(Output { bytes, kept })
    }

    fn gate(&self) -> io::Result<Gate> {
        match fs::read_to_string(self.0.join("gate"))?.as_str() {
            "started" => Ok(Gate::Started),
            "revoked" => Ok(Gate::Revoked),
            other => Err(io::Error::new(ErrorKind::InvalidData, format!("the gate says `{other}`"))),
        }
    }

    /// Asks the supervisor to end the tree.
    pub(crate) fn ask_to_stop(&self) -> io::Result<()> {
        private().create(true).truncate(true).open(self.stop()).map(drop)
    }

    pub(crate) fn is_asked_to_stop(&self) -> bool {
        self.stop().exists()
    }

    fn stop(&self) -> PathBuf {
        self.0.join("stop")
    }

    /// Says who supervises.
    pub(crate) fn enrol(&self, supervisor: &Enrolment) -> io::Result<()> {
        self.write_whole("supervisor", supervisor)
    }

    /// Who supervises; none when that was never said, or cannot be read.
    pub(crate) fn supervisor(&self) -> Option<Enrolment> {
        let read = |name: &str| fs::read(self.0.join(name)).ok();
        let bytes = read("supervisor").or_else(|| read("supervisor.waits"))?;
        serde_json::from_slice(&bytes).ok()
    }

    /// Says that the result is known and cannot be written. A full disk has no room for these words either, but a file
    /// that is there can still be given another name.
    pub(crate) fn wait_for_room(&self) {
        // Without it the owner is only told less.
        let _ = fs::rename(self.0.join("supervisor"), self.0.join("supervisor.waits"));
    }

    /// Whether the supervisor knows the result and cannot write it.
    pub(crate) fn waits_for_room(&self) -> bool {
        self.0.join("supervisor.waits").exists() && !self.0.join("result").exists()
    }

    /// Publishes how it ended, at once or not at all.
    pub(crate) fn publish(&self, verdict: &Verdict) -> io::Result<()> {
        self.write_whole("result", verdict)
    }

    /// Writes a file that appears whole or not at all.
    fn write_whole(&self, name: &str, content: &impl Serialize) -> io::Result<()> {
        let aside = self.0.join(format!("{name}.new"));
        let mut file = private().create(true).truncate(true).open(&aside)?;
        file.write_all(&serde_json::to_vec(content).map_err(io::Error::other)?)?;
        drop(file);
        fs::rename(&aside, self.0.join(name))
    }

    /// How it ended, once it has.
    pub(crate) fn result(&self) -> io::Result<Option<Verdict>> {
        match fs::read(self.0.join("result")) {
            Ok(bytes) => serde_json::from_slice(&bytes).map(Some).map_err(io::Error::other),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    pub(crate) fn remove(&self) -> io::Result<()> {
        fs::remove_dir_all(&self.0)
    }
}

/// Files of an execution are for nobody else's eyes.
pub(crate) fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).mode(0o600);
    options
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gate_opens_once_whoever_races() {
        for _ in 0..50 {
            let temp = tempfile::tempdir().unwrap();
            let folder = Folder::at(temp.path());
            let words: Vec<Gate> = std::thread::scope(|scope| {
                let race = [Gate::Started, Gate::Revoked].map(|word| {
                    let folder = folder.clone();
                    scope.spawn(move || folder.claim(word).unwrap())
                });
                race.map(|thread| thread.join().unwrap()).into()
            });
            assert_eq!(words[0], words[1], "both must see the same word");
        }
    }

    #[test]
    fn a_result_is_there_whole_or_not_at_all() {
        let temp = tempfile::tempdir().unwrap();
        let folder = Folder::at(temp.path());
        assert_eq!(folder.result().unwrap(), None);
        let verdict = Verdict {
            how: crate::spec::How::Exited(3),
            millis: 1,
            total: 2,
            left_behind: false,
            restored: Vec::new(),
        };
        folder.publish(&verdict).unwrap();
        assert_eq!(folder.result().unwrap(), Some(verdict));
    }
}
