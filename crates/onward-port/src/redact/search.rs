//! Finding every form of every secret in one pass.
//!
//! The automaton looks for the beginnings of forms only. Where one stands, the text is compared on: what agrees to the
//! end of the form is the secret; what agrees for long enough, or up to where the text was cut, is what is left of it.

use std::collections::BTreeMap;

use aho_corasick::AhoCorasick;

use super::forms::forms;
use super::{NamedSecret, SHORTEST_SECRET, TELLTALE};

/// Every form of every secret, by its beginning.
pub(super) struct Search {
    /// What replaces each secret.
    marks: Vec<String>,
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

/// A place that shows a secret, or the beginning of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Region {
    pub(super) start: usize,
    pub(super) end: usize,
    secret: usize,
}

impl Search {
    /// `None` when there is nothing to look for.
    pub(super) fn new(secrets: impl IntoIterator<Item = NamedSecret>) -> Option<Self> {
        let (mut marks, mut all, mut by_beginning) =
            (Vec::new(), Vec::new(), BTreeMap::<Vec<u8>, Vec<usize>>::new());
        for NamedSecret { name, value } in secrets {
            if value.expose().len() < SHORTEST_SECRET {
                continue;
            }
            for bytes in forms(value.expose()) {
                by_beginning.entry(bytes[..SHORTEST_SECRET].to_vec()).or_default().push(all.len());
                all.push(Form { bytes, secret: marks.len() });
            }
            marks.push(format!("[secret:{}]", plain(&name)));
        }
        let longest = all.iter().map(|form| form.bytes.len()).max()?;
        // Building fails only beyond the automaton's own limits, far above any configuration.
        let beginnings = AhoCorasick::new(by_beginning.keys()).ok()?;
        let begun = by_beginning.into_values().collect();
        Some(Self { marks, forms: all, beginnings, begun, longest })
    }

    /// How many secrets.
    pub(super) fn len(&self) -> usize {
        self.marks.len()
    }

    /// Bytes of the longest form.
    pub(super) fn longest(&self) -> usize {
        self.longest
    }

    /// Whether the bytes hold even the beginning of a form: where they do not, there is nothing more to look at.
    pub(super) fn may_hold(&self, bytes: &[u8]) -> bool {
        self.beginnings.is_match(bytes)
    }

    /// Every place that shows a secret, in their order; none overlaps another.
    pub(super) fn regions(&self, bytes: &[u8]) -> Vec<Region> {
        let mut found = Vec::new();
        for at in self.beginnings.find_overlapping_iter(bytes) {
            let rest = &bytes[at.start()..];
            for form in self.begun[at.pattern().as_usize()].iter().map(|n| &self.forms[*n]) {
                let agreed = agreed(rest, &form.bytes);
                if agreed == form.bytes.len() || agreed >= TELLTALE || is_cut(&rest[agreed..]) {
                    found.push(Region { start: at.start(), end: at.start() + agreed, secret: form.secret });
                }
            }
        }
        merged(found)
    }

    /// The same for a text: no place ends within a character.
    pub(super) fn regions_of_text(&self, text: &str) -> Vec<Region> {
        let mut regions = self.regions(text.as_bytes());
        for region in &mut regions {
            region.end = text.floor_char_boundary(region.end);
        }
        regions
    }

    /// A text with the marks of its secrets in those places.
    pub(super) fn replace_in_text(&self, text: String, regions: &[Region]) -> String {
        if regions.is_empty() {
            return text;
        }
        let (mut out, mut done) = (String::with_capacity(text.len()), 0);
        for region in regions {
            out.push_str(text.get(done..region.start).unwrap_or_default());
            out.push_str(&self.marks[region.secret]);
            done = region.end;
        }
        out.push_str(text.get(done..).unwrap_or_default());
        out
    }

    /// With something else in those places.
    pub(super) fn replace(
        &self,
        bytes: &[u8],
        regions: &[Region],
        mark: impl Fn(&Self, &Region) -> String,
    ) -> Vec<u8> {
        let mut out = Vec::with_capacity(bytes.len());
        let mut done = 0;
        for region in regions {
            out.extend_from_slice(&bytes[done..region.start]);
            out.extend_from_slice(mark(self, region).as_bytes());
            done = region.end;
        }
        out.extend_from_slice(&bytes[done..]);
        out
    }

    /// `[secret:NAME]`.
    pub(super) fn mark(&self, region: &Region) -> String {
        self.marks[region.secret].clone()
    }

    /// The same in exactly as many bytes as the place has: a name that does not fit is left out.
    pub(super) fn fitted_mark(&self, region: &Region) -> String {
        let (size, mark) = (region.end - region.start, &self.marks[region.secret]);
        match size {
            size if mark.len() <= size => format!("{mark:*<size$}"),
            size => format!("{:*<size$.size$}", "[secret]"),
        }
    }

    /// From where on the text may be the beginning of a form that goes on beyond its end.
    pub(super) fn open_end(&self, bytes: &[u8]) -> usize {
        let from = bytes.len().saturating_sub(self.longest);
        let begins = |at: &usize| {
            let rest = &bytes[*at..];
            self.forms.iter().any(|form| form.bytes.len() > rest.len() && form.bytes.starts_with(rest))
        };
        (from..bytes.len()).find(begins).unwrap_or(bytes.len())
    }

    /// Bytes at the start that are the end of a form.
    pub(super) fn cut_at_start(&self, bytes: &[u8]) -> usize {
        let cut = |form: &Form| {
            let most = bytes.len().min(form.bytes.len() - 1);
            (SHORTEST_SECRET..=most).rev().find(|len| form.bytes.ends_with(&bytes[..*len]))
        };
        self.forms.iter().filter_map(cut).max().unwrap_or(0)
    }
}

/// How far two texts agree.
fn agreed(text: &[u8], form: &[u8]) -> usize {
    text.iter().zip(form).take_while(|(a, b)| a == b).count()
}

/// Whether a text was cut off here.
fn is_cut(rest: &[u8]) -> bool {
    rest.is_empty() || rest.starts_with("…".as_bytes())
}

fn merged(mut found: Vec<Region>) -> Vec<Region> {
    // Of two that begin together the longer one says whose it is.
    found.sort_by_key(|region| (region.start, std::cmp::Reverse(region.end)));
    let mut merged: Vec<Region> = Vec::with_capacity(found.len());
    for region in found {
        match merged.last_mut() {
            Some(last) if region.start < last.end => last.end = last.end.max(region.end),
            _ => merged.push(region),
        }
    }
    merged
}

/// A name that can stand in any text without changing what it means there.
fn plain(name: &str) -> String {
    let fits = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
    name.chars().map(|c| if fits(c) { c } else { '_' }).collect()
}
