//! Ids from the clock and the system's randomness.
//!
//! A step draws some ten ids. Randomness is fetched for many of them at once, because each fetch is a system call.

use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use onward_port::Ids;
use uuid::{Builder, Uuid};

/// Bytes of randomness in an id.
const RANDOM: usize = 10;

/// Bytes that are fetched at once.
const FETCHED: usize = 64 * RANDOM;

/// UUIDv7: ids that sort by time, and those of one process in the order in which they were drawn.
#[derive(Clone, Copy, Debug, Default)]
pub struct UuidIds;

impl Ids for UuidIds {
    fn next(&self) -> u128 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let millis = u64::try_from(since.as_millis()).unwrap_or(u64::MAX);
        let id = SOURCE.lock().unwrap_or_else(PoisonError::into_inner).next(millis);
        // Without randomness the library has no other end for it than a panic, either.
        id.unwrap_or_else(|| Uuid::now_v7().as_u128())
    }
}

/// Of this process; nothing that forks goes on to draw ids.
static SOURCE: Mutex<Source> = Mutex::new(Source { bytes: [0; FETCHED], used: FETCHED, last: 0 });

/// The random bits at the end of an id, behind its variant.
const LOW: u128 = (1 << 62) - 1;

/// Randomness that was fetched, and how much of it was given out.
struct Source {
    bytes: [u8; FETCHED],
    used: usize,
    /// The id that was drawn last.
    last: u128,
}

impl Source {
    /// An id of this time, or right behind the last one if that would not come after it; `None` when the system has no
    /// randomness to give.
    fn next(&mut self, millis: u64) -> Option<u128> {
        let random = self.take()?;
        let id = Builder::from_unix_timestamp_millis(millis, &random).into_uuid().as_u128();
        let step = u128::from(u32::from_le_bytes(*random.first_chunk()?)) + 1;
        let behind = (self.last & LOW) + step;
        // Once in a thousand million times there is no room behind it.
        self.last = if id > self.last || behind > LOW { id } else { (self.last & !LOW) | behind };
        Some(self.last)
    }

    /// Bytes that nobody was given before; `None` when the system has no randomness to give.
    fn take(&mut self) -> Option<[u8; RANDOM]> {
        if self.used + RANDOM > FETCHED {
            getrandom::fill(&mut self.bytes).ok()?;
            self.used = 0;
        }
        let taken = self.bytes.get(self.used..self.used + RANDOM)?.try_into().ok()?;
        self.used += RANDOM;
        Some(taken)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn ids_are_of_version_seven_and_none_comes_twice_over_several_fetches_and_threads() {
        let draw = || (0..1_000).map(|_| UuidIds.next()).collect::<Vec<_>>();
        let drawn: Vec<u128> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(draw)).collect();
            threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
        });
        let versions: BTreeSet<_> = drawn.iter().map(|id| Uuid::from_u128(*id).get_version_num()).collect();
        assert_eq!(versions, BTreeSet::from([7]));
        assert_eq!(drawn.iter().collect::<BTreeSet<_>>().len(), drawn.len());
    }

    #[test]
    fn ids_sort_as_they_were_drawn_also_within_a_millisecond_and_when_the_clock_goes_back() {
        let mut source = Source { bytes: [0; FETCHED], used: FETCHED, last: 0 };
        let times = (0..500).map(|n| 1_767_225_600_000 + n / 100).chain([1_767_225_000_000; 100]);
        let drawn: Vec<_> = times.map(|millis| source.next(millis).unwrap()).collect();
        assert!(drawn.is_sorted_by(|before, after| before < after));
        for id in drawn {
            let id = Uuid::from_u128(id);
            assert_eq!((id.get_version_num(), id.get_variant()), (7, uuid::Variant::RFC4122));
        }
    }
}
