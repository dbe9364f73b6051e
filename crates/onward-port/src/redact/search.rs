//! Finding every form of every secret: in the text as it is, in the text without its line ends, and in its hexadecimal
//! digits. Each is one pass.

use std::ops::Range;

use super::finder::Finder;
use super::forms::forms;
use super::view::View;
use super::wrapped::{squeezed, unwrapped};
use super::{NamedSecret, SHORTEST_SECRET, dump};

/// Every form of every secret, by the reading of a text in which it is found.
pub(super) struct Search {
    /// What replaces each secret.
    marks: Vec<String>,
    plain: Finder,
    wrapped: Finder,
    /// Whether a secret has lines itself: then it may also be in a text that has none.
    has_lines: bool,
    dumped: Finder,
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
        let mut has_lines = false;
        let (mut marks, mut plain, mut wrapped, mut dumped) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for NamedSecret { name, value } in secrets {
            if value.expose().len() < SHORTEST_SECRET {
                continue;
            }
            let secret = marks.len();
            has_lines |= value.expose().contains(['\n', '\r', '\\']);
            for form in forms(value.expose()) {
                wrapped.push((squeezed(&form), secret));
                plain.push((form, secret));
            }
            dumped.extend(dump::forms(value.expose().as_bytes()).map(|form| (form, secret)));
            marks.push(format!("[secret:{}]", plain_name(&name)));
        }
        if marks.is_empty() {
            return None;
        }
        let [plain, wrapped, dumped] = [plain, wrapped, dumped].map(Finder::new);
        Some(Self { marks, plain: plain?, wrapped: wrapped?, has_lines, dumped: dumped? })
    }

    /// How many secrets.
    pub(super) fn len(&self) -> usize {
        self.marks.len()
    }

    /// Bytes to both sides of a place that tell whether a secret reaches into it, also one that is set in lines: those
    /// of common programs take less than four bytes for each.
    pub(super) fn margin(&self) -> usize {
        const SET_IN_LINES: usize = 4;
        let longest = self.plain.longest().max(self.dumped.longest());
        SET_IN_LINES * longest
    }

    /// Whether the bytes hold even the beginning of a form: where they do not, there is nothing more to look at.
    pub(super) fn may_hold(&self, bytes: &[u8]) -> bool {
        self.plain.may_be_in(bytes)
            || self.unwrapped(bytes).is_some_and(|view| self.wrapped.may_be_in(view.bytes()))
            || self.dumped.may_be_in(dump::digits_of(bytes, 0).bytes())
    }

    /// Every place that shows a secret, in their order; none overlaps another.
    pub(super) fn regions(&self, bytes: &[u8]) -> Vec<Region> {
        self.regions_inside(bytes, 0)
    }

    /// The same for a text of whose first line so many bytes are not there any more.
    fn regions_inside(&self, bytes: &[u8], before: usize) -> Vec<Region> {
        let region =
            |(place, secret): (Range<usize>, usize)| Region { start: place.start, end: place.end, secret };
        let mut found: Vec<_> = self.plain.find(bytes, |end| is_cut(&bytes[end..])).map(region).collect();
        if let Some(view) = self.unwrapped(bytes) {
            found.extend(self.in_view(&self.wrapped, &view, bytes).map(region));
        }
        found.extend(self.in_view(&self.dumped, &dump::digits_of(bytes, before), bytes).map(region));
        merged(found)
    }

    /// The text without its lines; `None` where that would show nothing else.
    fn unwrapped(&self, text: &[u8]) -> Option<View> {
        let whole = || {
            let mut view = View::default();
            view.push(text, 0);
            view
        };
        unwrapped(text).or_else(|| self.has_lines.then(whole))
    }

    fn in_view<'a>(
        &self,
        finder: &'a Finder,
        view: &'a View,
        text: &'a [u8],
    ) -> impl Iterator<Item = (Range<usize>, usize)> + 'a {
        let found = finder.find(view.bytes(), |end| is_cut(&text[view.at(end - 1) + 1..]));
        found.map(|(place, secret)| (view.in_text(place), secret))
    }

    /// The same for a text: no place ends within a character.
    pub(super) fn regions_of_text(&self, text: &str, before: usize) -> Vec<Region> {
        let mut regions = self.regions_inside(text.as_bytes(), before);
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
    pub(super) fn open_end(&self, bytes: &[u8], before: usize) -> usize {
        // Half a line end that is written out says nothing yet.
        let whole = bytes.strip_suffix(b"\\").unwrap_or(bytes);
        let wrapped = match self.unwrapped(whole) {
            Some(view) => self.wrapped.open_end(view.bytes()).map(|at| view.at(at)),
            None => self.wrapped.open_end(whole),
        };
        let undecided = dump::undecided(bytes, before);
        let view = dump::open_digits_of(&bytes[..undecided], before);
        let dumped = |digits: &[u8]| {
            let open = self.dumped.open_end(digits);
            open.map(|at| dump::line_of(bytes, view.at(at)))
        };
        // A zero at the end may be that of `0x`.
        let (digits, fewer) = (view.bytes(), view.bytes().strip_suffix(b"0"));
        let dumped = dumped(digits).into_iter().chain(fewer.and_then(dumped)).min();
        [self.plain.open_end(bytes), wrapped, dumped].into_iter().flatten().fold(undecided, usize::min)
    }

    /// Bytes at the start that are the end of a form.
    pub(super) fn cut_at_start(&self, bytes: &[u8]) -> usize {
        let start = &bytes[..bytes.len().min(self.margin())];
        let wrapped = self.unwrapped(start).map_or(0, |view| {
            self.wrapped.cut_at_start(view.bytes()).map_or(0, |length| view.in_text(0..length).end)
        });
        // The first line of a dump may itself be cut anywhere.
        let lines = std::iter::once(0).chain(start.iter().position(|byte| *byte == b'\n').map(|at| at + 1));
        let dumped = lines.filter_map(|line| {
            let view = dump::digits_of(&start[line..], 0);
            self.dumped.cut_at_start(view.bytes()).map(|length| line + view.in_text(0..length).end)
        });
        dumped.chain(self.plain.cut_at_start(start)).fold(wrapped, usize::max)
    }
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
fn plain_name(name: &str) -> String {
    let fits = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
    name.chars().map(|c| if fits(c) { c } else { '_' }).collect()
}
