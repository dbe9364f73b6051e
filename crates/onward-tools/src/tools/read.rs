//! `read`: lines of a text file, numbered.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read as _};
use std::sync::Arc;

use onward_event::{Access, ToolStart};
use onward_port::{Cancel, ToolFault, ToolIo, ToolOutcome, ToolPlan, ToolReport};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::plans::{check_read, plan_read};
use crate::blocking::{Stopped, go_on, looking};
use crate::builtin::Context;
use crate::files::{Place, regular_only};
use crate::text::{self, SNIFF_BYTES, binary_kind, count, cut_line};
use crate::typed::BuiltIn;

/// Lines between two looks at whether to stop.
const LINES_PER_LOOK: u64 = 4_096;

/// The tool.
pub(crate) struct Read {
    context: Arc<Context>,
}

/// What the model sends.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReadInput {
    path: String,
    /// First line, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    offset: Option<u64>,
    /// Lines to show.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    limit: Option<u64>,
}

impl Read {
    /// Binds the tool.
    pub(crate) fn new(context: &Arc<Context>) -> Self {
        Self { context: Arc::clone(context) }
    }
}

impl BuiltIn for Read {
    type Input = ReadInput;
    const NAME: &'static str = "read";
    const VERSION: &'static str = "1";

    fn description(&self) -> String {
        let limits = &self.context.limits;
        format!(
            "Reads a text file; each line comes as number, tab, text. Up to {} lines or {} at once; the answer says how \
             to go on.",
            limits.max_read_lines,
            text::size(limits.max_read_bytes as u64)
        )
    }

    fn check(&self, input: &mut ReadInput) -> Result<Vec<Access>, Vec<String>> {
        input.offset = input.offset.filter(|offset| *offset != 1);
        let most = self.context.limits.max_read_lines;
        input.limit = input.limit.map(|limit| limit.min(most)).filter(|limit| *limit != most);
        check_read(self.context.files.paths(), &mut input.path)
    }

    async fn plan(&self, input: ReadInput) -> Result<ToolPlan, ToolFault> {
        let preview = format!("read {}", input.path);
        plan_read(&self.context, input.path, preview, regular_only).await
    }

    async fn run(&self, input: ReadInput, _: &ToolStart, io: &ToolIo) -> ToolOutcome {
        let (context, cancel) = (Arc::clone(&self.context), Arc::clone(&io.cancel));
        looking(move || read(&context, &input, &cancel)).await
    }
}

fn read(context: &Context, input: &ReadInput, cancel: &Arc<dyn Cancel>) -> Result<ToolReport, Stopped> {
    let place =
        context.files.paths().place(&input.path).map_err(|why| ToolFault::new("invalid_arguments", why))?;
    let (file, found) = context.files.open_regular(&place)?;
    let failed = |error: io::Error| Stopped::Fault(context.files.fault(&place, &error));
    let mut reader = BufReader::with_capacity(SNIFF_BYTES.max(64 << 10), file);
    let start = reader.fill_buf().map_err(failed)?;
    if start.is_empty() {
        return Ok(ToolReport::ok(format!("`{}` is empty", place.shown)));
    }
    if let Some(kind) = binary_kind(start) {
        return Err(binary(&place, kind, found.meta.len()).into());
    }
    let mut lines = Lines { reader, passed: 0, scanned: 0, max_scan: context.limits.max_scan_bytes, cancel };
    let first = input.offset.unwrap_or(1);
    lines.skip_to(first).map_err(|stop| stop.explain(failed))?;
    let page = lines.page(context, input).map_err(|stop| stop.explain(failed))?;
    if page.shown == 0 {
        return Err(past_the_end(&place, first, &lines).into());
    }
    let total = lines.count_rest().map_err(|stop| stop.explain(failed))?;
    Ok(report(first, &page, total, found.meta.len()))
}

fn binary(place: &Place, kind: &str, size: u64) -> ToolFault {
    let message = format!(
        "`{}` ({}) is not UTF-8 text but, by its first bytes, {kind}; use a command that understands it",
        place.shown,
        text::size(size)
    );
    ToolFault::new("binary_file", message)
}

fn past_the_end(place: &Place, first: u64, lines: &Lines<'_>) -> ToolFault {
    let has = if lines.scan_left() {
        count(lines.passed, "line")
    } else {
        format!("more than {} lines", lines.passed)
    };
    let why = if lines.scan_left() { "is past its end" } else { "is farther than one call looks" };
    ToolFault::new("out_of_range", format!("`{}` has {has}; line {first} {why}", place.shown))
}

