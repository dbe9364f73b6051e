//! `edit`: an exact text in a file, replaced.

mod explain;
mod replacement;

use std::sync::Arc;

use onward_event::{Access, ToolStart};
use onward_port::{Reconciliation, ToolFault, ToolIo, ToolOutcome, ToolPlan};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::replacement::{Edited, edited};
use super::write::{check_write, place, reconcile_change, run_change};
use crate::blocking::blocking;
use crate::builtin::Context;
use crate::change::Proposal;
use crate::files::{Place, Target};
use crate::text;
use crate::typed::BuiltIn;

/// The tool.
pub(crate) struct Edit {
    context: Arc<Context>,
}

/// What the model sends.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct EditInput {
    path: String,
    /// As it stands in the file, white space included, without line numbers. Must occur once, unless replace_all.
    old: String,
    new: String,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    replace_all: bool,
}

impl Edit {
    /// Binds the tool.
    pub(crate) fn new(context: &Arc<Context>) -> Self {
        Self { context: Arc::clone(context) }
    }
}

impl BuiltIn for Edit {
    type Input = EditInput;
    const NAME: &'static str = "edit";
    const VERSION: &'static str = "1";

    fn description(&self) -> String {
        "Replaces an exact text in a file; read it first. All else in the file stays, CRLF line ends too."
            .into()
    }

    fn check(&self, input: &mut EditInput) -> Result<Vec<Access>, Vec<String>> {
        let mut wrong = Vec::new();
        if input.old.is_empty() {
            wrong.push("`old` must not be empty; to make a file or replace it whole, use `write`".into());
        } else if input.old == input.new {
            wrong.push("`old` and `new` are the same: there is nothing to change".into());
        }
        match check_write(&self.context, &mut input.path) {
            Ok(accesses) if wrong.is_empty() => Ok(accesses),
            Ok(_) => Err(wrong),
            Err(more) => Err([wrong, more].concat()),
        }
    }

    async fn plan(&self, input: EditInput) -> Result<ToolPlan, ToolFault> {
        let context = Arc::clone(&self.context);
        blocking(move || {
            let place = place(&context, &input.path)?;
            let target = context.files.target(&place, context.limits.max_write_bytes)?;
            let edited = edit(&place.shown, &target, &input)?;
            let report = report(&place, &edited);
            let proposal = Proposal { target, after: edited.bytes, report };
            proposal.plan(&context.files, &place, &context.limits)
        })
        .await
    }

    async fn run(&self, input: EditInput, start: &ToolStart, _: &ToolIo) -> ToolOutcome {
        let path = input.path.clone();
        run_change(&self.context, path, start, move |target| Ok(edit(&input.path, target, &input)?.bytes))
            .await
    }

    async fn reconcile(&self, input: EditInput, start: &ToolStart) -> Reconciliation {
        reconcile_change(&self.context, input.path, start).await
    }
}

fn edit(shown: &str, target: &Target, input: &EditInput) -> Result<Edited, ToolFault> {
    match &target.current {
        Some(current) => edited(shown, &current.bytes, input),
        None => {
            Err(ToolFault::new("not_found", format!("`{shown}` does not exist; to make it, use `write`")))
        }
    }
}

fn report(place: &Place, edited: &Edited) -> String {
    let lines = replacement::named_lines(&edited.lines);
    let times = text::count(edited.lines.len() as u64, "time");
    format!("edited `{}`: replaced {times}, at {lines}", place.shown)
}
