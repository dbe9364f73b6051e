//! Path patterns: `${workspace}/**`, `/etc/*`, `**/.env`.
//!
//! `${workspace}` is known only when a call is judged, and patterns are compiled once, when they are loaded. So the word
//! is compiled as a folder that cannot exist, and a path below the workspace is looked at under both names.

use std::sync::Arc;

use globset::{Candidate, GlobBuilder, GlobSet, GlobSetBuilder};

/// Stands for the workspace in compiled patterns. A resolved path has no control character that could make it one of
/// these: [`PathGlobs::matches`] refuses those that have.
const WORKSPACE: &str = "/\u{1}workspace";
/// The word for it in a file.
pub(crate) const WORD: &str = "${workspace}";

/// Several patterns, of which one has to match. Shares its compiled form with its copies.
#[derive(Clone, Debug)]
pub struct PathGlobs {
    patterns: Vec<String>,
    set: Arc<GlobSet>,
}

impl PathGlobs {
    /// Compiles patterns that stand in a file.
    ///
    /// `*` and `?` stay within one component; `folder/**` is the folder and all below it.
    ///
    /// # Errors
    /// Which pattern, by its place in the list, and what is wrong with it.
    pub fn new(patterns: Vec<String>) -> Result<Self, (usize, String)> {
        let mut builder = GlobSetBuilder::new();
        for (index, pattern) in patterns.iter().enumerate() {
            for variant in variants(pattern) {
                let glob = GlobBuilder::new(&variant).literal_separator(true).backslash_escape(true).build();
                builder.add(glob.map_err(|error| (index, error.kind().to_string()))?);
            }
        }
        let set = builder.build().map_err(|error| (0, error.kind().to_string()))?;
        Ok(Self { patterns, set: Arc::new(set) })
    }

    /// As they stand in the file.
    pub fn patterns(&self) -> &[String] {
        &self.patterns
    }

    /// Whether one of the patterns is about this absolute path.
    pub(crate) fn matches(&self, path: &str, workspace: &str) -> bool {
        if path.contains('\u{1}') {
            return false;
        }
        if self.set.is_match_candidate(&Candidate::new(path)) {
            return true;
        }
        below(path, workspace)
            .is_some_and(|rest| self.set.is_match_candidate(&Candidate::new(&format!("{WORKSPACE}{rest}"))))
    }
}

/// What is wrong with where a pattern starts, if anything is.
pub(crate) fn bad_start(pattern: &str) -> Option<&'static str> {
    let rest = pattern.strip_prefix(WORD);
    if rest.is_some_and(|rest| !rest.is_empty() && !rest.starts_with('/')) {
        return Some("write a `/` after `${workspace}`");
    }
    if rest.unwrap_or(pattern).contains("${") {
        return Some("the only name that is replaced is `${workspace}`, at the start");
    }
    if rest.is_none() && !pattern.starts_with('/') && !pattern.starts_with("**/") {
        return Some("start with `${workspace}/`, with `/`, or with `**/` for any folder");
    }
    None
}

/// Whether a pattern names everything there is, wherever it is.
pub(crate) fn is_unbounded(pattern: &str) -> bool {
    !pattern.starts_with(WORD) && pattern.trim_start_matches('/').starts_with("**")
}

/// The patterns to compile for one that stands in a file.
fn variants(pattern: &str) -> Vec<String> {
    let pattern = pattern.strip_prefix(WORD).map_or(pattern.to_owned(), |rest| format!("{WORKSPACE}{rest}"));
    match pattern.strip_suffix("/**") {
        Some(folder) if !folder.is_empty() => vec![folder.to_owned(), pattern],
        _ => vec![pattern],
    }
}

/// What follows the folder in the path of something in it, component by component: empty, or from a `/` on.
pub(crate) fn below<'a>(path: &'a str, folder: &str) -> Option<&'a str> {
    let rest = path.strip_prefix(folder.trim_end_matches('/'))?;
    (rest.is_empty() || rest.starts_with('/')).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn globs(pattern: &str) -> PathGlobs {
        PathGlobs::new(vec![pattern.to_owned()]).unwrap()
    }

    #[test]
    fn the_workspace_is_a_folder_and_not_the_start_of_a_name() {
        let inside = globs("${workspace}/**");
        for path in ["/srv/repo", "/srv/repo/a", "/srv/repo/.git/config"] {
            assert!(inside.matches(path, "/srv/repo"), "{path}");
        }
        for path in ["/srv/repo-evil/a", "/srv", "/srv/repository", "/a/srv/repo/b", "/\u{1}workspace/a"] {
            assert!(!inside.matches(path, "/srv/repo"), "{path}");
        }
    }

    #[test]
    fn stars_stay_in_their_component() {
        let one = globs("${workspace}/src/*.rs");
        assert!(one.matches("/w/src/a.rs", "/w") && !one.matches("/w/src/a/b.rs", "/w"));
        let anywhere = globs("**/.env");
        assert!(anywhere.matches("/w/.env", "/w") && anywhere.matches("/home/user/x/.env", "/w"));
        assert!(!anywhere.matches("/w/.env.example", "/w"));
    }

    #[test]
    fn the_whole_machine_may_be_the_workspace() {
        assert!(globs("${workspace}/**").matches("/etc/passwd", "/"));
    }
}
