//! A change as people are shown it before they agree.

use std::time::Duration;

use similar::{Algorithm, TextDiff};

use crate::change::Proposal;
use crate::files::{Files, Place};
use crate::text::{self, binary_kind};

/// How long a diff may be worked on before it becomes coarser.
const DIFF_TIME: Duration = Duration::from_millis(300);
/// Lines around a difference.
const CONTEXT: usize = 3;

/// Notes on what else the change means, and a unified diff, of which the middle is left out beyond about `max` bytes.
pub(crate) fn of_change(files: &Files, place: &Place, proposal: &Proposal, max: usize) -> String {
    let mut out = notes(files, place, proposal);
    let before = proposal.target.current.as_ref().map_or(&[][..], |current| &current.bytes);
    if proposal.target.current.is_some() && before == proposal.after {
        out.push_str("no difference\n");
        return out;
    }
    let sizes = (before.len() as u64, proposal.after.len() as u64);
    if binary_kind(before).is_some() || binary_kind(&proposal.after).is_some() {
        out.push_str(&format!("binary content: {} become {}\n", text::size(sizes.0), text::size(sizes.1)));
        return out;
    }
    let diff = diff(place, proposal.target.current.is_some(), before, &proposal.after);
    out.push_str(&head_and_tail(&diff, max));
    out
}

/// A text of at most about `max` bytes: the whole, or its beginning and its end with a word on what is left out between
/// them. Lines are shown whole or not at all: half a line could be signed for another one.
fn head_and_tail(whole: &str, max: usize) -> String {
    if whole.len() <= max {
        return whole.to_owned();
    }
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    let fitting = |lines: &mut dyn Iterator<Item = &&str>| {
        let mut room = max / 2;
        lines
            .take_while(|line| {
                let fits = line.len() <= room;
                room = room.saturating_sub(line.len());
                fits
            })
            .count()
    };
    let head = fitting(&mut lines.iter());
    let tail = fitting(&mut lines[head..].iter().rev());
    let (head, rest) = lines.split_at(head);
    let (left_out, tail) = rest.split_at(rest.len() - tail);
    let bytes: usize = left_out.iter().map(|line| line.len()).sum();
    format!(
        "{}[{} of the difference ({}) left out here; the whole has {} and the digest {}. `onward log --json` has the \
         call's whole input]\n{}",
        head.concat(),
        text::count(left_out.len() as u64, "line"),
        text::size(bytes as u64),
        text::count(lines.len() as u64, "line"),
        onward_port::digest(whole.as_bytes()),
        tail.concat(),
    )
}

fn notes(files: &Files, place: &Place, proposal: &Proposal) -> String {
    let target = &proposal.target;
    let mut notes = String::new();
    let real = files.paths().shown(&target.real);
    if real != place.shown {
        notes.push_str(&format!("`{}` is reached through a symbolic link: `{real}` changes\n", place.shown));
    }
    if let Some(folder) = target.new_folder() {
        notes.push_str(&format!("makes the folder `{}`\n", files.paths().shown(folder)));
    }
    if let Some(links) = target.current.as_ref().map(|current| current.links).filter(|links| *links > 1) {
        let others = text::count(links - 1, "other hard link");
        notes.push_str(&format!(
            "has {others}: the file is replaced under this name, and keeps its old content under the other\n"
        ));
    }
    notes
}

fn diff(place: &Place, exists: bool, before: &[u8], after: &[u8]) -> String {
    let (old, new) = (String::from_utf8_lossy(before), String::from_utf8_lossy(after));
    let diff = TextDiff::configure().algorithm(Algorithm::Myers).timeout(DIFF_TIME).diff_lines(&*old, &*new);
    let from = if exists { place.shown.as_str() } else { "/dev/null" };
    diff.unified_diff().context_radius(CONTEXT).header(from, &place.shown).to_string()
}
