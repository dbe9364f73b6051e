//! The tools of the ledger.

use std::io;
use std::sync::Arc;

use onward_event::{Access, Occupies, Recovery, Semantics, ToolDefinition, ToolStart};
use onward_port::{
    Attached, BoxFuture, CheckedInput, Detached, Followed, PlannedEffects, Reconciliation, Supervision, Tool,
    ToolFault, ToolIo, ToolOutcome, ToolPlan, ToolReport,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::kind::Kind;
use super::supervised::{begins, containment, place};
use crate::crash::{PointKind, Points};
use crate::ledger::Ledger;

/// A tool that does one kind of thing to the ledger.
pub struct LedgerTool {
    pub(super) kind: Kind,
    pub(super) ledger: Ledger,
    pub(super) points: Arc<Points>,
    definition: ToolDefinition,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    pub(super) name: String,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    hold: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) background: bool,
}

/// One tool of each kind.
pub fn ledger_tools(ledger: &Ledger, points: &Arc<Points>) -> Vec<Arc<dyn Tool>> {
    let tool = |kind: Kind| -> Arc<dyn Tool> { Arc::new(LedgerTool::new(kind, ledger, points)) };
    Kind::ALL.map(tool).into()
}

impl LedgerTool {
    fn new(kind: Kind, ledger: &Ledger, points: &Arc<Points>) -> Self {
        let mut properties = json!({ "name": { "type": "string" }, "hold": { "type": "boolean" } });
        if kind == Kind::Launch {
            properties["background"] = json!({ "type": "boolean" });
        }
        let definition = ToolDefinition {
            name: kind.name().into(),
            version: "1".into(),
            description: format!("Writes `{} NAME` into the ledger.", kind.name()),
            input_schema: json!({
                "type": "object",
                "properties": properties,
                "required": ["name"],
                "additionalProperties": false,
            }),
        };
        Self { kind, ledger: ledger.clone(), points: points.clone(), definition }
    }

    /// Acts in two halves, with a point in between.
    async fn act(&self, name: &str, start: &ToolStart) -> io::Result<()> {
        let line = format!("{} {name}", self.kind.name());
        let known = self.kind == Kind::Put && self.ledger.count(&line)? > 0;
        match self.kind {
            Kind::Place => self.ledger.write(&format!("place-begin {name}"))?,
            Kind::Launch => self.ledger.write(&begins(start))?,
            Kind::Look | Kind::Peek | Kind::Put | Kind::Fire | Kind::Seal => {}
        }
        self.points.pass(PointKind::ToolDuring, self.kind.name()).await;
        if known { Ok(()) } else { self.ledger.write(&line) }
    }

    async fn run_input(&self, input: Input, start: &ToolStart, io: &ToolIo) -> ToolOutcome {
        if input.name.starts_with("missing") {
            return ToolOutcome::Finished(ToolReport::fault(not_found(&input.name)));
        }
        if input.name.starts_with("hang") {
            std::future::pending::<()>().await;
        }
        if start.is_background() {
            return self.begin(&input.name, start).await;
        }
        if let Err(error) = self.act(&input.name, start).await {
            return ToolOutcome::Unknown { content: format!("the ledger cannot be written: {error}") };
        }
        // What is launched again has nobody left who would tell it to stop.
        if input.hold && (self.kind != Kind::Launch || start.run == 1) {
            io.cancel.cancelled().await;
            return ToolOutcome::Cancelled { content: "stopped after it acted".into() };
        }
        ToolOutcome::Finished(self.report(&input.name))
    }

    pub(super) fn report(&self, name: &str) -> ToolReport {
        ToolReport::ok(format!("{} {name}: done", self.kind.name()))
    }

    /// How often the ledger says that a placing began, and that it was done.
    fn progress(&self, name: &str) -> Result<(u64, u64), ToolFault> {
        let count = |line: String| self.ledger.count(&line).map(|count| count as u64);
        let counts = count(format!("place-begin {name}"))
            .and_then(|begun| Ok((begun, count(format!("{} {name}", self.kind.name()))?)));
        counts.map_err(|error| ToolFault::new("io", error.to_string()))
    }

