//! The tools of the simulated world: one of each kind of effect.
//!
//! | tool | semantics | where it acts |
//! |---|---|---|
//! | `look` | no effects, may run again | in the process |
//! | `peek` | no effects, must not run again | in the process |
//! | `put` | idempotent by key: the outside drops a key that it has | in the process |
//! | `place` | reconciled: it acts only on what it was planned for | in the process |
//! | `fire` | nobody can find out | in the process |
//! | `launch` | as `fire`, under a supervisor | on the machine |

use std::sync::Arc;
use std::time::Duration;

use onward_event::{
    Access, AccessKind, Occupies, OnUnknown, Recovery, Retry, Risk, Semantics, ToolDefinition, ToolStart,
};
use onward_port::{
    Attached, BoxFuture, CheckedInput, Detached, Executor as _, Followed, PlannedEffects, Reconciliation,
    Supervision, Tool, ToolFault, ToolIo, ToolOutcome, ToolPlan, ToolReport,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::executor::Hand;
use super::fault::{Fault, Place};
use super::launch;
use super::process::Process;
use super::world::{Planted, World, locked};

/// What a call says that was stopped in time.
pub(super) const STOPPED_BEFORE: &str = "stopped before it acted";

/// What a call says that was stopped too late.
pub(super) const STOPPED_AFTER: &str = "stopped after it acted";

/// What a call can do to the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Look,
    Peek,
    Put,
    Place,
    Fire,
    Launch,
}

/// How a call behaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Manner {
    Plain,
    /// It fails without any effect.
    Fails,
    /// It acts, and waits until it is told to stop.
    Holds,
    /// It does not stop when it is told to.
    Stubborn,
    /// It goes on as a job.
    Background,
}

/// What the model sends.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    /// Unique.
    pub(super) name: String,
    /// The resource: calls on the same one conflict.
    pub(super) on: String,
    pub(super) manner: Manner,
    /// Milliseconds before the effect, and after it.
    pub(super) before: u64,
    pub(super) after: u64,
}

/// A tool of one process.
pub(super) struct SimTool {
    pub(super) kind: Kind,
    pub(super) process: Arc<Process>,
    pub(super) hand: Arc<Hand>,
    definition: ToolDefinition,
}

impl Kind {
    pub(super) const ALL: [Self; 6] =
        [Self::Look, Self::Peek, Self::Put, Self::Place, Self::Fire, Self::Launch];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Look => "look",
            Self::Peek => "peek",
            Self::Put => "put",
            Self::Place => "place",
            Self::Fire => "fire",
            Self::Launch => "launch",
        }
    }

    fn only_looks(self) -> bool {
        matches!(self, Self::Look | Self::Peek)
    }

    fn semantics(self, input: &Input) -> Semantics {
        match self {
            Self::Look => Semantics::None(Retry::Allowed),
            Self::Peek => Semantics::None(Retry::Forbidden),
            Self::Put => Semantics::Possible(Recovery::Idempotent(input.name.clone())),
            Self::Place => Semantics::Possible(Recovery::Reconcile(json!({ "place": input.name }))),
            // Half of them are what nobody is asked about.
            Self::Fire if input.after % 2 == 1 => Semantics::Possible(Recovery::Manual(OnUnknown::Block)),
            Self::Fire | Self::Launch => Semantics::Possible(Recovery::Manual(OnUnknown::Ask)),
        }
    }
}

impl SimTool {
    pub(super) fn all(process: &Arc<Process>, hand: &Arc<Hand>) -> Vec<Arc<dyn Tool>> {
        Kind::ALL.map(|kind| -> Arc<dyn Tool> { Arc::new(Self::new(kind, process, hand)) }).into()
    }

    fn new(kind: Kind, process: &Arc<Process>, hand: &Arc<Hand>) -> Self {
        let definition = ToolDefinition {
            name: kind.name().into(),
            version: "1".into(),
            description: format!("Does what `{}` does.", kind.name()),
            input_schema: json!({ "type": "object" }),
        };
        Self { kind, process: process.clone(), hand: hand.clone(), definition }
    }

