//! What a call touches and takes up: by these the scheduler knows which calls may run at the same time.

use crate::prelude::*;

/// A resource that a call touches: calls whose accesses do not conflict run in parallel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Access {
    /// How.
    pub kind: AccessKind,
    /// What, as a path of components separated by `/`; a resource contains everything below it.
    pub resource: String,
}

impl Access {
    /// Whether both may not happen at the same time.
    pub fn conflicts_with(&self, other: &Self) -> bool {
        let writes = self.kind == AccessKind::Write || other.kind == AccessKind::Write;
        writes && (contains(&self.resource, &other.resource) || contains(&other.resource, &self.resource))
    }
}

/// Whether a call reads a resource or changes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AccessKind {
    /// May run beside other readers.
    Read,
    /// Runs alone on the resource.
    Write,
}

/// What a call takes up while it runs: the scheduler gives out places for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Occupies {
    /// One of the places for calls that are worked on.
    #[default]
    Slot,
    /// The place of a job: it goes on when the call is answered.
    Job,
    /// Nothing: it waits for something else that happens anyway.
    Nothing,
}

impl Occupies {
    /// Whether it is what nearly every call takes up.
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for this signature")]
    pub(crate) fn is_slot(&self) -> bool {
        *self == Self::Slot
    }
}

/// Whether `inner` is `outer` or below it, component by component (`/a/b` is not below `/a/bc`).
fn contains(outer: &str, inner: &str) -> bool {
    let outer = outer.trim_end_matches('/');
    match inner.strip_prefix(outer) {
        Some(rest) => rest.is_empty() || rest.starts_with('/'),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access(kind: AccessKind, resource: &str) -> Access {
        Access { kind, resource: resource.into() }
    }

    #[test]
    fn conflicts_follow_components_not_characters() {
        use AccessKind::{Read, Write};
        assert!(access(Write, "/w/a").conflicts_with(&access(Read, "/w/a")));
        assert!(access(Write, "/w").conflicts_with(&access(Read, "/w/a/b")));
        assert!(access(Read, "/w/a/b").conflicts_with(&access(Write, "/w/")));
        assert!(!access(Read, "/w").conflicts_with(&access(Read, "/w")));
        assert!(!access(Write, "/w/a").conflicts_with(&access(Write, "/w/ab")));
    }
}
