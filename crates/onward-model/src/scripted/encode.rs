//! `scripted/1`: a request as lines of JSON, so that the scripted model can count the messages in it.
//!
//! ```text
//! head     {"instructions":[…],"tools":[…]}
//! messages {"user":[…]}
//!          {"assistant":{…}}
//! tail     {"end":true}
//! ```

use onward_event::{Message, ModelConfig, RequestHead};
use onward_port::Encoder;
use serde::Serialize;

const TAIL: &[u8] = b"{\"end\":true}\n";

/// How a line of the model's own begins.
const ASSISTANT: &[u8] = b"{\"assistant\":";

/// Encoder `scripted/1`.
#[derive(Clone, Copy, Debug, Default)]
pub struct ScriptedEncoder;

impl Encoder for ScriptedEncoder {
    fn name(&self) -> &str {
        "scripted/1"
    }

    fn head(&self, _config: &ModelConfig, head: &RequestHead) -> Vec<u8> {
        line(head)
    }

    fn message(&self, message: &Message, _first: bool) -> Vec<u8> {
        line(message)
    }

    fn tail(&self) -> Vec<u8> {
        TAIL.to_vec()
    }
}

/// How many of the request's messages are the model's own; `None` when it is no whole request. The lines are only
/// looked at, not parsed, so that a long history costs next to nothing.
pub(super) fn count_answers(body: &[u8]) -> Option<u64> {
    let lines = body.strip_suffix(TAIL)?.split(|byte| *byte == b'\n');
    Some(lines.filter(|line| line.starts_with(ASSISTANT)).count() as u64)
}

/// JSON on one line. These types have string keys only, so writing them cannot fail.
fn line(value: &impl Serialize) -> Vec<u8> {
    let mut out = serde_json::to_vec(value).unwrap_or_default();
    out.push(b'\n');
    out
}

#[cfg(test)]
mod tests {
    use onward_event::{AcceptedPart, Part};

    use super::*;

    #[test]
    fn the_lines_of_the_model_are_counted_and_nothing_else() {
        let user = Message::User(vec![Part::text("\n{\"assistant\":{}}\n")]);
        let answer =
            Message::Assistant { content: vec![AcceptedPart::Text("a\nb".into())], calls: Vec::new() };
        let mut lines = line(&RequestHead::default());
        for (message, count) in [(&user, 0), (&answer, 1), (&user, 1), (&answer, 2)] {
            lines.extend(ScriptedEncoder.message(message, false));
            assert_eq!(count_answers(&[lines.as_slice(), TAIL].concat()), Some(count));
            assert_eq!(count_answers(&lines), None);
        }
    }
}
