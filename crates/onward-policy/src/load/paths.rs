//! Path patterns and paths of programs, as they stand in a file.

use onward_event::Verdict;

use super::fields::{At, Fields};
use super::source::Source;
use crate::globs::{self, PathGlobs};

/// The patterns of `read` or `write`.
pub(super) fn globs(
    source: &mut Source<'_>,
    fields: &mut Fields<'_>,
    key: &'static str,
    effect: Option<Verdict>,
) -> Option<PathGlobs> {
    let patterns = fields.texts(source, key)?;
    let before = source.count();
    if patterns.it.is_empty() && matches!(effect, Some(Verdict::Ask | Verdict::Deny)) {
        let instead = format!("name the paths that it is about, or leave `{key}` out");
        source.wrong(&patterns.at, format!("with an empty `{key}` the rule can match nothing"), instead);
    }
    for pattern in &patterns.it {
        check(source, key, pattern, effect);
    }
    let texts: Vec<String> = patterns.it.iter().map(|pattern| pattern.it.clone()).collect();
    match PathGlobs::new(texts) {
        Ok(globs) => (source.count() == before).then_some(globs),
        Err((index, why)) => {
            let at = patterns.it.get(index).map_or(&patterns.at, |pattern| &pattern.at);
            source.wrong(
                at,
                format!("`{key}` has a bad pattern: {why}"),
                "close every `[` and `{`; a `\\` before one takes it literally",
            );
            None
        }
    }
}

fn check(source: &mut Source<'_>, key: &str, pattern: &At<String>, effect: Option<Verdict>) {
    if let Some(instead) = globs::bad_start(&pattern.it) {
        source.wrong(
            &pattern.at,
            format!("`{key}` cannot match {:?}: paths are absolute", pattern.it),
            instead,
        );
    } else if pattern.it.split('/').any(|component| component == ".." || component == ".") {
        let what = format!("`{key}` cannot match {:?}: a resolved path has no `.` and no `..`", pattern.it);
        source.wrong(&pattern.at, what, "write the path without them");
    } else if effect == Some(Verdict::Allow) && globs::is_unbounded(&pattern.it) {
        let what = format!("{:?} is no bound: it is every file of the machine", pattern.it);
        source.wrong(&pattern.at, what, "write \"${workspace}/**\", or the folder that is meant");
    }
}

/// The paths of `program`.
pub(super) fn programs(source: &mut Source<'_>, fields: &mut Fields<'_>) -> Vec<String> {
    let Some(paths) = fields.texts(source, "program") else { return Vec::new() };
    if paths.it.is_empty() {
        source.wrong(
            &paths.at,
            "with an empty `program` the rule can match nothing",
            "name a file, or leave `program` out",
        );
    }
    for path in &paths.it {
        program(source, path);
    }
    paths.it.into_iter().map(|path| path.it).collect()
}

/// One path of a program.
pub(super) fn program(source: &mut Source<'_>, path: &At<String>) {
    let names: Vec<&str> = path.it.split('/').collect();
    let borrowed = names.get(1) == Some(&"proc") && names.len() > 3;
    if !path.it.starts_with('/') || names.contains(&"..") {
        let instead = "write its absolute path, as `command -v` shows it";
        source.wrong(&path.at, format!("{:?} is not the path of a program", path.it), instead);
    } else if borrowed {
        let what = format!("{:?} leads through another process: what is there is not fixed", path.it);
        source.wrong(&path.at, what, "write the path of the file itself");
    } else if path.it.contains(['*', '?', '[']) {
        let what = format!("{:?} has a wildcard, and programs are compared as files", path.it);
        source.wrong(&path.at, what, "name each file");
    }
}
