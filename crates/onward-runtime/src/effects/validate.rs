//! A call as the model wrote it, checked against the tools that it was offered (seed, section 2). The checks answer
//! two questions apart: can this reply be accepted at all, and can this call be run.

use onward_core::ProposedCall;
use onward_event::{Digest, InvalidCall, Occupies};
use onward_port::{RawCall, Redactor, ToolSet, digest};
use serde_json::Value;

/// The input is redacted before it is checked: what is judged, shown, recorded and run is one and the same, and a
/// secret is not what runs.
pub(super) fn call(tools: &ToolSet, redactor: &Redactor, raw: &RawCall) -> ProposedCall {
    let mut proposed = ProposedCall {
        provider_id: raw.id.clone(),
        name: raw.name.clone(),
        version: String::new(),
        input: arguments(&raw.arguments).map(|input| redactor.value(input)),
        digest: Digest::ZERO,
        accesses: Vec::new(),
        occupies: Occupies::default(),
        invalid: None,
    };
    let Some(input) = &proposed.input else { return proposed };
    match tools.get(&raw.name) {
        None => proposed.invalid = Some(unknown_tool(tools, &raw.name)),
        Some(tool) => {
            proposed.version.clone_from(&tool.definition().version);
            match tool.check(input) {
                Ok(checked) => {
                    proposed.input = Some(checked.input);
                    proposed.accesses = checked.accesses;
                    proposed.occupies = checked.occupies;
                }
                Err(reasons) => {
                    proposed.invalid = Some(InvalidCall { code: "invalid_arguments".into(), reasons });
                }
            }
        }
    }
    proposed.digest = call_digest(&proposed);
    proposed
}

/// Nothing at all counts as an empty object: some models send that for tools without parameters.
fn arguments(text: &str) -> Option<Value> {
    if text.trim().is_empty() {
        return Some(Value::Object(serde_json::Map::new()));
    }
    serde_json::from_str(text).ok()
}

fn unknown_tool(tools: &ToolSet, name: &str) -> InvalidCall {
    let reasons = vec![format!("there is no tool `{name}`. The tools are: {}.", tools.names().join(", "))];
    InvalidCall { code: "unknown_tool".into(), reasons }
}

/// Over tool, version and canonical input.
fn call_digest(call: &ProposedCall) -> Digest {
    let canonical = serde_json_canonicalizer::to_vec(&(&call.name, &call.version, &call.input));
    digest(&canonical.unwrap_or_default())
}
