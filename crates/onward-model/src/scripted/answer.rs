//! What a step says, as the reply and as the pieces in which it arrives.

use onward_event::{AcceptedPart, FinishReason, Usage, UsageSource};
use onward_port::{ModelDelta, ModelReply, RawCall};
use serde_json::Value;

use super::Script;
use super::script::{Numbered, ScriptedCall, ScriptedUsage};

/// A whole answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) reply: ModelReply,
    pub(super) deltas: Vec<ModelDelta>,
}

impl Answer {
    /// What this step says.
    pub(super) fn of_step(Numbered { step, n }: Numbered<'_>) -> Self {
        let filled = |text: &String| fill(text, n);
        let mut content = Vec::new();
        let reasoning = step.reasoning.as_ref().map(filled).filter(|text| !text.is_empty());
        content.extend(reasoning.map(|text| AcceptedPart::Reasoning { text, opaque: None }));
        let text = step.text.as_ref().map(filled).filter(|text| !text.is_empty());
        content.extend(text.map(AcceptedPart::Text));
        let calls: Vec<RawCall> =
            step.calls.iter().enumerate().map(|(at, call)| raw_call(call, n, at)).collect();
        let natural = if calls.is_empty() { FinishReason::Stop } else { FinishReason::ToolCalls };
        let finish = step.finish.unwrap_or(natural);
        Self::new(ModelReply { finish, content, calls, usage: step.usage.map(usage) })
    }

    /// What the script says after its last step.
    pub(super) fn last(script: &Script) -> Self {
        let content = vec![AcceptedPart::Text(script.final_text().to_owned())];
        Self::new(ModelReply { finish: FinishReason::Stop, content, calls: Vec::new(), usage: None })
    }

    fn new(reply: ModelReply) -> Self {
        let mut deltas = Vec::new();
        for part in &reply.content {
            match part {
                AcceptedPart::Text(text) => deltas.extend(words(text).map(ModelDelta::Text)),
                AcceptedPart::Reasoning { text, .. } => deltas.extend(words(text).map(ModelDelta::Reasoning)),
            }
        }
        for call in &reply.calls {
            deltas.push(ModelDelta::Call { name: call.name.clone() });
            deltas.push(ModelDelta::Arguments(call.arguments.clone()));
        }
        Self { reply, deltas }
    }
}

fn raw_call(call: &ScriptedCall, n: u64, at: usize) -> RawCall {
    let id = call.id.as_ref().map_or_else(|| format!("call_{n}_{}", at + 1), |id| fill(id, n));
    let arguments = match (&call.raw_arguments, &call.input) {
        (Some(raw), _) => fill(raw, n),
        (None, Some(input)) => fill_value(input, n).to_string(),
        (None, None) => "{}".to_owned(),
    };
    RawCall { id, name: fill(&call.tool, n), arguments }
}

fn usage(usage: ScriptedUsage) -> Usage {
    let ScriptedUsage { input, cached, output } = usage;
    Usage { input, cached: cached.min(input), output, cost_micros: 0, source: UsageSource::Reported }
}

fn fill(text: &str, n: u64) -> String {
    text.replace("{n}", &n.to_string())
}

fn fill_value(value: &Value, n: u64) -> Value {
    match value {
        Value::String(text) => Value::String(fill(text, n)),
        Value::Array(list) => list.iter().map(|value| fill_value(value, n)).collect(),
        Value::Object(fields) => fields
            .iter()
            .map(|(name, value)| (name.clone(), fill_value(value, n)))
            .collect::<serde_json::Map<_, _>>()
            .into(),
        other => other.clone(),
    }
}

/// Words, each with the white space behind it.
fn words(text: &str) -> impl Iterator<Item = String> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let gap = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let end = rest[gap..].find(|c: char| !c.is_whitespace()).map_or(rest.len(), |at| gap + at);
        let (word, behind) = rest.split_at(end);
        rest = behind;
        (!word.is_empty()).then(|| word.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_put_together_are_the_text() {
        for (text, count) in [("", 0), ("a", 1), ("a b", 2), ("  a \n b\u{a0}c ", 4), ("   ", 1)] {
            let all: Vec<String> = words(text).collect();
            assert_eq!((all.concat().as_str(), all.len()), (text, count));
        }
    }

    #[test]
    fn the_number_is_filled_in_everywhere() {
        let script = Script::from_toml(
            r#"
            [[steps]]
            repeat = 9
            text = "step {n}, {n}"
            calls = [{ tool = "t", input = { a = ["{n}", 1, { b = "x{n}" }] } }, { tool = "t", raw_arguments = "{{n}" }]
            "#,
        );
        let answer = Answer::of_step(script.unwrap().step(6).unwrap());
        let arguments: Vec<_> = answer.reply.calls.iter().map(|call| call.arguments.as_str()).collect();
        assert_eq!(arguments, [r#"{"a":["7",1,{"b":"x7"}]}"#, "{7"]);
        assert_eq!(answer.reply.content, [AcceptedPart::Text("step 7, 7".into())]);
        assert_eq!(answer.reply.calls[1].id, "call_7_2");
        assert_eq!(answer.reply.finish, FinishReason::ToolCalls);
    }
}
