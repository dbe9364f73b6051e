//! Content in words: the protocol's `content` is one string, so whatever is not text is named in it.
//!
//! Parts follow one another without anything between them; what stands between two texts is part of the texts.
//! Images are not sent yet, only named: a model that cannot see one must at least know that there is one.

use std::fmt::Write as _;

use onward_event::{AcceptedPart, Part};

use super::REASONING_FIELD;

/// The words of a message from outside, or of a tool's answer.
pub(super) fn words(content: &[Part]) -> String {
    let mut out = String::new();
    for part in content {
        // Writing to a string cannot fail.
        let _ = match part {
            Part::Text(text) => out.write_str(text),
            Part::Blob { hash, media_type, size } => {
                write!(out, "[{media_type}, {size} bytes, {}: stored, not shown]", hash.short())
            }
            Part::Reference(id) => write!(out, "[stored result {id}]"),
            Part::SecretRef(name) => write!(out, "{{{{secret:{name}}}}}"),
        };
    }
    out
}

/// What the model said, without its thoughts.
pub(super) fn said(content: &[AcceptedPart]) -> String {
    let mut out = String::new();
    for part in content {
        if let AcceptedPart::Text(text) = part {
            out.push_str(text);
        }
    }
    out
}

/// The thoughts that the server wants back.
pub(super) fn replayed_thoughts(content: &[AcceptedPart]) -> String {
    let mut out = String::new();
    for part in content {
        if let AcceptedPart::Reasoning { text, opaque: Some(mark) } = part
            && mark == REASONING_FIELD
        {
            out.push_str(text);
        }
    }
    out
}
