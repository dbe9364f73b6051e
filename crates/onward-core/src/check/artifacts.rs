//! Rule 1, for artifacts: an artifact that a result names is stored, by the end of the same append.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::vec::Vec;

use onward_event::{ArtifactId, Event, Part, Seq, ToolResult};

use super::env::{CheckEnv, Checked};
use super::report::Findings;
use super::rule::Rule;

const RULE: u8 = 1;

#[derive(Default)]
pub(super) struct Artifacts {
    stored: BTreeSet<ArtifactId>,
    /// Named in this append.
    named: Vec<(Seq, ArtifactId)>,
}

impl Rule for Artifacts {
    fn record(&mut self, seen: &Checked<'_>, _: &mut dyn CheckEnv, _: &mut Findings) {
        let at = seen.record.seq;
        match &seen.record.event {
            Event::ArtifactStored(body) => {
                self.stored.insert(body.artifact);
            }
            Event::ToolResult(body) => self.name_all(at, body),
            Event::JobPhase(body) => self.named.extend(body.artifact.map(|artifact| (at, artifact))),
            Event::InboxReceived(body) => self.name_parts(at, &body.message.content),
            _ => {}
        }
    }

    fn append_ends(&mut self, out: &mut Findings) {
        for (at, artifact) in self.named.drain(..) {
            if !self.stored.contains(&artifact) {
                out.violation(RULE, at, format!("{artifact} is named here, but no artifact/stored holds it"));
            }
        }
    }
}

impl Artifacts {
    fn name_all(&mut self, at: Seq, result: &ToolResult) {
        self.named.extend(result.artifacts.iter().map(|artifact| (at, *artifact)));
        self.name_parts(at, &result.content);
    }

    fn name_parts(&mut self, at: Seq, content: &[Part]) {
        for part in content {
            if let Part::Reference(artifact) = part
                && !self.named.contains(&(at, *artifact))
            {
                self.named.push((at, *artifact));
            }
        }
    }
}
