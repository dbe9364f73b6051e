//! What is left of an attempt whose process died: the text that had reached the side stream, and what it must have
//! used.

use std::sync::Arc;

use onward_core::{AttemptReport, Input};
use onward_event::{AttemptId, ModelConfig, SessionId, Usage, UsageSource};
use onward_port::{Log, estimate_tokens};

use super::Outcome;
use super::ask::priced;
use crate::owner::attempt_scope;

pub(crate) async fn salvage(
    log: Arc<dyn Log>,
    session: SessionId,
    attempt: AttemptId,
    config: ModelConfig,
    sent_tokens: u64,
) -> Outcome {
    // A side stream that cannot be read is as good as an empty one.
    let chunks = log.side(session, attempt_scope(attempt), 0).await.unwrap_or_default();
    let partial: String = chunks.into_iter().map(|chunk| chunk.text).collect();
    let usage = Usage {
        input: sent_tokens,
        output: estimate_tokens(partial.len()),
        source: UsageSource::Estimated,
        ..Usage::default()
    };
    let report = AttemptReport::Interrupted { usage: priced(&config, usage), partial };
    Outcome::input(Input::AttemptEnded { attempt, report })
}
