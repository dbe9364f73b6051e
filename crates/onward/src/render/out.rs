//! Standard output and standard error: the only two places where this program prints.
//!
//! Whoever makes a line makes what is untrusted in it safe, in the manner that fits it; here it is made sure that nobody
//! has forgotten. What passes holds no configured secret, no character that cannot be seen or turns the direction of a
//! line, and no control character but the end of a line, the tab and this program's own colours.

use std::io::{self, IsTerminal as _, Write};
use std::sync::RwLock;

use onward_port::Redactor;
use onward_wire::terminal::{Filter, Manner};

use super::line::COLOURS;

/// What must not be printed; it becomes known while the process starts, and belongs to the process as its output does.
static HIDDEN: RwLock<Option<Redactor>> = RwLock::new(None);

/// From now on these secrets are not printed.
pub(crate) fn hide(redactor: Redactor) {
    let mut hidden = HIDDEN.write().unwrap_or_else(std::sync::PoisonError::into_inner);
    *hidden = Some(redactor);
}

/// Standard output, for text. What is written shows line by line, and when it is flushed or dropped.
pub(crate) fn stdout() -> Out<io::Stdout> {
    Out::new(io::stdout())
}

/// Standard error, for text.
pub(crate) fn stderr() -> Out<io::Stderr> {
    Out::new(io::stderr())
}

/// Writes bytes that are data: exactly as they are into a file or a pipe, made safe for a terminal.
///
/// # Errors
/// When nobody reads them.
pub(crate) fn data(bytes: &[u8]) -> io::Result<()> {
    let mut to = io::stdout();
    let bytes = redactor().mask(bytes).into_owned();
    if to.is_terminal() {
        let mut filter = Filter::new(Manner::Output);
        let shown = filter.push_bytes(&bytes) + &filter.finish();
        to.write_all(shown.as_bytes())?;
    } else {
        to.write_all(&bytes)?;
    }
    to.flush()
}

/// Writes text that is safe by now.
pub(crate) struct Out<W: Write> {
    to: W,
    /// The line that is not complete: a secret must be seen whole.
    line: Vec<u8>,
    /// The last gate. It leaves text that was made safe before as it is.
    gate: Filter,
}

impl<W: Write> Out<W> {
    fn new(to: W) -> Self {
        Self { to, line: Vec::new(), gate: Filter::new(Manner::Prose) }
    }

    fn pass(&mut self, upto: usize) -> io::Result<()> {
        let rest = self.line.split_off(upto);
        let line = std::mem::replace(&mut self.line, rest);
        let text = redactor().text(&String::from_utf8_lossy(&line)).into_owned();
        let passed = self.guarded(&text);
        self.to.write_all(passed.as_bytes())
    }

    /// As the gate lets it through, with our own colours.
    fn guarded(&mut self, text: &str) -> String {
        let (mut out, mut rest) = (String::with_capacity(text.len()), text);
        while let Some((at, colour)) = next_colour(rest) {
            out.push_str(&self.gate.push(&rest[..at]));
            out.push_str(colour);
            rest = &rest[at + colour.len()..];
        }
        out.push_str(&self.gate.push(rest));
        out
    }
}

impl<W: Write> Write for Out<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.line.extend_from_slice(bytes);
        if let Some(end) = self.line.iter().rposition(|byte| *byte == b'\n') {
            self.pass(end + 1)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.pass(self.line.len())?;
        self.to.flush()
    }
}

impl<W: Write> Drop for Out<W> {
    fn drop(&mut self) {
        if !self.line.is_empty() {
            // A reader that is gone wants no more.
            let _ = self.flush();
        }
        let held = self.gate.finish();
        if !held.is_empty() {
            let _ = self.to.write_all(held.as_bytes()).and_then(|()| self.to.flush());
        }
    }
}

fn redactor() -> Redactor {
    let hidden = HIDDEN.read().unwrap_or_else(std::sync::PoisonError::into_inner);
    hidden.clone().unwrap_or_default()
}

/// The first of our own colours, and where it stands.
fn next_colour(text: &str) -> Option<(usize, &'static str)> {
    text.match_indices('\x1b').find_map(|(at, _)| {
        let colour = COLOURS.into_iter().find(|colour| text[at..].starts_with(colour))?;
        Some((at, colour))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_colours_pass() {
        let mut out = Out::new(Vec::new());
        write!(out, "\x1b[31mno\x1b[0m \x1b[33m\x1b]0;t\x07 \u{9b}6n\r \n\tend").unwrap();
        assert_eq!(String::from_utf8_lossy(&out.to), "\x1b[31mno\x1b[0m ␛[33m␛]0;t␇ <9b>6n␍ \n");
        out.flush().unwrap();
        assert!(out.to.ends_with(b"\n\tend"));
    }

    #[test]
    fn what_turns_a_line_is_shown_and_what_joins_an_emoji_stays() {
        let mut out = Out::new(Vec::new());
        write!(out, "a\u{202e}b\u{200b}c\u{feff} ").unwrap();
        // In two pieces, as the words of a model arrive.
        out.flush().unwrap();
        write!(out, "\u{1f469}").unwrap();
        out.flush().unwrap();
        writeln!(out, "\u{200d}\u{1f4bb} \u{2714}\u{fe0f}").unwrap();
        let shown = "a<U+202E>b<U+200B>c<U+FEFF> \u{1f469}\u{200d}\u{1f4bb} \u{2714}\u{fe0f}\n";
        assert_eq!(String::from_utf8_lossy(&out.to), shown);
    }

    #[test]
    fn nobody_prints_past_this_gate() {
        let mut folders = vec![std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src")];
        let (mut files, mut found) = (0, Vec::new());
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if !path.ends_with("render/out.rs") {
                    let text = std::fs::read_to_string(&path).unwrap();
                    let looks = text
                        .replace("std::io::stdout().is_terminal", "")
                        .replace("std::io::stderr().is_terminal", "");
                    let prints = ["io::stdout()", "io::stderr()", "println!(", "print!("];
                    if prints.iter().any(|print| looks.contains(print)) {
                        found.push(path);
                    }
                    files += 1;
                }
            }
        }
        assert!(files > 50 && found.is_empty(), "{files} files; these print by themselves: {found:?}");
    }
}
