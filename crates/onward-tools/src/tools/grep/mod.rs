//! `grep`: lines that match a regular expression, by ripgrep's engine.

mod hits;

use std::fs::File;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder};
use onward_event::{Access, ToolStart};
use onward_port::{Cancel, ToolFault, ToolIo, ToolOutcome, ToolPlan, ToolReport};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::hits::Hits;
use super::glob::Pattern;
use super::plans::{HERE, check_read_below, plan_read};
use crate::blocking::{Stopped, looking};
use crate::builtin::Context;
use crate::config::ToolLimits;
use crate::files::{Found, Visited, Walk, regular_only};
use crate::text::count;
use crate::typed::BuiltIn;

/// Bytes that the search of one file may hold: a longer line ends it.
const MAX_HEAP: usize = 16 << 20;

/// The tool.
pub(crate) struct Grep {
    context: Arc<Context>,
}

/// What the model sends.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GrepInput {
    /// Regular expression in Rust's syntax: no look-around, no back-references.
    pattern: String,
    /// File or folder; default: the working folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    /// Only files that match, such as *.rs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    glob: Option<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    ignore_case: bool,
    /// Lines before and after each match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    context: Option<u64>,
    /// Matches to show.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    max: Option<u64>,
}

impl Grep {
    /// Binds the tool.
    pub(crate) fn new(context: &Arc<Context>) -> Self {
        Self { context: Arc::clone(context) }
    }
}

impl BuiltIn for Grep {
    type Input = GrepInput;
    const NAME: &'static str = "grep";
    const VERSION: &'static str = "1";

    fn description(&self) -> String {
        let limits = &self.context.limits;
        format!(
            "Searches file contents line by line and shows path:line:text, sorted by path: {} matches unless told, {} at \
             most. Leaves out ignored and binary files.",
            default_max(limits),
            limits.max_matches
        )
    }

    fn check(&self, input: &mut GrepInput) -> Result<Vec<Access>, Vec<String>> {
        let limits = &self.context.limits;
        matcher(input).map_err(|why| vec![why])?;
        if let Some(glob) = &input.glob {
            Pattern::new(glob).map_err(|why| vec![format!("`glob`: {why}")])?;
        }
        input.context = input.context.map(|lines| lines.min(limits.max_context)).filter(|lines| *lines != 0);
        input.max =
            input.max.map(|max| max.min(limits.max_matches)).filter(|max| *max != default_max(limits));
        check_read_below(self.context.files.paths(), &mut input.path)
    }

    async fn plan(&self, input: GrepInput) -> Result<ToolPlan, ToolFault> {
        let path = input.path.unwrap_or_else(|| HERE.into());
        let preview = format!("grep {} in {path}", input.pattern);
        plan_read(&self.context, path, preview, folder_or_file).await
    }

    async fn run(&self, input: GrepInput, _: &ToolStart, io: &ToolIo) -> ToolOutcome {
        let (context, cancel) = (Arc::clone(&self.context), Arc::clone(&io.cancel));
        looking(move || grep(&context, &input, &cancel)).await
    }
}

fn default_max(limits: &ToolLimits) -> u64 {
    (limits.max_matches / 10).max(1)
}

fn folder_or_file(shown: &str, found: &Found) -> Result<(), ToolFault> {
    if found.meta.is_dir() { Ok(()) } else { regular_only(shown, found) }
}

fn matcher(input: &GrepInput) -> Result<RegexMatcher, String> {
    let matcher = RegexMatcherBuilder::new()
        .case_insensitive(input.ignore_case)
        .line_terminator(Some(b'\n'))
        .build(&input.pattern);
    matcher.map_err(|error| {
        format!(
            "`pattern` is no regular expression that can be searched for: {error}\nThe syntax is Rust's: no look-around, \
             no back-references, nothing across lines; a literal ( ) [ ] {{ }} . * + ? | ^ $ \\ needs a \\ before it"
        )
    })
}

