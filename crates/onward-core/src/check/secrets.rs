//! Rule 22: no configured secret stands in a record or in the content that it names.
//!
//! A report says which secret by its place in the configuration, never by its value.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use onward_event::Digest;

use super::blobs::blobs_of;
use super::env::{CheckEnv, Checked};
use super::report::Findings;
use super::rule::Rule;

const RULE: u8 = 22;

#[derive(Default)]
pub(super) struct Secrets {
    /// Content that was searched before.
    searched: BTreeSet<Digest>,
}

impl Rule for Secrets {
    fn record(&mut self, seen: &Checked<'_>, env: &mut dyn CheckEnv, out: &mut Findings) {
        let at = seen.record.seq;
        let fresh: Vec<_> = blobs_of(&seen.record.event)
            .into_iter()
            .filter(|(hash, _)| self.searched.insert(*hash))
            .collect();
        for (n, secret) in env.secrets().iter().enumerate() {
            let forms = written_forms(secret);
            if forms.iter().any(|form| contains(seen.bytes, form)) {
                out.violation(RULE, at, format!("the record holds secret number {} in plain", n + 1));
            }
            for (hash, what) in &fresh {
                if forms.iter().any(|form| env.blob_contains(hash, form)) {
                    let what = format!("{what} ({}) holds secret number {} in plain", hash.short(), n + 1);
                    out.violation(RULE, at, what);
                }
            }
        }
    }
}

/// How a secret looks as it is, as a JSON text, and as a JSON text within a JSON text. An empty one looks like
/// nothing.
fn written_forms(secret: &str) -> Vec<Vec<u8>> {
    let once = escaped(secret);
    let mut forms = alloc::vec![secret.into(), once.clone(), escaped(&once)];
    forms.dedup();
    forms.into_iter().filter(|form| !form.is_empty()).map(String::into_bytes).collect()
}

fn escaped(text: &str) -> String {
    let quoted = serde_json::to_string(text).unwrap_or_default();
    let inner = quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    inner.unwrap_or_default().into()
}

fn contains(haystack: &[u8], needle: &[u8]) -> bool {
    haystack.windows(needle.len()).any(|window| window == needle)
}
