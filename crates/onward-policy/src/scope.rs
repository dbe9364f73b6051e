//! Whether resources lie in the workspace: component by component, on the text of resolved paths.
//!
//! Nothing here looks at the disk. Symbolic links are the business of the tool that resolved the path and opens the
//! file; what this module must not do is to be fooled by a text.

/// Where all that a call touches lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// It names something, and all of it lies in the workspace.
    Inside,
    /// At least one thing lies outside.
    Outside,
    /// It names nothing.
    Unnamed,
}

/// Where these resources lie, for a workspace with this root.
pub(crate) fn of(root: &str, resources: &[String]) -> Scope {
    if resources.is_empty() {
        Scope::Unnamed
    } else if resources.iter().all(|resource| is_inside(root, resource)) {
        Scope::Inside
    } else {
        Scope::Outside
    }
}

/// Whether one resource is the root or below it.
///
/// A resource that is no absolute path (a host, a stored result, a path relative to the root) cannot lie outside unless
/// it climbs. A resolved path has no `..`; one that has was not resolved, and where it leads is then the file system's
/// secret, so it counts as outside. A root that is not absolute contains nothing.
fn is_inside(root: &str, resource: &str) -> bool {
    if !root.starts_with('/') || has_climb(root) || has_climb(resource) || resource.contains('\0') {
        return false;
    }
    if resource.starts_with('~') {
        return false;
    }
    if !resource.starts_with('/') {
        return true;
    }
    let mut inner = components(resource);
    components(root).all(|outer| inner.next() == Some(outer))
}

fn has_climb(path: &str) -> bool {
    path.split('/').any(|component| component == "..")
}

/// The components that name something: `//` and `.` do not.
fn components(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|component| !component.is_empty() && *component != ".")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn containment_goes_by_components() {
        let inside = [
            "/srv/repo",
            "/srv/repo/",
            "/srv/repo/a/b",
            "/srv//repo/./a",
            "src/a.rs",
            "example.com:443",
            "art_1",
        ];
        let outside = [
            "/srv/repo-evil",
            "/srv/repo-evil/a",
            "/srv",
            "/",
            "/srv/repo/../x",
            "/srv/repo/a/..",
            "..",
            "../x",
            "a/../../x",
            "~/.ssh/id_ed25519",
            "~root",
            "/srv/repo/a\0/b",
            "/etc/passwd",
        ];
        for resource in inside {
            assert!(is_inside("/srv/repo", resource), "{resource:?} is inside");
        }
        for resource in outside {
            assert!(!is_inside("/srv/repo", resource), "{resource:?} is outside");
        }
    }

    #[test]
    fn dots_within_a_name_do_not_climb() {
        assert!(is_inside("/w", "/w/..a/b..c/..."));
    }

    #[test]
    fn a_root_that_is_not_resolved_contains_nothing() {
        for root in ["", "w", "/w/../w"] {
            assert!(!is_inside(root, "/w/a"), "{root:?}");
        }
    }

    #[test]
    fn the_whole_file_system_may_be_the_workspace() {
        assert!(is_inside("/", "/etc/passwd"));
    }

    #[test]
    fn one_resource_outside_is_enough() {
        let of =
            |resources: &[&str]| of("/w", &resources.iter().map(|r| (*r).to_owned()).collect::<Vec<_>>());
        assert_eq!(of(&["/w/a", "/x"]), Scope::Outside);
        assert_eq!(of(&["/w/a", "/w/b"]), Scope::Inside);
        assert_eq!(of(&[]), Scope::Unnamed);
    }
}
