//! The disk itself: what is on it for certain, what is on its way, and what is left of that when the power fails.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::chance::Chance;
use super::image::Image;
use super::trace::{FileId, Op};
use super::weather::{Fate, Weather};

/// What reaches the disk as one, or does not.
const SECTOR: usize = 512;

/// A disk in the course of a trace.
#[derive(Clone, Debug, Default)]
pub struct Platter {
    files: Vec<Media>,
    names: BTreeMap<Arc<str>, Name>,
    /// What the file beside it has held, the latest last.
    beside: Vec<Arc<[u8]>>,
}

/// A file.
#[derive(Clone, Debug, Default)]
struct Media {
    kept: Vec<u8>,
    on_its_way: Vec<Change>,
}

#[derive(Clone, Debug)]
enum Change {
    Write { at: usize, bytes: Arc<[u8]> },
    Truncate(usize),
}

/// What a name stands for: on disk, and by each change that is on its way.
#[derive(Clone, Debug, Default)]
struct Name {
    kept: Option<FileId>,
    on_its_way: Vec<Option<FileId>>,
}

/// A part of a change that survives or not by itself.
enum Piece<'a> {
    Sector { at: usize, bytes: &'a [u8] },
    Truncate(usize),
}

impl Platter {
    /// The disk when the power comes: everything on it is there for certain.
    pub fn new(image: &Image) -> Self {
        let mut platter = Self::default();
        for (name, bytes) in image.files() {
            let kept = Some(FileId(platter.files.len()));
            platter.files.push(Media { kept: bytes.to_vec(), on_its_way: Vec::new() });
            platter.names.insert(name.clone(), Name { kept, on_its_way: Vec::new() });
        }
        platter.beside.extend(image.beside().cloned());
        platter
    }

    /// The file that programs find under this name.
    pub fn file(&self, name: &str) -> Option<FileId> {
        let name = self.names.get(name)?;
        name.on_its_way.last().copied().unwrap_or(name.kept)
    }

    /// The next operation of the trace.
    pub fn apply(&mut self, op: &Op) {
        match op {
            Op::Create { name } => {
                let file = FileId(self.files.len());
                self.files.push(Media::default());
                self.names.entry(name.clone()).or_default().on_its_way.push(Some(file));
            }
            Op::Remove { name } => self.names.entry(name.clone()).or_default().on_its_way.push(None),
            Op::Write { file, at, bytes } => {
                self.change(*file, Change::Write { at: *at, bytes: bytes.clone() });
            }
            Op::Truncate { file, len } => self.change(*file, Change::Truncate(*len)),
            Op::Sync { file, kept: true } => {
                if let Some(media) = self.files.get_mut(file.0) {
                    media.sync();
                }
            }
            Op::Beside { bytes } => self.beside.push(bytes.clone()),
            Op::SyncNames { kept: true } => self.names.values_mut().for_each(Name::sync),
            Op::Sync { kept: false, .. } | Op::SyncNames { kept: false } => {}
        }
    }

    /// The power fails now. The seed decides what becomes of everything that is on its way; this disk is as before.
    pub fn power_cut(&self, seed: u64) -> Image {
        let mut chance = Chance::new(seed);
        let weather = Weather::of(&mut chance);
        let files: Vec<Vec<u8>> =
            self.files.iter().map(|media| media.survivors(weather, &mut chance)).collect();
        let mut image = Image::default();
        for (name, entry) in &self.names {
            if let Some(bytes) = entry.survivor(weather, &mut chance).and_then(|file| files.get(file.0)) {
                image.put(name.clone(), bytes.as_slice());
            }
        }
        image.put_beside(self.survivor_beside(&mut chance));
        image
    }

    /// The system writes a file that nobody syncs whenever it likes: at once, more often than not, which is the worst; long
    /// after; in part; or never.
    fn survivor_beside(&self, chance: &mut Chance) -> Option<Arc<[u8]>> {
        let latest = self.beside.last()?;
        let earlier = self.beside.get(chance.below(self.beside.len()))?;
        match chance.below(8) {
            0 => None,
            1 => Some(earlier.clone()),
            2 => {
                let torn = chance.below(latest.len() + 1);
                let (new, old) = (latest.iter().take(torn), earlier.iter().skip(torn));
                Some(new.chain(old).copied().collect())
            }
            _ => Some(latest.clone()),
        }
    }

