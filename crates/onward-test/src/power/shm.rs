//! The memory that the connections to a database in WAL mode share, and its locks, within one process.
//!
//! With the last connection the memory goes, as it does with the power: it is an index of the log and is made again
//! from it.

use std::ffi::c_void;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// How many locks there are.
const SLOTS: usize = 8;

/// The shared memory of one file.
#[derive(Debug, Default)]
pub(crate) struct Shm {
    users: usize,
    /// Counted references keep their place in memory, which connections know by its address. Only SQLite looks inside.
    regions: Vec<Arc<[AtomicU64]>>,
    slots: [Slot; SLOTS],
}

/// What one connection holds of it.
#[derive(Debug, Default)]
pub(crate) struct ShmHold {
    attached: bool,
    shared: [bool; SLOTS],
    exclusive: [bool; SLOTS],
}

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    readers: usize,
    writer: bool,
}

/// How a slot is locked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Share {
    /// With others of this kind.
    Shared,
    /// Alone.
    Exclusive,
}

impl Shm {
    /// The address of a region of so many bytes; `None` when it is not there and is not to be made. It stays valid
    /// until the last connection that maps has let go.
    pub(crate) fn map(
        &mut self,
        hold: &mut ShmHold,
        region: usize,
        bytes: usize,
        make: bool,
    ) -> Option<*mut c_void> {
        if !hold.attached {
            hold.attached = true;
            self.users += 1;
        }
        while make && self.regions.len() <= region {
            let words = bytes.div_ceil(size_of::<u64>());
            self.regions.push((0..words).map(|_| AtomicU64::new(0)).collect());
        }
        self.regions.get(region).map(|words| words.as_ptr().cast::<c_void>().cast_mut())
    }

    /// Locks slots; whether that was possible. All or none.
    pub(crate) fn lock(&mut self, hold: &mut ShmHold, slots: Range<usize>, share: Share) -> bool {
        let free = slots.clone().all(|n| match (self.slots.get(n), share) {
            (Some(slot), Share::Shared) => !slot.writer || hold.holds(n, share),
            (Some(slot), Share::Exclusive) => !slot.writer && slot.readers == 0,
            (None, _) => false,
        });
        if !free {
            return false;
        }
        for n in slots.filter(|n| !hold.holds(*n, share)).collect::<Vec<_>>() {
            if let Some(slot) = self.slots.get_mut(n) {
                match share {
                    Share::Shared => slot.readers += 1,
                    Share::Exclusive => slot.writer = true,
                }
                hold.set(n, share, true);
            }
        }
        true
    }

    /// Unlocks what the connection holds of these slots.
    pub(crate) fn unlock(&mut self, hold: &mut ShmHold, slots: Range<usize>) {
        for n in slots {
            let Some(slot) = self.slots.get_mut(n) else { return };
            if hold.holds(n, Share::Shared) {
                slot.readers = slot.readers.saturating_sub(1);
            }
            if hold.holds(n, Share::Exclusive) {
                slot.writer = false;
            }
            hold.set(n, Share::Shared, false);
            hold.set(n, Share::Exclusive, false);
        }
    }

    /// The connection lets go.
    pub(crate) fn unmap(&mut self, hold: &mut ShmHold) {
        self.unlock(hold, 0..SLOTS);
        if std::mem::take(&mut hold.attached) {
            self.users = self.users.saturating_sub(1);
        }
        if self.users == 0 {
            self.regions.clear();
        }
    }
}

impl ShmHold {
    fn of(&self, share: Share) -> &[bool; SLOTS] {
        match share {
            Share::Shared => &self.shared,
            Share::Exclusive => &self.exclusive,
        }
    }

    fn holds(&self, n: usize, share: Share) -> bool {
        self.of(share).get(n).copied().unwrap_or(false)
    }

    fn set(&mut self, n: usize, share: Share, held: bool) {
        let slots = match share {
            Share::Shared => &mut self.shared,
            Share::Exclusive => &mut self.exclusive,
        };
        if let Some(slot) = slots.get_mut(n) {
            *slot = held;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_writes_or_many_read() {
        let mut shm = Shm::default();
        let (mut a, mut b) = (ShmHold::default(), ShmHold::default());
        assert!(shm.lock(&mut a, 3..4, Share::Shared) && shm.lock(&mut b, 3..4, Share::Shared));
        shm.unlock(&mut b, 3..4);
        assert!(!shm.lock(&mut b, 2..5, Share::Exclusive), "one of them is read");
        shm.unlock(&mut a, 3..4);
        assert!(shm.lock(&mut b, 2..5, Share::Exclusive));
        assert!(!shm.lock(&mut a, 4..5, Share::Shared) && shm.lock(&mut a, 5..6, Share::Shared));
        shm.unmap(&mut b);
        assert!(shm.lock(&mut a, 4..5, Share::Exclusive));
    }

    #[test]
    fn the_memory_is_the_same_for_all_until_the_last_one_goes() {
        let mut shm = Shm::default();
        let (mut a, mut b) = (ShmHold::default(), ShmHold::default());
        assert_eq!(shm.map(&mut a, 0, 32768, false), None);
        let place = shm.map(&mut a, 1, 32768, true);
        assert!(place.is_some());
        assert_eq!(shm.map(&mut b, 1, 32768, false), place);
        shm.unmap(&mut a);
        assert_eq!(shm.map(&mut b, 1, 32768, false), place);
        shm.unmap(&mut b);
        assert_eq!(shm.map(&mut b, 0, 32768, false), None);
    }
}
