//! The files that a call names, as they are: what an approval is bound to.
//!
//! It is bound to them so that nobody puts another script, program or input in their place between the answer and the
//! start. What a command surely writes (`> out`, `sort -o data data`) is bound by its name alone, which stands in the
//! call: else each run would undo the approval of the next one.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::MetadataExt as _;

use onward_event::FileState;
use onward_port::digest;

use crate::call::{Call, Kind, Part, PathUse};
use crate::mentions;

/// Files that one decision is bound to; what a call names beyond them is not watched.
pub const MAX_FILES: usize = 64;
/// Bytes of a file that are read for its digest. Of a larger one, size, place and time of change are taken.
pub const MAX_FILE_BYTES: u64 = 16 << 20;
/// Bytes that are read for one decision; files after them are taken as the larger ones.
const MAX_ALL_BYTES: u64 = 64 << 20;

/// The files that this call names: those that a tool would change, whether they exist or not, and the existing ones among
/// the words of its commands, but for what the part that names them surely writes; and what else of the work its script
/// mentions. In the order of their names.
pub(crate) fn of(call: &Call<'_>) -> Vec<FileState> {
    let mut named = mentioned(call);
    for part in call.parts.iter().filter(|part| part.kind != Kind::Opaque) {
        named.extend(names(part).into_iter().filter(|path| !part.outputs.contains(path)));
    }
    let mut left = MAX_ALL_BYTES;
    named.into_iter().take(MAX_FILES).map(|path| bounded_state(path, &mut left)).collect()
}

/// The files of the work that the text of the call's script mentions, but for what it surely writes.
pub(crate) fn mentioned(call: &Call<'_>) -> BTreeSet<String> {
    let Some(planned) = &call.request.plan.effects.command else { return BTreeSet::new() };
    let mut named = mentions::of(&planned.script, &planned.dir, &call.request.workspace.root);
    named.retain(|path| !call.parts.iter().any(|part| part.outputs.contains(path)));
    named
}

/// A file as it is now.
pub(crate) fn state(path: &str) -> FileState {
    bounded_state(path.to_owned(), &mut MAX_FILE_BYTES.clone())
}

/// The regular files that a part names.
pub(crate) fn names(part: &Part) -> Vec<String> {
    let mut names = Vec::new();
    for touch in &part.touches {
        let path = &touch.path.real;
        let kind = fs::metadata(path).map(|meta| meta.is_file());
        if kind.as_ref().is_ok_and(|is_file| *is_file) || touch.how == PathUse::Write && kind.is_err() {
            names.push(path.clone());
        }
    }
    // The program too, when it is a file of the work and not of the machine: it is named by its path.
    if let Some(program) =
        part.command.as_ref().filter(|command| command.argv.iter().take(1).any(|word| word.contains('/')))
        && let Some(real) = &program.program.real
        && fs::metadata(real).is_ok_and(|meta| meta.is_file())
    {
        names.push(real.clone());
    }
    names
}

fn bounded_state(path: String, left: &mut u64) -> FileState {
    let Ok(meta) = fs::metadata(&path) else {
        return FileState { path, digest: None };
    };
    // Nothing but a regular file is opened: a pipe would block, a device would not end.
    if !meta.is_file() {
        return FileState { path, digest: Some(digest(b"not a regular file")) };
    }
    let small = meta.len() <= MAX_FILE_BYTES.min(*left);
    let content = if small { fs::read(&path).ok() } else { None };
    let digest = match content {
        Some(content) => {
            *left = left.saturating_sub(content.len() as u64);
            digest(&content)
        }
        None => {
            let seen = (meta.len(), meta.dev(), meta.ino(), meta.ctime(), meta.ctime_nsec());
            digest(format!("unread {seen:?}").as_bytes())
        }
    };
    FileState { path, digest: Some(digest) }
}