fn grep(context: &Context, input: &GrepInput, cancel: &Arc<dyn Cancel>) -> Result<ToolReport, Stopped> {
    let invalid = |why| ToolFault::new("invalid_arguments", why);
    let matcher = matcher(input).map_err(invalid)?;
    let only = input.glob.as_deref().map(Pattern::new).transpose().map_err(invalid)?;
    let place = context.files.paths().place(input.path.as_deref().unwrap_or(HERE)).map_err(invalid)?;
    let found = context.files.find(&place)?;
    folder_or_file(&place.shown, &found)?;

    let max = input.max.unwrap_or_else(|| default_max(&context.limits));
    let mut search = Search {
        context,
        searcher: searcher(input.context.unwrap_or(0)),
        hits: Hits::new(&matcher, max, context.limits.max_line_bytes, context.limits.max_read_bytes),
        searched: 0,
        unreadable: 0,
    };
    let visited = if found.meta.is_file() {
        let (file, found) = context.files.open_regular(&place)?;
        search.file(&found.real, Ok(Some(file)), cancel)?;
        Visited::All
    } else {
        search.folder(&found.real, only.as_ref(), cancel)?
    };
    Ok(search.report(input, &place.shown, visited))
}

fn searcher(context: u64) -> Searcher {
    let context = usize::try_from(context).unwrap_or(0);
    SearcherBuilder::new()
        .line_number(true)
        .before_context(context)
        .after_context(context)
        .binary_detection(BinaryDetection::quit(0))
        .heap_limit(Some(MAX_HEAP))
        .build()
}

struct Search<'a> {
    context: &'a Context,
    searcher: Searcher,
    hits: Hits<'a>,
    searched: u64,
    unreadable: u64,
}

impl Search<'_> {
    fn folder(
        &mut self,
        start: &Path,
        only: Option<&Pattern>,
        cancel: &Arc<dyn Cancel>,
    ) -> Result<Visited, Stopped> {
        let max_walked = self.context.limits.max_walked;
        let walk = Walk { files: &self.context.files, start, depth: None, max_walked, cancel };
        walk.visit(|entry| {
            if entry.kind.is_file() && only.is_none_or(|pattern| pattern.matches(entry.below)) {
                let opened = entry.open();
                self.file(entry.relative, opened, cancel)?;
            }
            Ok(if self.hits.is_full() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })
    }

    /// Searches one file. One that cannot be read is counted, and the search goes on.
    fn file(
        &mut self,
        relative: &Path,
        opened: io::Result<Option<File>>,
        cancel: &Arc<dyn Cancel>,
    ) -> Result<(), Stopped> {
        let searched = match opened {
            Ok(Some(file)) => {
                let shown = self.context.files.paths().shown(relative);
                let matcher = self.hits.matcher();
                let sink = self.hits.in_file(&shown, cancel);
                self.searcher.search_file(matcher, &file, sink).map(|()| 1)
            }
            Ok(None) => Ok(0),
            Err(error) => Err(error),
        };
        match searched {
            Ok(files) => self.searched += files,
            Err(_) => self.unreadable += 1,
        }
        crate::blocking::go_on(cancel)
    }

    fn report(self, input: &GrepInput, shown: &str, visited: Visited) -> ToolReport {
        let mut notes = Vec::new();
        if self.hits.is_full() {
            notes.push(format!(
                "stopped after {}; there may be more",
                count(self.hits.shown(), "matching line")
            ));
        }
        if visited == Visited::Limit {
            notes.push(format!(
                "stopped after {} entries; name a deeper folder",
                self.context.limits.max_walked
            ));
        }
        if self.unreadable > 0 {
            notes.push(format!("{} could not be searched", count(self.unreadable, "file")));
        }
        let truncated = !notes.is_empty();
        let mut text = if self.hits.shown() == 0 {
            let searched = count(self.searched, "file");
            format!("no line matches `{}` in `{shown}` ({searched} searched)\n", input.pattern)
        } else {
            self.hits.into_text()
        };
        if truncated {
            text.push_str(&format!("[{}]\n", notes.join("; ")));
        }
        let mut report = ToolReport::ok(text);
        report.metadata.truncated = truncated;
        report
    }
}
