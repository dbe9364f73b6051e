//! JSON on one line, harmless for a terminal and for every reader of lines.

use super::chars::is_unprintable;

/// The same JSON, with every character that cannot be seen escaped: JSON itself escapes only some of them. `line` is
/// written without layout, so such a character can only stand inside a string.
pub fn escaped(line: &str) -> String {
    if !line.contains(is_unprintable) {
        return line.to_owned();
    }
    let mut escaped = String::with_capacity(line.len() + 16);
    for c in line.chars() {
        if is_unprintable(c) {
            c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| escaped.push_str(&format!("\\u{unit:04x}")));
        } else {
            escaped.push(c);
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_says_the_same() {
        let value = serde_json::json!({ "a": "x\u{202e}y\u{e0041}\n", "b": "é👩" });
        let line = escaped(&value.to_string());
        assert!(line.contains("x\\u202ey\\udb40\\udc41\\n") && line.contains("é👩"), "{line}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&line).unwrap(), value);
    }
}