    fn find_out(&self, name: &str, start: &ToolStart) -> Result<Reconciliation, ToolFault> {
        let Semantics::Possible(Recovery::Reconcile(before)) = &start.semantics else {
            return Err(ToolFault::new("internal", "nothing was recorded to compare with"));
        };
        let before = |what: &str| before[what].as_u64().unwrap_or_default();
        let (begun, placed) = self.progress(name)?;
        let evidence = format!("begun {begun} times, placed {placed} times");
        Ok(if placed > before("placed") {
            Reconciliation::Applied { evidence, report: self.report(name) }
        } else if begun == before("begun") {
            Reconciliation::NotApplied { evidence }
        } else {
            Reconciliation::Unknown { evidence }
        })
    }
}

impl Tool for LedgerTool {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    fn check(&self, input: &Value) -> Result<CheckedInput, Vec<String>> {
        let parsed = parse(input).map_err(|error| vec![error.message])?;
        let access = Access { kind: self.kind.access(), resource: parsed.name.clone() };
        let input = serde_json::to_value(&parsed).map_err(|error| vec![error.to_string()])?;
        let occupies = if self.is_background(&parsed) { Occupies::Job } else { Occupies::Slot };
        Ok(CheckedInput { input, accesses: vec![access], occupies })
    }

    fn plan<'a>(&'a self, input: &'a Value) -> BoxFuture<'a, Result<ToolPlan, ToolFault>> {
        Box::pin(async move {
            let input = parse(input)?;
            let (begun, placed) = self.progress(&input.name)?;
            Ok(ToolPlan {
                risk: self.kind.risk(),
                semantics: self.kind.semantics(&input.name, begun, placed),
                preview: format!("{} {}", self.kind.name(), input.name),
                resources: vec![input.name],
                effects: PlannedEffects::default(),
            })
        })
    }

    fn run<'a>(
        &'a self,
        input: &'a Value,
        start: &'a ToolStart,
        io: &'a ToolIo,
    ) -> BoxFuture<'a, ToolOutcome> {
        Box::pin(async move {
            match parse(input) {
                Ok(input) => self.run_input(input, start, io).await,
                Err(fault) => ToolOutcome::Finished(ToolReport::fault(fault)),
            }
        })
    }

    fn supervision(&self, input: &Value) -> Option<Supervision> {
        let background = parse(input).is_ok_and(|input| self.is_background(&input));
        (self.kind == Kind::Launch).then(|| Supervision {
            place: place(),
            background,
            containment: containment(),
        })
    }

    fn detach<'a>(&'a self, input: &'a Value, start: &'a ToolStart) -> BoxFuture<'a, Detached> {
        let found = parse(input).and_then(|input| self.find_begun(&input.name, start));
        let found = found.unwrap_or_else(|fault| Detached::Unknown { evidence: fault.message });
        Box::pin(std::future::ready(found))
    }

    fn follow<'a>(
        &'a self,
        input: &'a Value,
        start: &'a ToolStart,
        _: &'a ToolIo,
    ) -> BoxFuture<'a, Followed> {
        let followed = parse(input).and_then(|input| self.end_of_job(&input.name, start));
        let followed = followed.unwrap_or_else(|fault| Followed::Unknown { evidence: fault.message });
        Box::pin(std::future::ready(followed))
    }

    fn attach<'a>(
        &'a self,
        input: &'a Value,
        start: &'a ToolStart,
        _: &'a ToolIo,
    ) -> BoxFuture<'a, Attached> {
        let attached = parse(input).and_then(|input| self.find_execution(&input.name, start));
        let attached = attached.unwrap_or_else(|fault| Attached::Unknown { evidence: fault.message });
        Box::pin(std::future::ready(attached))
    }

    fn reconcile<'a>(&'a self, input: &'a Value, start: &'a ToolStart) -> BoxFuture<'a, Reconciliation> {
        let found = parse(input).and_then(|input| self.find_out(&input.name, start));
        let found = found.unwrap_or_else(|fault| Reconciliation::Unknown { evidence: fault.message });
        Box::pin(std::future::ready(found))
    }
}

fn parse(input: &Value) -> Result<Input, ToolFault> {
    Input::deserialize(input)
        .map_err(|error| ToolFault::new("invalid_arguments", format!("the input does not fit: {error}")))
}

fn not_found(name: &str) -> ToolFault {
    ToolFault::new("not_found", format!("there is no `{name}`"))
}