fn report(first: u64, page: &Page, total: Option<u64>, size: u64) -> ToolReport {
    let last = first + page.shown - 1;
    let mut notes = Vec::new();
    let complete = first == 1 && total == Some(last);
    if !complete {
        let of =
            total.map_or_else(|| format!("more, {} in all", text::size(size)), |total| total.to_string());
        let more = if total == Some(last) {
            "end of file".into()
        } else {
            format!("go on with offset {}", last + 1)
        };
        notes.push(format!("lines {first} to {last} of {of}; {more}"));
    }
    if page.lossy {
        notes.push("not all of it is valid UTF-8: each byte that is not is shown as \u{fffd}".into());
    }
    if page.crlf {
        notes.push("lines end with CRLF".into());
    }
    if complete && !page.ends_with_newline {
        notes.push("no line end at the end of the file".into());
    }
    let mut text = page.text.clone();
    if !notes.is_empty() {
        text.push_str(&format!("[{}]\n", notes.join("; ")));
    }
    let mut report = ToolReport::ok(text);
    report.metadata.bytes = size;
    report.metadata.truncated = !complete;
    report
}

/// What is shown.
#[derive(Default)]
struct Page {
    text: String,
    shown: u64,
    lossy: bool,
    crlf: bool,
    ends_with_newline: bool,
}

/// A file, line by line, within the limits.
struct Lines<'a> {
    reader: BufReader<File>,
    passed: u64,
    scanned: u64,
    max_scan: u64,
    cancel: &'a Arc<dyn Cancel>,
}

/// Why a scan ended early.
enum Halt {
    Io(io::Error),
    Stopped(Stopped),
}

impl Halt {
    fn explain(self, failed: impl FnOnce(io::Error) -> Stopped) -> Stopped {
        match self {
            Self::Io(error) => failed(error),
            Self::Stopped(stopped) => stopped,
        }
    }
}

impl Lines<'_> {
    /// Passes over lines until `line` is the next one, the file ends or the scan has gone far enough.
    fn skip_to(&mut self, line: u64) -> Result<(), Halt> {
        while self.passed + 1 < line && self.scan_left() {
            if !self.skip_line()? {
                break;
            }
        }
        Ok(())
    }

    /// Shows lines until there are enough, or too many bytes.
    fn page(&mut self, context: &Context, input: &ReadInput) -> Result<Page, Halt> {
        let limits = &context.limits;
        let mut page = Page::default();
        if self.passed + 1 < input.offset.unwrap_or(1) {
            return Ok(page);
        }
        let most = input.limit.unwrap_or(limits.max_read_lines);
        while page.shown < most && page.text.len() < limits.max_read_bytes {
            let (line, length) = self.next_line(limits.max_line_bytes)?;
            if length == 0 {
                break;
            }
            page.add(self.passed, &line, length, limits.max_line_bytes);
        }
        Ok(page)
    }

    /// How many lines the file has; `None` when that is farther than one call looks.
    fn count_rest(&mut self) -> Result<Option<u64>, Halt> {
        while self.scan_left() {
            if !self.skip_line()? {
                return Ok(Some(self.passed));
            }
        }
        Ok(None)
    }

    fn scan_left(&self) -> bool {
        self.scanned < self.max_scan
    }

    /// The next line's start, its end included when it fits, and how long the whole line is; nothing at the end.
    fn next_line(&mut self, max: usize) -> Result<(Vec<u8>, u64), Halt> {
        let mut line = Vec::new();
        // Room for a line end, and for the rest of a character that the limit would split.
        let room = max as u64 + 4;
        let taken = self.reader.by_ref().take(room).read_until(b'\n', &mut line).map_err(Halt::Io)? as u64;
        let rest = if taken == room && line.last() != Some(&b'\n') { self.skip_bytes()? } else { 0 };
        self.count(taken + rest)?;
        Ok((line, taken + rest))
    }

    fn skip_line(&mut self) -> Result<bool, Halt> {
        let skipped = self.skip_bytes()?;
        self.count(skipped)?;
        Ok(skipped > 0)
    }

    fn skip_bytes(&mut self) -> Result<u64, Halt> {
        Ok(self.reader.skip_until(b'\n').map_err(Halt::Io)? as u64)
    }

    fn count(&mut self, bytes: u64) -> Result<(), Halt> {
        self.scanned += bytes;
        self.passed += u64::from(bytes > 0);
        if self.passed.is_multiple_of(LINES_PER_LOOK) {
            go_on(self.cancel).map_err(Halt::Stopped)
        } else {
            Ok(())
        }
    }
}

impl Page {
    fn add(&mut self, number: u64, line: &[u8], length: u64, max: usize) {
        let (body, newline) = match line.strip_suffix(b"\n") {
            Some(body) => (body, true),
            None => (line, false),
        };
        let body = match body.strip_suffix(b"\r") {
            Some(shorter) if newline => {
                self.crlf = true;
                shorter
            }
            _ => body,
        };
        self.lossy |= std::str::from_utf8(&body[..text::floor_char(body, max)]).is_err();
        self.ends_with_newline = newline || length > line.len() as u64;
        let shown =
            if length > line.len() as u64 { cut_head(body, max, length) } else { cut_line(body, max).into() };
        self.text.push_str(&format!("{number}\t{shown}\n"));
        self.shown += 1;
    }
}

/// A line of which only the start was kept.
fn cut_head(body: &[u8], max: usize, length: u64) -> String {
    let head = &body[..text::floor_char(body, max)];
    let more = length - head.len() as u64;
    format!("{} [cut: {more} more bytes in this line]", String::from_utf8_lossy(head))
}
