//! Rule 1: positions are contiguous from 1, hashes chain, and every blob that a record names is stored under its
//! hash.

use alloc::collections::BTreeSet;
use alloc::format;

use onward_event::{Digest, Seq};

use super::blobs::blobs_of;
use super::env::{CheckEnv, Checked};
use super::report::Findings;
use super::rule::Rule;

const RULE: u8 = 1;

pub(super) struct Chain {
    last: Seq,
    hash: Digest,
    /// Content that was found before: the same head is named by every request of a run.
    found: BTreeSet<Digest>,
}

impl Default for Chain {
    fn default() -> Self {
        Self { last: Seq(0), hash: Digest::ZERO, found: BTreeSet::new() }
    }
}

impl Rule for Chain {
    fn record(&mut self, seen: &Checked<'_>, env: &mut dyn CheckEnv, out: &mut Findings) {
        let at = seen.record.seq;
        if at != self.last.next() {
            let what = format!("it stands where record {} should be", self.last.next());
            out.violation(RULE, at, what);
        }
        let expected = env.chain(&self.hash, seen.bytes);
        if expected != seen.hash {
            let what = format!(
                "its stored hash is {}, but its bytes chained to record {} give {}; one of the two was changed after it was written",
                seen.hash.short(),
                self.last,
                expected.short()
            );
            out.violation(RULE, at, what);
        }
        // From the stored hash on, so that one damage is reported once.
        self.last = at;
        self.hash = seen.hash;
        for (hash, what) in blobs_of(&seen.record.event) {
            if self.found.contains(&hash) {
                continue;
            }
            if env.has_blob(&hash) {
                self.found.insert(hash);
            } else {
                let what = format!("{what} is stored nowhere, or is not what its hash {} says", hash.short());
                out.violation(RULE, at, what);
            }
        }
    }
}
