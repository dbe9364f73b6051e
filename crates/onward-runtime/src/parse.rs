//! Reading many records at once: they do not depend on each other until they are folded, so two threads share them.

use onward_event::{BadRecord, Record};
use onward_port::StoredRecord;

/// Below this many items a second thread costs more than it saves.
const WORTH_A_THREAD: usize = 512;

/// Below this many bytes in all, too.
const WORTH_A_THREAD_BYTES: usize = 256 * 1024;

/// The records of a page, each read or not.
pub(crate) fn parse_all(page: &[StoredRecord]) -> Vec<Result<Record, BadRecord>> {
    let parse = |part: &[StoredRecord]| part.iter().map(|s| Record::from_bytes(&s.bytes)).collect::<Vec<_>>();
    if page.len() < WORTH_A_THREAD {
        return parse(page);
    }
    let (first, second) = page.split_at(page.len() / 2);
    halves(|| parse(first), || parse(second))
}

/// Does the same to each item; in their order.
pub(crate) fn in_parallel<T: Send>(items: &[Vec<u8>], read: impl Fn(&[u8]) -> T + Sync) -> Vec<T> {
    let bytes: usize = items.iter().map(Vec::len).sum();
    let all = |items: &[Vec<u8>]| items.iter().map(|item| read(item)).collect::<Vec<_>>();
    // As near to the middle, by size, as the pieces allow.
    let mut before = 0;
    let middle = items.iter().take_while(|item| {
        before += item.len();
        before <= bytes / 2
    });
    match middle.count() {
        _ if bytes < WORTH_A_THREAD_BYTES => all(items),
        middle => {
            let (first, second) = items.split_at(middle);
            halves(|| all(first), || all(second))
        }
    }
}

/// Runs both at the same time, the second on a thread of its own, and joins what they give.
fn halves<T: Send>(first: impl FnOnce() -> Vec<T>, second: impl FnOnce() -> Vec<T> + Send) -> Vec<T> {
    std::thread::scope(|scope| {
        let second = scope.spawn(second);
        let mut all = first();
        match second.join() {
            Ok(second) => all.extend(second),
            Err(panic) => std::panic::resume_unwind(panic),
        }
        all
    })
}
