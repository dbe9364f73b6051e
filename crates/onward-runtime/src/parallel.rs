//! Reading many things at once: records and pieces of a history do not depend on each other until they are folded, so
//! two threads share them, and fold what was read before in the meantime.

use std::sync::atomic::{AtomicUsize, Ordering};

use onward_event::{BadRecord, Record};
use onward_port::StoredRecord;

/// Records that a thread takes at once: few enough that neither is left waiting for the other at the end.
const RECORDS: usize = 128;

/// Below this many items to read, a second thread costs more than it saves.
const WORTH_A_THREAD: usize = 4;

/// The records of a page, each read or not, and what was done in the meantime.
pub(crate) fn parse_while<R>(
    page: &[StoredRecord],
    meanwhile: impl FnOnce() -> R,
) -> (Vec<Result<Record, BadRecord>>, R) {
    let blocks: Vec<&[StoredRecord]> = page.chunks(RECORDS).collect();
    let parse = |block: &&[StoredRecord]| -> Vec<_> {
        block.iter().map(|stored| Record::from_bytes(&stored.bytes)).collect()
    };
    let (records, done) = read_while(&blocks, parse, meanwhile);
    (records.into_iter().flatten().collect(), done)
}

/// Reads each item; in their order.
pub(crate) fn read_all<T: Sync, U: Send>(items: &[T], read: impl Fn(&T) -> U + Sync) -> Vec<U> {
    read_while(items, read, || ()).0
}

/// Reads each item, on another thread while this one does something else, and on both after that.
fn read_while<T: Sync, U: Send, R>(
    items: &[T],
    read: impl Fn(&T) -> U + Sync,
    meanwhile: impl FnOnce() -> R,
) -> (Vec<U>, R) {
    if items.len() < WORTH_A_THREAD {
        let done = meanwhile();
        return (items.iter().map(read).collect(), done);
    }
    let next = AtomicUsize::new(0);
    // Takes the next item that nobody has taken, until there is none.
    let take = || {
        let mut mine = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(at) else { return mine };
            mine.push((at, read(item)));
        }
    };
    std::thread::scope(|scope| {
        let other = scope.spawn(take);
        let done = meanwhile();
        let mut all = take();
        match other.join() {
            Ok(others) => all.extend(others),
            Err(panic) => std::panic::resume_unwind(panic),
        }
        all.sort_unstable_by_key(|(at, _)| *at);
        (all.into_iter().map(|(_, read)| read).collect(), done)
    })
}

#[cfg(test)]
mod tests {
    use super::read_while;

    #[test]
    fn everything_is_read_once_and_in_its_order() {
        for count in [0, 1, 3, 4, 5, 1_000] {
            let items: Vec<usize> = (0..count).collect();
            let (read, done) = read_while(&items, |item| item * 2, || "done");
            assert_eq!((read, done), (items.iter().map(|item| item * 2).collect(), "done"));
        }
    }
}
