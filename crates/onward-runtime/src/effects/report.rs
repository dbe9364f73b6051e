//! From a tool's report to the core's: metadata, and artifacts as records beside their content.

use std::borrow::Cow;

use onward_core::Report;
use onward_event::{ArtifactStored, CallId};
use onward_port::{Blob, Redactor, ToolFault, ToolReport};

/// The core's report, and the content to store with it, redacted before it is named by its hash.
pub(crate) fn report_of(redactor: &Redactor, call: CallId, report: ToolReport) -> (Report, Vec<Blob>) {
    let mut blobs = Vec::new();
    let mut artifacts = Vec::new();
    for artifact in report.artifacts {
        let blob = match redactor.bytes(&artifact.bytes) {
            Cow::Borrowed(_) => Blob::new(artifact.bytes.clone()),
            Cow::Owned(clean) => Blob::new(clean),
        };
        artifacts.push(ArtifactStored {
            artifact: artifact.id,
            call,
            hash: blob.hash,
            media_type: artifact.media_type,
            size: blob.bytes.len() as u64,
            summary: artifact.summary,
        });
        blobs.push(blob);
    }
    let report =
        Report { status: report.status, content: report.content, metadata: report.metadata, artifacts };
    (report, blobs)
}

/// The answer of a call that could not be planned.
pub(crate) fn fault_report(fault: ToolFault) -> Report {
    let ToolReport { status, content, metadata, .. } = ToolReport::fault(fault);
    Report { status, content, metadata, artifacts: Vec::new() }
}