    pub(super) fn world(&self) -> &World {
        &self.process.world
    }

    async fn run_input(&self, input: &Input, start: &ToolStart, io: &ToolIo) -> ToolOutcome {
        self.process.pass(Place::BeforeEffect).await;
        self.world().is_recorded(start.call, start.run);
        let outcome = match (input.manner, self.kind) {
            (Manner::Fails, _) => ToolOutcome::Finished(ToolReport::fault(ToolFault::new(
                "not_found",
                "there is no such thing",
            ))),
            (_, Kind::Launch) => launch::run(self, input, start, io).await,
            _ => self.act(input, start, io).await,
        };
        self.process.pass(Place::AfterEffect).await;
        outcome
    }

    async fn act(&self, input: &Input, start: &ToolStart, io: &ToolIo) -> ToolOutcome {
        tokio::time::sleep(Duration::from_millis(input.before)).await;
        self.process.breathe().await;
        if io.cancel.is_cancelled() {
            return ToolOutcome::Cancelled { content: STOPPED_BEFORE.into() };
        }
        if let Err(fault) = self.do_it(input, start).await {
            return ToolOutcome::Finished(ToolReport::fault(fault));
        }
        let rest = tokio::time::sleep(Duration::from_millis(input.after));
        match input.manner {
            Manner::Stubborn => {
                // Longer than anybody waits for it, once it was told to stop.
                tokio::select! {
                    () = tokio::time::sleep(Duration::from_secs(20)) => {}
                    () = io.cancel.cancelled() => {
                        self.world().saw(Fault::Stubborn);
                        tokio::time::sleep(Duration::from_secs(60)).await;
                    }
                }
            }
            Manner::Holds => {
                tokio::select! {
                    biased;
                    () = io.cancel.cancelled() => {
                        return ToolOutcome::Cancelled { content: STOPPED_AFTER.into() };
                    }
                    () = tokio::time::sleep(Duration::from_secs(8)) => {}
                }
            }
            Manner::Plain | Manner::Fails | Manner::Background => rest.await,
        }
        ToolOutcome::Finished(self.report(input))
    }

    /// The effect itself, in two halves where it has two.
    async fn do_it(&self, input: &Input, start: &ToolStart) -> Result<(), ToolFault> {
        let (world, name) = (self.world(), input.name.clone());
        if world.planted == Planted::ActsFirst {
            return Ok(());
        }
        match self.kind {
            Kind::Look | Kind::Peek | Kind::Launch => {}
            Kind::Put => {
                self.process.pass(Place::DuringEffect).await;
                // The outside takes key and effect in one.
                let new = locked(&world.outside).keys.insert(name);
                if new {
                    world.acts(start.call, start.run);
                }
            }
            Kind::Place => {
                locked(&world.outside).begun.insert(name.clone());
                self.process.pass(Place::DuringEffect).await;
                if !locked(&world.outside).placed.insert(name) {
                    return Err(ToolFault::new("changed", "it was placed by somebody else meanwhile"));
                }
                world.acts(start.call, start.run);
            }
            Kind::Fire => {
                self.process.pass(Place::DuringEffect).await;
                world.acts(start.call, start.run);
            }
        }
        Ok(())
    }

    pub(super) fn report(&self, input: &Input) -> ToolReport {
        ToolReport::ok(format!("{} {}: done", self.kind.name(), input.name))
    }

    fn find_out(&self, input: &Input) -> Reconciliation {
        let outside = locked(&self.world().outside);
        let evidence = "somebody looked".into();
        if outside.placed.contains(&input.name) {
            Reconciliation::Applied { evidence, report: self.report(input) }
        } else if outside.begun.contains(&input.name) {
            Reconciliation::Unknown { evidence }
        } else {
            Reconciliation::NotApplied { evidence }
        }
    }

