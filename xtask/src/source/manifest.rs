//! The entries of a `Cargo.toml`, read line by line.
//!
//! Cargo's own view of a manifest has inheritance already resolved, so the question "is this inherited?" can only
//! be asked of the text. The reader knows as much TOML as manifests use: tables, dotted keys, and values that go
//! on over several lines inside brackets.

/// One `key = value`, with the table that it stands in.
#[derive(Debug, PartialEq)]
pub(crate) struct Entry {
    pub(crate) line: usize,
    pub(crate) table: String,
    pub(crate) key: String,
    pub(crate) value: String,
}

pub(crate) fn entries(text: &str) -> Vec<Entry> {
    let mut found: Vec<Entry> = Vec::new();
    let mut table = String::new();
    let mut open = 0_usize;
    for (index, line) in text.lines().enumerate() {
        let line = without_comment(line).trim();
        if open > 0 {
            open = depth(line, open);
            if let Some(entry) = found.last_mut() {
                entry.value.push(' ');
                entry.value.push_str(line);
            }
        } else if let Some(header) = line.strip_prefix('[') {
            table = header.trim_matches(['[', ']', ' ']).to_owned();
        } else if let Some((key, value)) = line.split_once('=') {
            open = depth(value, 0);
            found.push(Entry {
                line: index + 1,
                table: table.clone(),
                key: key.trim().replace('"', ""),
                value: value.trim().to_owned(),
            });
        }
    }
    found
}

/// How many brackets are open after `text`.
fn depth(text: &str, before: usize) -> usize {
    unquoted(text).fold(before, |open, (_, character)| match character {
        '[' | '{' => open + 1,
        ']' | '}' => open.saturating_sub(1),
        _ => open,
    })
}

fn without_comment(line: &str) -> &str {
    let end = unquoted(line).find(|&(_, character)| character == '#').map(|(at, _)| at);
    &line[..end.unwrap_or(line.len())]
}

fn unquoted(text: &str) -> impl Iterator<Item = (usize, char)> + '_ {
    let mut quote = None;
    text.char_indices().filter(move |&(_, character)| match quote {
        Some(open) => {
            if character == open {
                quote = None;
            }
            false
        }
        None => {
            if matches!(character, '"' | '\'') {
                quote = Some(character);
            }
            true
        }
    })
}

#[cfg(test)]
mod tests {
    use super::entries;

    #[test]
    fn tables_keys_and_long_values() {
        let text = "[package]\nname = \"a#b\" # c\n\n[target.'cfg(unix)'.dependencies]\nx.workspace = true\ny = { version = \"1\", features = [\n  \"z\", # why\n] }\nw = \"2\"\n";
        let found: Vec<_> = entries(text)
            .into_iter()
            .map(|it| (it.line, format!("{} | {} | {}", it.table, it.key, it.value)))
            .collect();
        let expect = [
            (2, "package | name | \"a#b\""),
            (5, "target.'cfg(unix)'.dependencies | x.workspace | true"),
            (6, "target.'cfg(unix)'.dependencies | y | { version = \"1\", features = [ \"z\", ] }"),
            (9, "target.'cfg(unix)'.dependencies | w | \"2\""),
        ];
        assert_eq!(found, expect.map(|(line, text)| (line, text.to_owned())));
    }
}
