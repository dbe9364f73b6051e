//! What is on a disk that has no power: names and bytes.

use std::collections::BTreeMap;
use std::sync::Arc;

/// The files of a disk. Clones share the bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Image {
    files: BTreeMap<Arc<str>, Arc<[u8]>>,
    beside: Option<Arc<[u8]>>,
}

impl Image {
    /// A file with these bytes, in place of any other of that name.
    pub fn put(&mut self, name: impl Into<Arc<str>>, bytes: impl Into<Arc<[u8]>>) {
        self.files.insert(name.into(), bytes.into());
    }

    /// What the file beside the disk holds, if it is there.
    pub fn beside(&self) -> Option<&Arc<[u8]>> {
        self.beside.as_ref()
    }

    /// Lets the file beside the disk hold this.
    pub fn put_beside(&mut self, bytes: Option<Arc<[u8]>>) {
        self.beside = bytes;
    }

    /// The bytes of a file.
    pub fn bytes(&self, name: &str) -> Option<&[u8]> {
        self.files.get(name).map(|bytes| &**bytes)
    }

    /// How long a file is; 0 when there is none.
    pub fn len(&self, name: &str) -> usize {
        self.bytes(name).map_or(0, <[u8]>::len)
    }

    /// Whether there is no file.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Every file, by name. A disk that starts with this image numbers its files in this order.
    pub fn files(&self) -> impl Iterator<Item = (&Arc<str>, &Arc<[u8]>)> {
        self.files.iter()
    }
}
