//! The command's output: its beginning goes to a file as it comes, its end is kept in memory until the end, and all of
//! it is counted. A disk that is full loses output, never the command.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Write as _};

use crate::folder::{Folder, private};

/// Bytes read at once: what a pipe holds.
const READ_BYTES: usize = 64 << 10;

/// What has come so far.
pub(super) struct Output {
    file: Option<File>,
    room: u64,
    tail: Vec<u8>,
    max_tail: usize,
    total: u64,
    buffer: Vec<u8>,
}

impl Output {
    pub(super) fn new(folder: &Folder, kept: u64, tail: u64) -> io::Result<Self> {
        let file = private().create(true).truncate(true).open(folder.output())?;
        let max_tail = usize::try_from(tail).unwrap_or(usize::MAX);
        Ok(Self {
            file: Some(file),
            room: kept,
            tail: Vec::new(),
            max_tail,
            total: 0,
            buffer: vec![0; READ_BYTES],
        })
    }

    /// Takes what is there. False at the end.
    pub(super) fn pump(&mut self, mut from: impl Read) -> bool {
        match from.read(&mut self.buffer) {
            Ok(0) => false,
            Ok(length) => {
                let bytes = std::mem::take(&mut self.buffer);
                self.push(&bytes[..length]);
                self.buffer = bytes;
                true
            }
            Err(error) => matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted),
        }
    }

    fn push(&mut self, bytes: &[u8]) {
        self.total += bytes.len() as u64;
        let kept = bytes.len().min(usize::try_from(self.room).unwrap_or(usize::MAX));
        let (first, rest) = bytes.split_at(kept);
        let written = match &mut self.file {
            Some(file) => file.write_all(first).is_ok(),
            None => false,
        };
        if !written {
            self.file = None;
        }
        self.room -= kept as u64;
        self.tail.extend_from_slice(rest);
        if self.tail.len() > 2 * self.max_tail {
            self.tail.drain(..self.tail.len() - self.max_tail);
        }
    }

    pub(super) fn total(&self) -> u64 {
        self.total
    }

    /// Writes the end of the output beside its beginning.
    pub(super) fn finish(mut self, folder: &Folder) -> u64 {
        let from = self.tail.len().saturating_sub(self.max_tail);
        if from < self.tail.len() || !self.tail.is_empty() {
            // Without it the middle is longer; the count says so.
            let _ = private()
                .create(true)
                .truncate(true)
                .open(folder.tail())
                .and_then(|mut file| file.write_all(&self.tail.split_off(from)));
        }
        self.total
    }
}
