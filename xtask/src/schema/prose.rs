//! From a type's doc comment to the words of a page.

/// One paragraph after the other, each on one line, without what only means something beside the code.
pub(super) fn paragraphs(description: &str) -> Vec<String> {
    description.split("\n\n").map(one_line).filter(|paragraph| !paragraph.is_empty()).collect()
}

/// All of it on one line, for a cell of a table.
pub(super) fn cell(description: &str) -> String {
    one_line(description).replace('|', "\\|")
}

fn one_line(text: &str) -> String {
    let joined = text.split_whitespace().collect::<Vec<_>>().join(" ");
    without_seed(&without_links(&joined))
}

/// A link to an item of the code becomes the item's name.
fn without_links(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("[`") {
        let (before, link) = rest.split_at(at);
        out.push_str(before);
        let Some(end) = link.find("`]") else {
            rest = link;
            break;
        };
        let name = link[2..end].rsplit("crate::").next().unwrap_or_default();
        out.push('`');
        out.push_str(name);
        out.push('`');
        rest = &link[end + 2..];
    }
    out.push_str(rest);
    out
}

/// References to the specification help whoever reads the code; a reader of the page does not have it at hand.
fn without_seed(text: &str) -> String {
    match text.split_once(" (seed") {
        Some((before, rest)) => match rest.split_once(')') {
            Some((_, after)) => format!("{before}{after}"),
            None => text.to_owned(),
        },
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{cell, paragraphs};

    #[test]
    fn a_doc_comment_becomes_plain_words() {
        assert_eq!(
            paragraphs("What a call\ncan do (seed, section 3). It\nis so.\n\nSee [`crate::Recovery`] | b."),
            ["What a call can do. It is so.", "See `Recovery` | b."]
        );
        assert_eq!(cell("One\n\nor [`Record::to_bytes`] | two"), "One or `Record::to_bytes` \\| two");
    }

    #[test]
    fn what_is_no_link_stays() {
        for same in ["`[`", "a [`b", "(seeds are sown)", ""] {
            assert_eq!(cell(same), same);
        }
    }
}
