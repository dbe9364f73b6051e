//! What the demo's model says, step by step. It is a provider like any other, so that the demo's session can be gone on
//! with by `onward resume` and the rest.

use std::sync::Arc;

use onward_model::{Script, ScriptError, ScriptedModel};
use onward_port::Model;
use serde_json::json;

use super::repository;

/// The provider's name in the demo's sessions.
pub(crate) const PROVIDER: &str = "demo";

/// The scripted model of the demo.
///
/// # Errors
/// Never, unless the script below is wrong.
pub(crate) fn demo_model() -> Result<Arc<dyn Model>, ScriptError> {
    let edit = json!({ "path": "price.sh", "old": repository::FAULT, "new": repository::FIX });
    let script = json!({ "steps": [
        { "text": "I run the test first.", "calls": [{ "tool": "shell", "input": { "command": "sh test.sh" } }] },
        { "text": "Only quantities above one fail. I look at the script.",
          "calls": [{ "tool": "read", "input": { "path": "price.sh" } }] },
        { "text": "It prints the unit price and ignores the quantity.", "calls": [{ "tool": "edit", "input": edit }] },
        { "text": "Now the test again.", "calls": [{ "tool": "shell", "input": { "command": "sh test.sh" } }] },
        { "text": "Fixed: `price` multiplies by the quantity now, and `sh test.sh` passes all three cases." },
    ] });
    Ok(Arc::new(ScriptedModel::new(Script::from_json(&script.to_string())?)))
}
