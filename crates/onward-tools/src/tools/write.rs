//! `write`: a whole file, new or replaced.

use std::sync::Arc;

use onward_event::{Access, AccessKind, ToolStart};
use onward_port::{Reconciliation, ToolFault, ToolIo, ToolOutcome, ToolPlan};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::blocking::blocking;
use crate::builtin::Context;
use crate::change::{self, Proposal};
use crate::files::{Place, Target};
use crate::text;
use crate::typed::{BuiltIn, unknown};

/// The tool.
pub(crate) struct Write {
    context: Arc<Context>,
}

/// What the model sends.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct WriteInput {
    path: String,
    content: String,
}

impl Write {
    /// Binds the tool.
    pub(crate) fn new(context: &Arc<Context>) -> Self {
        Self { context: Arc::clone(context) }
    }
}

impl BuiltIn for Write {
    type Input = WriteInput;
    const NAME: &'static str = "write";
    const VERSION: &'static str = "1";

    fn description(&self) -> String {
        "Writes a whole file, new or in place of what is there; missing folders are made. To change a part, use edit."
            .into()
    }

    fn check(&self, input: &mut WriteInput) -> Result<Vec<Access>, Vec<String>> {
        let max = self.context.limits.max_write_bytes;
        if input.content.len() as u64 > max {
            return Err(vec![format!(
                "`content` is larger than {}; write it with a command",
                text::size(max)
            )]);
        }
        check_write(&self.context, &mut input.path)
    }

    async fn plan(&self, input: WriteInput) -> Result<ToolPlan, ToolFault> {
        let context = Arc::clone(&self.context);
        blocking(move || {
            let place = place(&context, &input.path)?;
            let target = context.files.target(&place, context.limits.max_write_bytes)?;
            let report = report(&place, &target, input.content.as_bytes());
            let proposal = Proposal { target, after: input.content.into_bytes(), report };
            proposal.plan(&context.files, &place, &context.limits)
        })
        .await
    }

    async fn run(&self, input: WriteInput, start: &ToolStart, _: &ToolIo) -> ToolOutcome {
        let WriteInput { path, content } = input;
        run_change(&self.context, path, start, move |_| Ok(content.into_bytes())).await
    }

    async fn reconcile(&self, input: WriteInput, start: &ToolStart) -> Reconciliation {
        reconcile_change(&self.context, input.path, start).await
    }
}

fn report(place: &Place, target: &Target, content: &[u8]) -> String {
    let shown = &place.shown;
    let now = format!("{}, {}", text::count(text::lines(content), "line"), text::size(content.len() as u64));
    match &target.current {
        None => format!("created `{shown}` ({now})"),
        Some(current) if current.bytes == content => {
            format!("`{shown}` has exactly this content already ({now})")
        }
        Some(current) => {
            format!("replaced `{shown}` ({now}; before: {})", text::size(current.bytes.len() as u64))
        }
    }
}

/// Brings the path of an input into canonical form, and says that it is written.
///
/// # Errors
/// A sentence, when it is not a path.
pub(super) fn check_write(context: &Context, path: &mut String) -> Result<Vec<Access>, Vec<String>> {
    let place = context.files.paths().place(path).map_err(|why| vec![format!("`path`: {why}")])?;
    *path = place.shown;
    Ok(vec![Access { kind: AccessKind::Write, resource: place.absolute }])
}

/// The place that a checked input names.
pub(super) fn place(context: &Context, path: &str) -> Result<Place, ToolFault> {
    context.files.paths().place(path).map_err(|why| ToolFault::new("invalid_arguments", why))
}

/// Makes a change on a thread that may block.
pub(super) async fn run_change(
    context: &Arc<Context>,
    path: String,
    start: &ToolStart,
    after: impl FnOnce(&Target) -> Result<Vec<u8>, ToolFault> + Send + 'static,
) -> ToolOutcome {
    let (context, start) = (Arc::clone(context), start.clone());
    let done = blocking(move || {
        let place = place(&context, &path)?;
        Ok(change::run(&context.files, &place, &start, &context.limits, after))
    });
    // Every fault of the change itself is in its outcome: this one is the loss of the thread that made it.
    done.await.unwrap_or_else(|fault| ToolOutcome::Unknown { content: fault.message })
}

/// Finds out about a change on a thread that may block.
pub(super) async fn reconcile_change(
    context: &Arc<Context>,
    path: String,
    start: &ToolStart,
) -> Reconciliation {
    let (context, start) = (Arc::clone(context), start.clone());
    let found = blocking(move || {
        let place = place(&context, &path)?;
        Ok(change::reconcile(&context.files, &place, &start, &context.limits))
    });
    found.await.unwrap_or_else(|fault| unknown(fault.message))
}
