//! `read_artifact`: a stored result, by range.

use std::sync::Arc;

use onward_event::{Access, ArtifactId, ToolStart};
use onward_port::{ToolFault, ToolIo, ToolOutcome, ToolPlan, ToolReport};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::plans::looks_at;
use crate::builtin::Context;
use crate::text::{self, floor_char};
use crate::typed::BuiltIn;

/// The tool.
pub(crate) struct ReadArtifact {
    context: Arc<Context>,
}

/// What the model sends.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReadArtifactInput {
    id: ArtifactId,
    /// First byte, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    offset: Option<u64>,
    /// Bytes to show.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    limit: Option<u64>,
}

impl ReadArtifact {
    /// Binds the tool.
    pub(crate) fn new(context: &Arc<Context>) -> Self {
        Self { context: Arc::clone(context) }
    }
}

impl BuiltIn for ReadArtifact {
    type Input = ReadArtifactInput;
    const NAME: &'static str = "read_artifact";
    const VERSION: &'static str = "1";

    fn description(&self) -> String {
        format!(
            "Reads a stored result (art_...) that an answer named, up to {} at once.",
            text::size(self.context.limits.max_read_bytes as u64)
        )
    }

    fn check(&self, input: &mut ReadArtifactInput) -> Result<Vec<Access>, Vec<String>> {
        let most = self.context.limits.max_read_bytes as u64;
        input.offset = input.offset.filter(|offset| *offset != 0);
        input.limit = input.limit.map(|limit| limit.min(most)).filter(|limit| *limit != most);
        Ok(Vec::new())
    }

    async fn plan(&self, input: ReadArtifactInput) -> Result<ToolPlan, ToolFault> {
        Ok(looks_at(vec![input.id.to_string()], format!("read artifact {}", input.id)))
    }

    async fn run(&self, input: ReadArtifactInput, _: &ToolStart, io: &ToolIo) -> ToolOutcome {
        let report = match io.artifacts.read(input.id).await {
            Ok(bytes) => page(&input, &bytes, self.context.limits.max_read_bytes),
            Err(fault) => ToolReport::fault(fault),
        };
        ToolOutcome::Finished(report)
    }
}

fn page(input: &ReadArtifactInput, bytes: &[u8], max: usize) -> ToolReport {
    let total = bytes.len();
    let start = usize::try_from(input.offset.unwrap_or(0)).unwrap_or(usize::MAX);
    if start >= total && (start > 0 || total > 0) {
        let message =
            format!("{} has {}; byte {start} is past its end", input.id, text::count(total as u64, "byte"));
        return ToolReport::fault(ToolFault::new("out_of_range", message));
    }
    let limit = input.limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(max).min(max);
    let end = match floor_char(bytes, start.saturating_add(limit).min(total)) {
        // Less than one character fits: bytes, then.
        end if end <= start => start.saturating_add(limit).min(total),
        end => end,
    };
    let mut text = String::from_utf8_lossy(&bytes[start..end]).into_owned();
    if start > 0 || end < total {
        let more =
            if end < total { format!("go on with offset {end}") } else { "end of the artifact".into() };
        let line_end = if text.ends_with('\n') { "" } else { "\n" };
        text.push_str(&format!("{line_end}[bytes {start} to {end} of {total}; {more}]\n"));
    }
    let mut report = ToolReport::ok(text);
    report.metadata.bytes = total as u64;
    report.metadata.truncated = start > 0 || end < total;
    report
}