    fn change(&mut self, file: FileId, change: Change) {
        if let Some(media) = self.files.get_mut(file.0) {
            media.on_its_way.push(change);
        }
    }
}

impl Media {
    fn sync(&mut self) {
        for change in std::mem::take(&mut self.on_its_way) {
            match change {
                Change::Write { at, bytes } => put(&mut self.kept, at, &bytes),
                Change::Truncate(len) => set_len(&mut self.kept, len, 0),
            }
        }
    }

    fn survivors(&self, weather: Weather, chance: &mut Chance) -> Vec<u8> {
        let pieces: Vec<Piece<'_>> = self.on_its_way.iter().flat_map(Change::pieces).collect();
        let lengths: Vec<usize> = pieces.iter().map(Piece::len).collect();
        let fates = weather.fates(chance, &lengths);
        let mut bytes = self.kept.clone();
        for (piece, fate) in pieces.iter().zip(fates) {
            piece.meet(fate, &mut bytes, chance);
        }
        bytes
    }
}

impl Change {
    /// The sectors of the disk begin where those of the file do.
    fn pieces(&self) -> Vec<Piece<'_>> {
        let (mut at, mut rest) = match self {
            Self::Truncate(len) => return vec![Piece::Truncate(*len)],
            Self::Write { at, bytes } => (*at, &**bytes),
        };
        let mut pieces = Vec::new();
        while !rest.is_empty() {
            let (bytes, after) = rest.split_at(rest.len().min(SECTOR - at % SECTOR));
            pieces.push(Piece::Sector { at, bytes });
            at += bytes.len();
            rest = after;
        }
        pieces
    }
}

impl Piece<'_> {
    fn len(&self) -> usize {
        match self {
            Self::Sector { bytes, .. } => bytes.len(),
            Self::Truncate(_) => 0,
        }
    }

    fn meet(&self, fate: Fate, file: &mut Vec<u8>, chance: &mut Chance) {
        match (self, fate) {
            (Self::Sector { at, bytes }, Fate::Kept) => put(file, *at, bytes),
            (Self::Sector { at, bytes }, Fate::Torn(n)) => put(file, *at, bytes.get(..n).unwrap_or(bytes)),
            (Self::Sector { at, bytes }, Fate::Stale) => {
                // Only beyond the end of the file does anything change: there, what was on the disk before shows up.
                let end = at + bytes.len();
                if end > file.len() {
                    set_len(file, end, chance.any().to_le_bytes()[0]);
                }
            }
            (Self::Truncate(len), Fate::Kept) => set_len(file, *len, 0),
            (Self::Truncate(_), Fate::Torn(_) | Fate::Stale) | (_, Fate::Lost) => {}
        }
    }
}

impl Name {
    fn sync(&mut self) {
        if let Some(last) = self.on_its_way.pop() {
            self.kept = last;
            self.on_its_way.clear();
        }
    }

    fn survivor(&self, weather: Weather, chance: &mut Chance) -> Option<FileId> {
        let happened = weather.changes_of_name(chance, self.on_its_way.len());
        happened.checked_sub(1).and_then(|last| self.on_its_way.get(last).copied()).unwrap_or(self.kept)
    }
}

/// Writes into a file; what lies between its end and the beginning of the bytes is zeros.
pub(crate) fn put(file: &mut Vec<u8>, at: usize, bytes: &[u8]) {
    if file.len() < at {
        set_len(file, at, 0);
    }
    let within = bytes.len().min(file.len() - at);
    let (over, beyond) = bytes.split_at(within);
    if let Some(place) = file.get_mut(at..at + within) {
        place.copy_from_slice(over);
    }
    file.extend_from_slice(beyond);
}

/// Cuts a file off or makes it longer. Without optimisation, `Vec::resize` takes a call for each byte.
pub(crate) fn set_len(file: &mut Vec<u8>, len: usize, filler: u8) {
    file.truncate(len);
    let missing = len - file.len();
    file.append(&mut vec![filler; missing]);
}
