//! Why a call is asked about again: what differs between what was approved, or asked, and what the call is now (seed,
//! section 3).

use alloc::collections::BTreeSet;

use onward_event::{FileState, Sandbox, Subject, Timestamp};

use super::{Authorisation, Ctx};
use crate::prelude::*;
use crate::session::{Call, CallPhase, Grant, Session};

/// Files that one sentence names.
const MAX_NAMED: usize = 3;

/// The sentence; empty when nothing was approved or asked about this call before. Of several approvals the latest is
/// spoken of.
pub(super) fn sentence(session: &Session, call: &Call, judged: &Authorisation, ctx: &Ctx<'_>) -> String {
    let same = |grant: &&Grant| {
        let (proposal, grant) = (&call.proposal, *grant);
        grant.tool == proposal.name && grant.version == proposal.version && grant.digest == proposal.digest
    };
    let for_session = session.state.approvals.session.iter().rev();
    if let Some(grant) = call.grant.iter().chain(for_session).find(same) {
        return of_grant(grant, &judged.subject(), ctx.now);
    }
    if let CallPhase::AwaitingApproval { approval, .. } = &call.phase
        && let Some(open) = session.state.approvals.open.get(approval)
    {
        return difference(&open.request.subject(), &judged.subject(), "it was asked about");
    }
    String::new()
}

fn of_grant(grant: &Grant, now: &Subject<'_>, at: Timestamp) -> String {
    if grant.valid_until.is_some_and(|until| at > until) {
        return "the approval of before has expired".into();
    }
    difference(&grant.subject(), now, "it was approved")
}

fn difference(then: &Subject<'_>, now: &Subject<'_>, since: &str) -> String {
    let mut parts = Vec::new();
    parts.extend(files(then.files, now.files, since));
    if then.rules_digest != now.rules_digest {
        parts.push(format!("what asks about it is not what asked when {since}"));
    }
    if !then.is_same_tool(now) {
        parts.push(format!("the tool takes something else than when {since}"));
    }
    if then.sandbox != now.sandbox {
        parts.push(format!(
            "it would be contained otherwise than when {since}{}",
            contained(then.sandbox, now.sandbox)
        ));
    }
    if then.resources != now.resources {
        parts.push(format!("it would touch something else than when {since}"));
    }
    parts.join("; ")
}

/// What became of files, by their names.
fn files(then: &[FileState], now: &[FileState], since: &str) -> Option<String> {
    let digest = |files: &[FileState], path: &str| {
        files.iter().find(|file| file.path == path).and_then(|file| file.digest)
    };
    let paths: BTreeSet<&str> = then.iter().chain(now).map(|file| file.path.as_str()).collect();
    let (mut changed, mut gone, mut new) = (Vec::new(), Vec::new(), Vec::new());
    for path in paths {
        match (digest(then, path), digest(now, path)) {
            (Some(before), Some(after)) if before != after => changed.push(path),
            (Some(_), None) => gone.push(path),
            (None, Some(_)) => new.push(path),
            _ => {}
        }
    }
    let said = [(changed, "changed"), (gone, "went away"), (new, "appeared")];
    let said: Vec<String> = said
        .into_iter()
        .filter(|(paths, _)| !paths.is_empty())
        .map(|(paths, verb)| format!("{} {verb}", names(&paths)))
        .collect();
    if said.is_empty() { None } else { Some(format!("{} since {since}", said.join(", "))) }
}

fn names(paths: &[&str]) -> String {
    let named: Vec<String> = paths.iter().take(MAX_NAMED).map(|path| format!("`{path}`")).collect();
    match paths.len().saturating_sub(MAX_NAMED) {
        0 => named.join(" and "),
        more => format!("{} and {more} more", named.join(", ")),
    }
}

/// Which part of the containment differs.
fn contained(then: Option<&Sandbox>, now: Option<&Sandbox>) -> String {
    let (Some(then), Some(now)) = (then, now) else { return String::new() };
    let parts = [
        (then.tier != now.tier, "by another tier"),
        (then.files != now.files, "in what it may change"),
        (then.network != now.network, "in whether it has the network"),
        (then.writable != now.writable, "in the folders beside the workspace"),
    ];
    let parts: Vec<&str> = parts.iter().filter(|(differs, _)| *differs).map(|(_, what)| *what).collect();
    if parts.is_empty() { String::new() } else { format!(" ({})", parts.join(", ")) }
}

#[cfg(test)]
mod tests {
    use onward_event::{Digest, FileAccess, NetworkAccess, Tier};

    use super::*;

    fn file(path: &str, content: Option<u8>) -> FileState {
        FileState { path: path.into(), digest: content.map(|byte| Digest([byte; 32])) }
    }

    #[test]
    fn files_are_told_by_name_and_by_what_became_of_them() {
        let then = [file("a", Some(1)), file("b", Some(1)), file("c", None), file("d", Some(1))];
        let now = [file("a", Some(2)), file("b", None), file("c", Some(1)), file("d", Some(1))];
        let said = files(&then, &now, "it was approved").unwrap();
        assert_eq!(said, "`a` changed, `b` went away, `c` appeared since it was approved");
        assert_eq!(files(&then, &then, "it was approved"), None);
        let many: Vec<FileState> = ["a", "b", "c", "d", "e"].map(|path| file(path, Some(1))).into();
        let said = files(&[], &many, "it was asked about").unwrap();
        assert_eq!(said, "`a`, `b`, `c` and 2 more appeared since it was asked about");
    }

    #[test]
    fn all_that_differs_is_told() {
        let sandbox = |files| Sandbox {
            tier: Tier::Namespaces,
            files,
            network: NetworkAccess::Closed,
            writable: Vec::new(),
        };
        let (narrow, wide) = (sandbox(FileAccess::ReadOnly), sandbox(FileAccess::WorkspaceWrite));
        let resources = ["/w".to_string()];
        let then = Subject {
            resources: &[],
            files: &[],
            rules_digest: None,
            definition: Some(Digest([1; 32])),
            sandbox: Some(&narrow),
        };
        let now = Subject {
            resources: &resources,
            files: &[],
            rules_digest: Some(Digest([1; 32])),
            definition: Some(Digest([2; 32])),
            sandbox: Some(&wide),
        };
        assert_eq!(
            difference(&then, &now, "it was approved"),
            "what asks about it is not what asked when it was approved; the tool takes something else than when it \
             was approved; it would be contained otherwise than when it was approved (in what it may change); it would touch something else than when it was approved"
        );
        assert_eq!(difference(&then, &then, "it was approved"), "");
    }
}
