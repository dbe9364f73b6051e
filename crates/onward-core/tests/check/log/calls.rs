//! Tool calls.

use onward_event::*;

use super::Log;
use crate::values::*;

impl Log {
    /// From here on, calls name a file, are judged by rules that have a digest, and run contained.
    pub(crate) fn bound(mut self) -> Self {
        self.bound = true;
        self
    }

    fn files(&self) -> Vec<FileState> {
        let file = FileState { path: "/w/a".into(), digest: Some(head()) };
        self.bound.then_some(file).into_iter().collect()
    }

    fn rules_digest(&self) -> Option<Digest> {
        self.bound.then(head)
    }

    fn sandbox(&self) -> Option<Sandbox> {
        self.bound.then(contained)
    }

    fn started(&self, n: u128, run: u32, semantics: Semantics) -> Event {
        let (handle, sandbox) = (Handle::InProcess, self.sandbox());
        ToolStart { call: call(n), run, semantics, handle, sandbox, rendered: None }.into()
    }

    pub(super) fn decided(&self, n: u128, verdict: Verdict, by: Option<u128>) -> Event {
        PolicyDecided {
            call: call(n),
            verdict,
            rules: vec!["a rule".into()],
            risk: Risk::Write,
            reason: "so say the rules".into(),
            resources: vec!["/w/a".into()],
            files: self.files(),
            rules_digest: self.rules_digest(),
            definition: self.rules_digest(),
            sandbox: self.sandbox(),
            basis: Basis { policy: 1, config: self.config },
            approval: by.map(approval),
        }
        .into()
    }

    pub(crate) fn start(self, n: u128, run: u32, semantics: Semantics) -> Self {
        let events = vec![self.decided(n, Verdict::Allow, None), self.started(n, run, semantics)];
        self.owner(events)
    }

    /// Policy asks, and so does the runtime.
    pub(crate) fn ask_person(self, n: u128, tool: &str, id: u128) -> Self {
        let request = ApprovalRequested {
            approval: approval(id),
            call: call(n),
            tool: tool.into(),
            version: "1".into(),
            digest: input_digest(tool),
            resources: vec!["/w/a".into()],
            files: self.files(),
            rules_digest: self.rules_digest(),
            definition: self.rules_digest(),
            sandbox: self.sandbox(),
            rules: vec!["a rule".into()],
            risk: Risk::Write,
            reason: String::new(),
            again: String::new(),
            preview: "…".into(),
            always: None,
        };
        let events = vec![self.decided(n, Verdict::Ask, None), request.into()];
        self.owner(events)
    }

    pub(crate) fn start_approved(self, n: u128, run: u32, id: u128, semantics: Semantics) -> Self {
        let events = vec![self.decided(n, Verdict::Ask, Some(id)), self.started(n, run, semantics)];
        self.owner(events)
    }

    pub(crate) fn deny(self, n: u128) -> Self {
        let denied = ToolDenied { call: call(n), by: DeniedBy::Policy, content: "no".into() };
        let events = vec![self.decided(n, Verdict::Deny, None), denied.into()];
        self.owner(events)
    }

    pub(crate) fn ok(self, n: u128) -> Self {
        self.owner(vec![result(n, ResultStatus::Ok)])
    }

    pub(crate) fn fault(self, n: u128) -> Self {
        self.owner(vec![result(n, error())])
    }

    pub(crate) fn cancel(self, n: u128, started: bool) -> Self {
        self.owner(vec![ToolCancelled { call: call(n), started, content: "stopped".into() }.into()])
    }

    pub(crate) fn unknown(self, n: u128) -> Self {
        self.owner(vec![unknown(n)])
    }

    /// A later owner finds out what became of a call; what follows from that is in the same append.
    pub(crate) fn found(self, n: u128, verdict: ReconcileVerdict) -> Self {
        let found = ToolReconciled { call: call(n), verdict, evidence: "the file".into() };
        let follows = match verdict {
            ReconcileVerdict::Applied => Some(result(n, ResultStatus::Ok)),
            ReconcileVerdict::NotApplied => None,
            ReconcileVerdict::Unknown => Some(unknown(n)),
        };
        self.owner(core::iter::once(found.into()).chain(follows).collect())
    }

    /// A result with its whole output stored beside it.
    pub(crate) fn ok_with_artifact(self, n: u128, id: u128) -> Self {
        let stored = ArtifactStored {
            artifact: artifact(id),
            call: call(n),
            hash: head(),
            media_type: "text/plain".into(),
            size: 9,
            summary: "all of it".into(),
        };
        let mut answer = result(n, ResultStatus::Ok);
        if let Event::ToolResult(body) = &mut answer {
            body.artifacts.push(artifact(id));
            body.content.push(Part::Reference(artifact(id)));
        }
        self.owner(vec![stored.into(), answer])
    }

    pub(crate) fn notice(self) -> Self {
        let body = NoticeAdded { text: "mind".into(), reason: NoticeReason::ModeChanged, cause: None };
        self.owner(vec![body.into()])
    }

    pub(crate) fn give_up(self, n: u128, reason: InboxCancelReason) -> Self {
        self.owner(vec![InboxCancelled { message: msg(n), reason }.into()])
    }
}

pub(super) fn result(n: u128, status: ResultStatus) -> Event {
    ToolResult {
        call: call(n),
        status,
        content: vec![Part::text("done")],
        metadata: ResultMetadata::default(),
        artifacts: vec![],
    }
    .into()
}

fn unknown(n: u128) -> Event {
    ToolOutcomeUnknown { call: call(n), content: "who knows".into() }.into()
}

pub(super) fn error() -> ResultStatus {
    ResultStatus::Error { code: "not_found".into(), message: "no such file".into() }
}
