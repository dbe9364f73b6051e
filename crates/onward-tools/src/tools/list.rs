//! `list`: the entries of a folder.

use std::ops::ControlFlow;
use std::sync::Arc;

use onward_event::{Access, ToolStart};
use onward_port::{Cancel, ToolFault, ToolIo, ToolOutcome, ToolPlan, ToolReport};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::plans::{HERE, check_read_below, folder_only, plan_read};
use crate::blocking::{Stopped, looking};
use crate::builtin::Context;
use crate::files::{Entry, Visited, Walk, kind_of};
use crate::text;
use crate::typed::BuiltIn;

/// The tool.
pub(crate) struct List {
    context: Arc<Context>,
}

/// What the model sends.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ListInput {
    /// Default: the working folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    /// Levels; default 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 32))]
    depth: Option<u64>,
}

impl List {
    /// Binds the tool.
    pub(crate) fn new(context: &Arc<Context>) -> Self {
        Self { context: Arc::clone(context) }
    }
}

impl BuiltIn for List {
    type Input = ListInput;
    const NAME: &'static str = "list";
    const VERSION: &'static str = "1";

    fn description(&self) -> String {
        format!(
            "Lists a folder, sorted: paths, sizes, kinds. Leaves out what .gitignore and .ignore name, unless asked for \
             that very folder. Up to {} entries.",
            self.context.limits.max_entries
        )
    }

    fn check(&self, input: &mut ListInput) -> Result<Vec<Access>, Vec<String>> {
        input.depth = input.depth.filter(|depth| *depth != 1);
        check_read_below(self.context.files.paths(), &mut input.path)
    }

    async fn plan(&self, input: ListInput) -> Result<ToolPlan, ToolFault> {
        let path = input.path.unwrap_or_else(|| HERE.into());
        let preview = format!("list {path}");
        plan_read(&self.context, path, preview, folder_only).await
    }

    async fn run(&self, input: ListInput, _: &ToolStart, io: &ToolIo) -> ToolOutcome {
        let (context, cancel) = (Arc::clone(&self.context), Arc::clone(&io.cancel));
        looking(move || list(&context, &input, &cancel)).await
    }
}

fn list(context: &Context, input: &ListInput, cancel: &Arc<dyn Cancel>) -> Result<ToolReport, Stopped> {
    let path = input.path.as_deref().unwrap_or(HERE);
    let place = context.files.paths().place(path).map_err(|why| ToolFault::new("invalid_arguments", why))?;
    let found = context.files.find(&place)?;
    folder_only(&place.shown, &found)?;
    let walk = Walk {
        files: &context.files,
        start: &found.real,
        depth: Some(usize::try_from(input.depth.unwrap_or(1)).unwrap_or(1)),
        max_walked: context.limits.max_walked,
        cancel,
    };
    let mut lines = Vec::new();
    let visited = walk.visit(|entry| {
        if lines.len() == context.limits.max_entries {
            return Ok(ControlFlow::Break(()));
        }
        lines.push(line(context, entry));
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(report(&place.shown, &lines, visited))
}

fn line(context: &Context, entry: &Entry<'_>) -> String {
    let relative = entry.relative;
    let shown = context.files.paths().shown(relative);
    let root = context.files.root();
    let Ok(meta) = root.symlink_metadata(relative) else {
        return format!("{shown} (cannot be looked at)");
    };
    if meta.is_dir() {
        return format!("{shown}/");
    }
    if meta.is_file() {
        return format!("{shown} ({})", text::size(meta.len()));
    }
    if entry.kind.is_symlink()
        && let Ok(target) = root.read_link_contents(relative)
    {
        return format!("{shown} -> {}", target.to_string_lossy());
    }
    format!("{shown} ({})", kind_of(meta.file_type()))
}

fn report(shown: &str, lines: &[String], visited: Visited) -> ToolReport {
    if lines.is_empty() {
        return ToolReport::ok(format!("`{shown}` is empty, or everything in it is ignored"));
    }
    let mut text = lines.join("\n");
    text.push('\n');
    if visited != Visited::All {
        let note = format!(
            "[the first {} entries; name a deeper folder or fewer levels to see the rest]\n",
            lines.len()
        );
        text.push_str(&note);
    }
    let mut report = ToolReport::ok(text);
    report.metadata.truncated = visited != Visited::All;
    report
}
