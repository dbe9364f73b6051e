//! What a person sees: records and live pieces as lines for a terminal, or as the JSON stream.
//!
//! Standard output is data: the answer, or the stream of `--json`. Progress and notices go to standard error.

mod approval;
mod count;
mod gist;
mod json;
mod line;
mod mode;
mod narrator;
pub(crate) mod out;
mod record;
mod say;
mod text;
mod watch;
mod wrap;

pub(crate) use approval::{approval_lines, sandbox_words};
pub(crate) use count::counted;
pub(crate) use gist::log_line;
pub(crate) use json::JsonStream;
pub(crate) use line::{Line, Palette, Style};
pub(crate) use mode::mode_words;
pub(crate) use narrator::{Narrator, outcome, person, verdict};
pub(crate) use onward_wire::terminal::{exact as printable, prose};
pub(crate) use record::{Detail, content_words, describe_input, indented, settle_hint};
pub(crate) use say::{prompt, say, tell};
pub(crate) use text::{Progress, Words};
pub(crate) use watch::{Screen, watch};
pub(crate) use wrap::wrapped;
