//! [`CrashingTool`]: the process may die before a call acts, and after it acted and before anybody knows.

use std::sync::Arc;

use onward_event::ToolStart;
use onward_port::{Attached, BoxFuture, Followed, ForwardTool, Tool, ToolIo, ToolOutcome};
use serde_json::Value;

use super::{PointKind, Points};

/// A tool that passes points around its run. What lies in the middle of a run is the tool's own business.
pub struct CrashingTool {
    inner: Arc<dyn Tool>,
    points: Arc<Points>,
}

impl CrashingTool {
    /// Decorates a tool.
    pub fn new(inner: Arc<dyn Tool>, points: Arc<Points>) -> Self {
        Self { inner, points }
    }
}

impl ForwardTool for CrashingTool {
    fn inner(&self) -> &dyn Tool {
        self.inner.as_ref()
    }

    fn run<'a>(
        &'a self,
        input: &'a Value,
        start: &'a ToolStart,
        io: &'a ToolIo,
    ) -> BoxFuture<'a, ToolOutcome> {
        Box::pin(async move {
            let name = &self.inner.definition().name;
            self.points.pass(PointKind::ToolBefore, name).await;
            let outcome = self.inner.run(input, start, io).await;
            self.points.pass(PointKind::ToolAfter, name).await;
            outcome
        })
    }

    fn follow<'a>(
        &'a self,
        input: &'a Value,
        start: &'a ToolStart,
        io: &'a ToolIo,
    ) -> BoxFuture<'a, Followed> {
        Box::pin(async move {
            let name = &self.inner.definition().name;
            self.points.pass(PointKind::ToolBefore, name).await;
            let followed = self.inner.follow(input, start, io).await;
            self.points.pass(PointKind::ToolAfter, name).await;
            followed
        })
    }

    fn attach<'a>(
        &'a self,
        input: &'a Value,
        start: &'a ToolStart,
        io: &'a ToolIo,
    ) -> BoxFuture<'a, Attached> {
        Box::pin(async move {
            let name = &self.inner.definition().name;
            self.points.pass(PointKind::ToolBefore, name).await;
            let attached = self.inner.attach(input, start, io).await;
            self.points.pass(PointKind::ToolAfter, name).await;
            attached
        })
    }
}