    fn planned(&self, input: &Input) -> Result<ToolPlan, ToolFault> {
        let world = self.world();
        if self.kind == Kind::Place && locked(&world.outside).placed.contains(&input.name) {
            return Err(ToolFault::new("exists", "it is placed already"));
        }
        if world.planted == Planted::ActsFirst
            && !self.kind.only_looks()
            && let Some(call) = world.store.call_named(&input.name)
        {
            world.acts(call, 1);
        }
        Ok(ToolPlan {
            risk: if self.kind.only_looks() { Risk::Read } else { Risk::Write },
            semantics: self.kind.semantics(input),
            resources: vec![input.on.clone()],
            preview: format!("{} {}", self.kind.name(), input.name),
            effects: PlannedEffects::default(),
        })
    }
}

impl Tool for SimTool {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    fn check(&self, input: &Value) -> Result<CheckedInput, Vec<String>> {
        let parsed = parse(input).map_err(|error| vec![error.message])?;
        let kind = if self.kind.only_looks() { AccessKind::Read } else { AccessKind::Write };
        let accesses = vec![Access { kind, resource: parsed.on.clone() }];
        let input = serde_json::to_value(&parsed).map_err(|error| vec![error.to_string()])?;
        let occupies = match (self.kind, parsed.manner) {
            (Kind::Launch, Manner::Background) => Occupies::Job,
            _ => Occupies::Slot,
        };
        Ok(CheckedInput { input, accesses, occupies })
    }

    fn plan<'a>(&'a self, input: &'a Value) -> BoxFuture<'a, Result<ToolPlan, ToolFault>> {
        Box::pin(async move {
            self.process.breathe().await;
            self.planned(&parse(input)?)
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
                Ok(input) => self.run_input(&input, start, io).await,
                Err(fault) => ToolOutcome::Finished(ToolReport::fault(fault)),
            }
        })
    }

    fn supervision(&self, input: &Value) -> Option<Supervision> {
        let background = parse(input).ok()?.manner == Manner::Background;
        let (place, containment) = (self.hand.place(), self.hand.containment().ok()?);
        (self.kind == Kind::Launch).then_some(Supervision { place, background, containment })
    }

    fn attach<'a>(
        &'a self,
        input: &'a Value,
        start: &'a ToolStart,
        io: &'a ToolIo,
    ) -> BoxFuture<'a, Attached> {
        Box::pin(async move {
            match parse(input) {
                Ok(input) => launch::attach(self, &input, start, io).await,
                Err(fault) => Attached::Unknown { evidence: fault.message },
            }
        })
    }

    fn detach<'a>(&'a self, input: &'a Value, start: &'a ToolStart) -> BoxFuture<'a, Detached> {
        Box::pin(async move {
            match parse(input) {
                Ok(input) => launch::detach(self, &input, start).await,
                Err(fault) => Detached::Unknown { evidence: fault.message },
            }
        })
    }

    fn follow<'a>(
        &'a self,
        input: &'a Value,
        start: &'a ToolStart,
        io: &'a ToolIo,
    ) -> BoxFuture<'a, Followed> {
        Box::pin(async move {
            match parse(input) {
                Ok(input) => launch::follow(self, &input, start, io).await,
                Err(fault) => Followed::Unknown { evidence: fault.message },
            }
        })
    }

    fn reconcile<'a>(&'a self, input: &'a Value, _: &'a ToolStart) -> BoxFuture<'a, Reconciliation> {
        Box::pin(async move {
            self.process.breathe().await;
            match parse(input) {
                Ok(input) => self.find_out(&input),
                Err(fault) => Reconciliation::Unknown { evidence: fault.message },
            }
        })
    }
}

fn parse(input: &Value) -> Result<Input, ToolFault> {
    Input::deserialize(input)
        .map_err(|error| ToolFault::new("invalid_arguments", format!("the input does not fit: {error}")))
}
