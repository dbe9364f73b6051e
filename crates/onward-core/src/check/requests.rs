//! Rule 15: the digest of every prepared request equals the one rebuilt from the log up to its position. A projection
//! that this binary lacks is reported as unverifiable, by name.

use alloc::format;

use onward_event::Event;

use super::env::{CheckEnv, Checked, Rebuilt};
use super::report::Findings;
use super::rule::Rule;

const RULE: u8 = 15;

pub(super) struct Requests;

impl Rule for Requests {
    fn record(&mut self, seen: &Checked<'_>, env: &mut dyn CheckEnv, out: &mut Findings) {
        let Event::RequestPrepared(body) = &seen.record.event else { return };
        let at = seen.record.seq;
        match env.rebuild(body, at) {
            Rebuilt::Digest(digest) if digest == body.digest => {}
            Rebuilt::Digest(digest) => {
                let what = format!(
                    "the request of {} was recorded as {}, but the log gives {}",
                    body.step,
                    body.digest.short(),
                    digest.short()
                );
                out.violation(RULE, at, what);
            }
            Rebuilt::Failed(why) => {
                out.violation(RULE, at, format!("the request of {} cannot be rebuilt: {why}", body.step));
            }
            Rebuilt::Unverifiable(why) => {
                out.unverifiable(at, format!("the request of {} cannot be verified: {why}", body.step));
            }
        }
    }
}
