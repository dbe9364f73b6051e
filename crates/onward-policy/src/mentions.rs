//! Files of the work that a script's text mentions, wherever in it their names stand.
//!
//! What a script runs need not be a word of its own: `f=run.sh; sh $f`, `PATH=. run.sh`, `for f in run.sh`, `sh run.s?`,
//! `perl -e 'do "./run.sh"'`. So the text is cut where no name of a file goes on, and each piece that is the name of a
//! file of the workspace is one that the script mentions. Too many rather than too few: an approval is bound to them, and
//! one that is bound to a file that does not matter is asked about again at worst.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::globs::below;
use crate::{resolve, wild};

/// Pieces of a text that are looked at.
const MAX_PIECES: usize = 4_096;
/// Beginnings of a piece that are left out.
const MAX_SLASHES: usize = 16;
/// Names in a folder that a pattern is held against.
const MAX_ENTRIES: usize = 1_024;

/// The regular files of the workspace that `text` mentions, when it runs in `dir`; by what their names lead to.
pub(crate) fn of(text: &str, dir: &str, workspace: &str) -> BTreeSet<String> {
    let pieces: BTreeSet<&str> = text.split(|c| !goes_on(c)).filter(|piece| !piece.is_empty()).collect();
    let mut found = BTreeSet::new();
    for piece in pieces.into_iter().take(MAX_PIECES) {
        // What stands before a slash may be a variable.
        let behind = piece.match_indices('/').filter_map(|(at, _)| piece.get(at + 1..)).take(MAX_SLASHES);
        for name in [piece].into_iter().chain(behind).filter(|name| !name.is_empty()) {
            match wild::is_wild(name) {
                true => matches(name, dir, &mut found),
                false => found.extend([resolve::path(name, dir).real]),
            }
        }
    }
    found.retain(|path| {
        below(path, workspace).is_some() && fs::metadata(path).is_ok_and(|meta| meta.is_file())
    });
    found
}

/// Whether a name of a file goes on with this.
fn goes_on(c: char) -> bool {
    c.is_alphanumeric() || "_./~+-@%,*?[]".contains(c) || !c.is_ascii() && !c.is_whitespace()
}

/// What a pattern could stand for, when only its last part is one.
fn matches(pattern: &str, dir: &str, found: &mut BTreeSet<String>) {
    let (folder, last) = pattern.rsplit_once('/').unwrap_or(("", pattern));
    let folder = Path::new(dir).join(folder);
    for entry in fs::read_dir(&folder).into_iter().flatten().flatten().take(MAX_ENTRIES) {
        if let Some(name) = entry.file_name().to_str()
            && wild::may_end_as(last, name)
        {
            found.insert(resolve::path(name, &folder.to_string_lossy()).real);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_wherever_they_stand() {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path().canonicalize().unwrap().display().to_string();
        for name in ["run.sh", "bin/foo", "other"] {
            let path = Path::new(&root).join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        for (text, names) in [
            ("f=run.sh; sh $f", &["run.sh"][..]),
            ("BASH_ENV=run.sh bash -c true", &["run.sh"]),
            ("for f in run.sh; do sh $f; done", &["run.sh"]),
            ("sh run.s?", &["run.sh"]),
            ("cp ./ru*.sh out; sh out", &["run.sh"]),
            ("sh \"$PWD/run.sh\"", &["run.sh"]),
            ("perl -e 'do \"./run.sh\"'", &["run.sh"]),
            ("sed '1e sh run.sh' other", &["other", "run.sh"]),
            ("bin/f?o", &["bin/foo"]),
            ("echo /etc/passwd ../x", &[]),
        ] {
            let expected = names.iter().map(|name| format!("{root}/{name}")).collect();
            assert_eq!(of(text, &root, &root), expected, "{text}");
        }
    }
}
