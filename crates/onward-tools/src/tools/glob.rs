//! `glob`: files whose path matches a pattern. The pattern type is shared with `grep`.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use globset::{GlobBuilder, GlobMatcher};
use onward_event::{Access, ToolStart};
use onward_port::{Cancel, ToolFault, ToolIo, ToolOutcome, ToolPlan, ToolReport};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::plans::{HERE, check_read_below, folder_only, plan_read};
use crate::blocking::{Stopped, looking};
use crate::builtin::Context;
use crate::files::{Visited, Walk};
use crate::typed::BuiltIn;

/// The tool.
pub(crate) struct Glob {
    context: Arc<Context>,
}

/// What the model sends.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GlobInput {
    /// Such as *.rs or src/**/*.{ts,tsx}.
    pattern: String,
    /// Folder that the pattern starts at; default: the working folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    path: Option<String>,
}

impl Glob {
    /// Binds the tool.
    pub(crate) fn new(context: &Arc<Context>) -> Self {
        Self { context: Arc::clone(context) }
    }
}

impl BuiltIn for Glob {
    type Input = GlobInput;
    const NAME: &'static str = "glob";
    const VERSION: &'static str = "1";

    fn description(&self) -> String {
        format!(
            "Finds files by path, sorted, up to {}. * and ? stay within a name, ** crosses folders, {{a,b}} is either, \
             [abc] one character; a pattern without / matches names at any depth. Leaves out ignored files.",
            self.context.limits.max_entries
        )
    }

    fn check(&self, input: &mut GlobInput) -> Result<Vec<Access>, Vec<String>> {
        Pattern::new(&input.pattern).map_err(|why| vec![format!("`pattern`: {why}")])?;
        check_read_below(self.context.files.paths(), &mut input.path)
    }

    async fn plan(&self, input: GlobInput) -> Result<ToolPlan, ToolFault> {
        let path = input.path.unwrap_or_else(|| HERE.into());
        let preview = format!("glob {} in {path}", input.pattern);
        plan_read(&self.context, path, preview, folder_only).await
    }

    async fn run(&self, input: GlobInput, _: &ToolStart, io: &ToolIo) -> ToolOutcome {
        let (context, cancel) = (Arc::clone(&self.context), Arc::clone(&io.cancel));
        looking(move || glob(&context, &input, &cancel)).await
    }
}

/// A pattern for paths below a folder.
pub(super) struct Pattern {
    matcher: GlobMatcher,
    name_only: bool,
}

impl Pattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// A sentence that says what is wrong with it.
    pub(super) fn new(pattern: &str) -> Result<Self, String> {
        let relative = pattern.trim_start_matches("./");
        if relative.is_empty() {
            return Err("a pattern must not be empty; `**` matches every file".into());
        }
        if relative.starts_with('/') || relative.split('/').any(|part| part == "..") {
            return Err(format!(
                "`{pattern}` leads out of the folder: name the folder in `path`, and a pattern below it"
            ));
        }
        let glob = GlobBuilder::new(relative).literal_separator(true).build();
        let glob = glob.map_err(|error| format!("`{pattern}` is no glob: {}", error.kind()))?;
        Ok(Self { matcher: glob.compile_matcher(), name_only: !relative.contains('/') })
    }

    /// Whether a path, relative to the folder, matches.
    pub(super) fn matches(&self, below: &Path) -> bool {
        match below.file_name() {
            Some(name) if self.name_only => self.matcher.is_match(name),
            _ => self.matcher.is_match(below),
        }
    }
}

fn glob(context: &Context, input: &GlobInput, cancel: &Arc<dyn Cancel>) -> Result<ToolReport, Stopped> {
    let invalid = |why| ToolFault::new("invalid_arguments", why);
    let pattern = Pattern::new(&input.pattern).map_err(invalid)?;
    let place = context.files.paths().place(input.path.as_deref().unwrap_or(HERE)).map_err(invalid)?;
    let found = context.files.find(&place)?;
    folder_only(&place.shown, &found)?;
    let max_walked = context.limits.max_walked;
    let walk = Walk { files: &context.files, start: &found.real, depth: None, max_walked, cancel };
    let mut paths = Vec::new();
    let visited = walk.visit(|entry| {
        if entry.kind.is_dir() || !pattern.matches(entry.below) {
            return Ok(ControlFlow::Continue(()));
        }
        if paths.len() == context.limits.max_entries {
            return Ok(ControlFlow::Break(()));
        }
        paths.push(context.files.paths().shown(entry.relative));
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(report(input, &place.shown, &paths, visited, max_walked))
}

fn report(
    input: &GlobInput,
    shown: &str,
    paths: &[String],
    visited: Visited,
    max_walked: usize,
) -> ToolReport {
    let mut text = if paths.is_empty() {
        format!("no file matches `{}` below `{shown}`\n", input.pattern)
    } else {
        format!("{}\n", paths.join("\n"))
    };
    match visited {
        Visited::All => {}
        Visited::Enough => text.push_str(&format!("[the first {} paths; there are more]\n", paths.len())),
        Visited::Limit => {
            text.push_str(&format!("[stopped after {max_walked} entries; name a deeper folder]\n"))
        }
    }
    let mut report = ToolReport::ok(text);
    report.metadata.truncated = visited != Visited::All;
    report
}
