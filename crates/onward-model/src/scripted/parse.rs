//! From text to a [`Script`], with errors that name the place.

use serde_json::Value;

use super::script::{Fault, ScriptedCall, Step};
use super::{Script, ScriptError};

/// Under this key a date of TOML arrives in a JSON value.
const TOML_DATE: &str = "$__toml_private_datetime";

impl Script {
    /// Reads a script in TOML.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    pub fn from_toml(text: &str) -> Result<Self, ScriptError> {
        let mut script: Self = toml::from_str(text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            syntax(line_at(text, at), error.message())
        })?;
        let calls = script.steps.iter_mut().flat_map(|step| &mut step.calls);
        calls.filter_map(|call| call.input.as_mut()).for_each(dates_to_text);
        checked(script)
    }

    /// Reads a script in JSON.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    pub fn from_json(text: &str) -> Result<Self, ScriptError> {
        if text.trim().is_empty() {
            return Err(ScriptError::Empty);
        }
        let script = serde_json::from_str(text).map_err(|error| {
            let message = error.to_string();
            // The position at the end of the message is what `line` says.
            let message = message.split(" at line ").next().unwrap_or_default().to_owned();
            syntax(error.line(), &message)
        })?;
        checked(script)
    }

    /// Reads the content of a file: JSON when the path ends with `.json`, otherwise TOML.
    ///
    /// # Errors
    /// What is wrong with it, with the path.
    pub fn load(path: &str, content: &str) -> Result<Self, ScriptError> {
        let is_json = path.to_ascii_lowercase().ends_with(".json");
        let script = if is_json { Self::from_json(content) } else { Self::from_toml(content) };
        script.map_err(|error| ScriptError::InFile { path: path.to_owned(), error: Box::new(error) })
    }
}

fn syntax(line: usize, message: &str) -> ScriptError {
    ScriptError::Syntax { line, message: message.trim().replace('\n', ", ") }
}

fn line_at(text: &str, at: usize) -> usize {
    text.bytes().take(at).filter(|byte| *byte == b'\n').count() + 1
}

fn checked(script: Script) -> Result<Script, ScriptError> {
    if script.steps.is_empty() && script.r#final.is_none() {
        return Err(ScriptError::Empty);
    }
    for (index, step) in script.steps.iter().enumerate() {
        if let Some(message) = fault_of(step) {
            return Err(ScriptError::Step { step: index + 1, message });
        }
    }
    Ok(script)
}

/// What is wrong with a step.
fn fault_of(step: &Step) -> Option<String> {
    if step.repeat == 0 {
        return Some("`repeat = 0` answers nothing; leave the step out".into());
    }
    let says = step.text.is_some() || step.reasoning.is_some() || !step.calls.is_empty();
    if !says && !step.hang && step.finish.is_none() {
        return Some(
            "it says nothing; give it `text`, `reasoning`, `calls`, `finish` or `hang = true`".into(),
        );
    }
    let call = step.calls.iter().find_map(fault_of_call);
    call.or_else(|| {
        step.faults.iter().enumerate().find_map(|(at, fault)| fault_of_fault(fault, &step.faults[..at]))
    })
}

fn fault_of_call(call: &ScriptedCall) -> Option<String> {
    if call.input.is_some() && call.raw_arguments.is_some() {
        return Some(format!("the call of `{}` has both `input` and `raw_arguments`; keep one", call.tool));
    }
    None
}

fn fault_of_fault(fault: &Fault, earlier: &[Fault]) -> Option<String> {
    let attempt = fault.attempt;
    if attempt == 0 {
        return Some("the attempts of a fault are counted from 1".into());
    }
    if earlier.iter().any(|other| other.attempt == attempt) {
        return Some(format!("two faults for attempt {attempt}; keep one"));
    }
    let kinds =
        usize::from(fault.error.is_some()) + usize::from(fault.finish.is_some()) + usize::from(fault.hang);
    if kinds != 1 {
        return Some(format!("the fault of attempt {attempt} needs one of `error`, `finish`, `hang = true`"));
    }
    None
}

fn dates_to_text(value: &mut Value) {
    match value {
        Value::Array(list) => list.iter_mut().for_each(dates_to_text),
        Value::Object(fields) => {
            if let Some(date) = fields.get_mut(TOML_DATE) {
                *value = date.take();
            } else {
                fields.values_mut().for_each(dates_to_text);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
#[path = "parse_tests.rs"]
mod tests;
