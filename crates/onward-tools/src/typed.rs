//! Between the port, which speaks JSON, and the tools, which speak their own input types: one adapter for all.

use std::future::Future;
use std::time::Instant;

use onward_event::{Access, Occupies, ToolDefinition, ToolStart};
use onward_port::{
    Attached, BoxFuture, CheckedInput, Detached, Followed, Reconciliation, Supervision, Tool, ToolFault,
    ToolIo, ToolOutcome, ToolPlan, ToolReport,
};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::input::Shape;
use crate::schema::{schema_for_model, schema_of};

/// One built-in tool.
pub(crate) trait BuiltIn: Send + Sync + Sized + 'static {
    /// What the model sends. Fields that are absent, or equal to their default, are not written.
    type Input: DeserializeOwned + Serialize + JsonSchema + Send + Sync;

    /// The tool's name.
    const NAME: &'static str;
    /// Changes when the meaning of an input or of an answer does.
    const VERSION: &'static str;

    /// What it does and when to use it, for the model.
    fn description(&self) -> String;

    /// Brings the input into canonical form and says what it touches. A second time changes nothing more.
    ///
    /// # Errors
    /// What is wrong, one sentence each.
    fn check(&self, input: &mut Self::Input) -> Result<Vec<Access>, Vec<String>>;

    /// As [`Tool::plan`].
    fn plan(&self, input: Self::Input) -> impl Future<Output = Result<ToolPlan, ToolFault>> + Send;

    /// As [`Tool::run`].
    fn run(
        &self,
        input: Self::Input,
        start: &ToolStart,
        io: &ToolIo,
    ) -> impl Future<Output = ToolOutcome> + Send;

    /// What a call with this input takes up while it runs.
    fn occupies(&self, input: &Self::Input) -> Occupies {
        let _ = input;
        Occupies::Slot
    }

    /// As [`Tool::supervision`].
    fn supervision(&self, input: &Self::Input) -> Option<Supervision> {
        let _ = input;
        None
    }

    /// As [`Tool::attach`].
    fn attach(
        &self,
        input: Self::Input,
        start: &ToolStart,
        io: &ToolIo,
    ) -> impl Future<Output = Attached> + Send {
        let _ = (input, start, io);
        std::future::ready(Attached::Unknown { evidence: "this tool has no supervisor".into() })
    }

    /// As [`Tool::detach`].
    fn detach(&self, input: Self::Input, start: &ToolStart) -> impl Future<Output = Detached> + Send {
        let _ = (input, start);
        std::future::ready(Detached::Unknown { evidence: "this tool has no supervisor".into() })
    }

    /// As [`Tool::follow`].
    fn follow(
        &self,
        input: Self::Input,
        start: &ToolStart,
        io: &ToolIo,
    ) -> impl Future<Output = Followed> + Send {
        let _ = (input, start, io);
        std::future::ready(Followed::Unknown { evidence: "this tool has no supervisor".into() })
    }

    /// As [`Tool::reconcile`].
    fn reconcile(
        &self,
        input: Self::Input,
        start: &ToolStart,
    ) -> impl Future<Output = Reconciliation> + Send {
        let _ = (input, start);
        std::future::ready(unknown("this tool has no way to find out"))
    }
}

/// A [`BuiltIn`] as a [`Tool`].
pub(crate) struct Typed<T> {
    tool: T,
    definition: ToolDefinition,
    shape: Shape,
}

impl<T: BuiltIn> Typed<T> {
    /// Wraps a tool.
    pub(crate) fn new(tool: T) -> Self {
        let schema = schema_of::<T::Input>();
        let shape = Shape::new(T::NAME, &schema);
        let definition = ToolDefinition {
            name: T::NAME.into(),
            version: T::VERSION.into(),
            description: tool.description(),
            input_schema: schema_for_model(&schema),
        };
        Self { tool, definition, shape }
    }

    /// Canonical inputs pass unchanged, so it makes no difference to a tool whether it is given one.
    fn canonical(&self, input: &Value) -> Result<(T::Input, Vec<Access>), Vec<String>> {
        let mut typed: T::Input = self.shape.read(input)?;
        let accesses = self.tool.check(&mut typed)?;
        Ok((typed, accesses))
    }

    fn canonical_or_fault(&self, input: &Value) -> Result<T::Input, ToolFault> {
        let invalid = |reasons: Vec<String>| ToolFault::new("invalid_arguments", reasons.join("; "));
        self.canonical(input).map(|(typed, _)| typed).map_err(invalid)
    }
}

impl<T: BuiltIn> Tool for Typed<T> {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    fn check(&self, input: &Value) -> Result<CheckedInput, Vec<String>> {
        let (typed, accesses) = self.canonical(input)?;
        let input = serde_json::to_value(&typed).map_err(|error| vec![error.to_string()])?;
        let occupies = self.tool.occupies(&typed);
        Ok(CheckedInput { input, accesses, occupies })
    }

    fn plan<'a>(&'a self, input: &'a Value) -> BoxFuture<'a, Result<ToolPlan, ToolFault>> {
        Box::pin(async move { self.tool.plan(self.canonical_or_fault(input)?).await })
    }

    fn run<'a>(
        &'a self,
        input: &'a Value,
        start: &'a ToolStart,
        io: &'a ToolIo,
    ) -> BoxFuture<'a, ToolOutcome> {
        Box::pin(async move {
            let begun = Instant::now();
            let mut outcome = match self.canonical_or_fault(input) {
                Ok(typed) => self.tool.run(typed, start, io).await,
                Err(fault) => ToolOutcome::Finished(ToolReport::fault(fault)),
            };
            if let ToolOutcome::Finished(report) = &mut outcome {
                report.metadata.millis = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
            }
            outcome
        })
    }

    fn supervision(&self, input: &Value) -> Option<Supervision> {
        self.tool.supervision(&self.canonical_or_fault(input).ok()?)
    }

    fn attach<'a>(
        &'a self,
        input: &'a Value,
        start: &'a ToolStart,
        io: &'a ToolIo,
    ) -> BoxFuture<'a, Attached> {
        Box::pin(async move {
            match self.canonical_or_fault(input) {
                Ok(typed) => self.tool.attach(typed, start, io).await,
                Err(fault) => Attached::Unknown { evidence: fault.message },
            }
        })
    }

    fn detach<'a>(&'a self, input: &'a Value, start: &'a ToolStart) -> BoxFuture<'a, Detached> {
        Box::pin(async move {
            match self.canonical_or_fault(input) {
                Ok(typed) => self.tool.detach(typed, start).await,
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
            match self.canonical_or_fault(input) {
                Ok(typed) => self.tool.follow(typed, start, io).await,
                Err(fault) => Followed::Unknown { evidence: fault.message },
            }
        })
    }

    fn reconcile<'a>(&'a self, input: &'a Value, start: &'a ToolStart) -> BoxFuture<'a, Reconciliation> {
        Box::pin(async move {
            match self.canonical_or_fault(input) {
                Ok(typed) => self.tool.reconcile(typed, start).await,
                Err(fault) => unknown(fault.message),
            }
        })
    }
}

/// Nothing could be found out, and this is why.
pub(crate) fn unknown(evidence: impl Into<String>) -> Reconciliation {
    Reconciliation::Unknown { evidence: evidence.into() }
}
