//! A tool that does nothing, but might have: so each of its calls is on disk before it starts, as a command would be.

use onward_event::{
    Access, AccessKind, Occupies, OnUnknown, Recovery, Risk, Semantics, ToolDefinition, ToolStart,
};
use onward_port::{
    BoxFuture, CheckedInput, PlannedEffects, Tool, ToolFault, ToolIo, ToolOutcome, ToolPlan, ToolReport,
};
use serde_json::{Value, json};

/// The tool.
pub(crate) struct Noop {
    definition: ToolDefinition,
}

impl Noop {
    /// The tool.
    pub(crate) fn new() -> Self {
        let input_schema = json!({
            "type": "object",
            "properties": { "command": { "type": "string" } },
            "required": ["command"],
        });
        let (name, version) = ("noop".into(), "1".into());
        let description = "Takes a command and does not run it.".into();
        Self { definition: ToolDefinition { name, version, description, input_schema } }
    }
}

impl Tool for Noop {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    fn check(&self, input: &Value) -> Result<CheckedInput, Vec<String>> {
        let accesses = vec![Access { kind: AccessKind::Write, resource: "/".into() }];
        Ok(CheckedInput { input: input.clone(), accesses, occupies: Occupies::Slot })
    }

    fn plan<'a>(&'a self, input: &'a Value) -> BoxFuture<'a, Result<ToolPlan, ToolFault>> {
        let plan = ToolPlan {
            risk: Risk::Shell,
            semantics: Semantics::Possible(Recovery::Manual(OnUnknown::Ask)),
            resources: Vec::new(),
            preview: input.to_string(),
            effects: PlannedEffects::default(),
        };
        Box::pin(std::future::ready(Ok(plan)))
    }

    fn run<'a>(&'a self, input: &'a Value, _: &'a ToolStart, _: &'a ToolIo) -> BoxFuture<'a, ToolOutcome> {
        let said = ToolReport::ok(format!("exit 0\n{input}"));
        Box::pin(std::future::ready(ToolOutcome::Finished(said)))
    }
}
