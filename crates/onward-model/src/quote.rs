//! Short quotes of what a server sent, fit for a log and a terminal.

/// The longest quote, in characters.
const MAX_CHARS: usize = 240;

/// The text on one line, without control characters, cut where it gets long. Of an HTML page only the title, which
/// is what such a page has to say.
pub(crate) fn quote(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    if text.trim().is_empty() {
        return "(nothing)".into();
    }
    if !text.trim_start().starts_with('<') {
        return shorten(&text);
    }
    match title(&text) {
        Some(title) => format!("an HTML page `{}`", shorten(title)),
        None => "an HTML page".into(),
    }
}

fn shorten(text: &str) -> String {
    let mut out = String::new();
    let printable = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    let mut chars = 0;
    for c in printable {
        if c == ' ' && (out.is_empty() || out.ends_with(' ')) {
            continue;
        }
        if chars == MAX_CHARS {
            out.push('…');
            break;
        }
        out.push(c);
        chars += 1;
    }
    out.truncate(out.trim_end().len());
    out
}

fn title(html: &str) -> Option<&str> {
    // ASCII only, so positions in both texts are the same.
    let lower = html.to_ascii_lowercase();
    let open = lower.find("<title")?;
    let start = open + lower[open..].find('>')? + 1;
    let end = start + lower[start..].find("</title")?;
    Some(html[start..end].trim()).filter(|title| !title.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quote_is_one_short_printable_line() {
        assert_eq!(quote(b" a\r\n\x1b[31mb\x07  c "), "a [31mb c");
        assert_eq!(quote(b"\xff\xfe"), "\u{fffd}\u{fffd}");
        assert_eq!(quote(b" \n"), "(nothing)");
        assert_eq!(quote("é".repeat(1000).as_bytes()).chars().count(), MAX_CHARS + 1);
    }

    #[test]
    fn a_page_is_quoted_by_its_title() {
        assert_eq!(quote(b"<html><TITLE a=b> 502 Bad\nGateway</title>"), "an HTML page `502 Bad Gateway`");
        assert_eq!(quote("<p>İ<title>x".as_bytes()), "an HTML page");
    }
}
