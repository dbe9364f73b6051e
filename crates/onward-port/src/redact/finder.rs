//! Finding many forms in one pass.
//!
//! The automaton looks for the beginnings of forms only. Where one stands, the text is compared on: what agrees to the
//! end of the form is the secret; what agrees for long enough, or up to where the text was cut, is what is left of it.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use aho_corasick::AhoCorasick;

use super::{SHORTEST_SECRET, TELLTALE};

/// Forms, by their beginning.
pub(super) struct Finder {
    forms: Vec<Form>,
    beginnings: AhoCorasick,
    /// For each pattern of `beginnings`, the forms that begin so.
    begun: Vec<Vec<usize>>,
    longest: usize,
}

struct Form {
    bytes: Vec<u8>,
    secret: usize,
}

impl Finder {
    /// Of forms and the number of the secret that each shows; those that are too short are left out.
    pub(super) fn new(forms: Vec<(Vec<u8>, usize)>) -> Option<Self> {
        let (mut all, mut by_beginning) = (Vec::new(), BTreeMap::<Vec<u8>, Vec<usize>>::new());
        let forms: BTreeSet<_> = forms.into_iter().collect();
        for (bytes, secret) in forms {
            let Some(beginning) = bytes.get(..SHORTEST_SECRET) else { continue };
            by_beginning.entry(beginning.to_vec()).or_default().push(all.len());
            all.push(Form { bytes, secret });
        }
        let longest = all.iter().map(|form| form.bytes.len()).max().unwrap_or(0);
        // Building fails only beyond the automaton's own limits, far above any configuration.
        let beginnings = AhoCorasick::new(by_beginning.keys()).ok()?;
        Some(Self { forms: all, beginnings, begun: by_beginning.into_values().collect(), longest })
    }

    /// Bytes of the longest form.
    pub(super) fn longest(&self) -> usize {
        self.longest
    }

    /// Whether a form begins somewhere in these bytes.
    pub(super) fn may_be_in(&self, bytes: &[u8]) -> bool {
        self.beginnings.is_match(bytes)
    }

    /// Every place that shows a secret, and which. `is_cut` says of a place whether the text was cut off there.
    pub(super) fn find<'a>(
        &'a self,
        bytes: &'a [u8],
        is_cut: impl Fn(usize) -> bool + Copy + 'a,
    ) -> impl Iterator<Item = (Range<usize>, usize)> + 'a {
        self.beginnings.find_overlapping_iter(bytes).flat_map(move |at| {
            let rest = &bytes[at.start()..];
            self.begun[at.pattern().as_usize()].iter().filter_map(move |n| {
                let form = &self.forms[*n];
                let agreed = agreed(rest, &form.bytes);
                let end = at.start() + agreed;
                let shown = agreed == form.bytes.len() || agreed >= TELLTALE || is_cut(end);
                shown.then_some((at.start()..end, form.secret))
            })
        })
    }

    /// From where on the bytes are the beginning of a form that goes on beyond their end.
    pub(super) fn open_end(&self, bytes: &[u8]) -> Option<usize> {
        let from = bytes.len().saturating_sub(self.longest);
        let begins = |at: &usize| {
            let rest = &bytes[*at..];
            self.forms.iter().any(|form| form.bytes.len() > rest.len() && form.bytes.starts_with(rest))
        };
        (from..bytes.len()).find(begins)
    }

    /// How many bytes at the start are the end of a form.
    pub(super) fn cut_at_start(&self, bytes: &[u8]) -> Option<usize> {
        let cut = |form: &Form| {
            let most = bytes.len().min(form.bytes.len() - 1);
            (SHORTEST_SECRET..=most).rev().find(|len| form.bytes.ends_with(&bytes[..*len]))
        };
        self.forms.iter().filter_map(cut).max()
    }
}

/// How far two texts agree.
fn agreed(text: &[u8], form: &[u8]) -> usize {
    text.iter().zip(form).take_while(|(a, b)| a == b).count()
}
