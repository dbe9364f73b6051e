//! Points: the places in the life of a process where it may die.

use std::sync::{Mutex, PoisonError};

use tokio_util::sync::CancellationToken;

/// What has just happened, or is about to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PointKind {
    /// An append of the owner is committed, and the owner does not know it yet.
    Commit,
    /// As [`PointKind::Commit`], and a call was started by it; named after its tool.
    CommitStart,
    /// A client's command is committed, and neither the client nor the owner knows it yet.
    Input,
    /// A started call is about to act.
    ToolBefore,
    /// A call has done a part of what it does.
    ToolDuring,
    /// A call has acted, and nobody was told.
    ToolAfter,
    /// A request is about to be sent.
    ModelBefore,
    /// A piece of the reply was handed out.
    ModelDelta,
    /// The whole reply is here, and nobody was told.
    ModelAfter,
}

/// One place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// What kind of place.
    pub kind: PointKind,
    /// What was going on: the tool of a call, the events of a commit.
    pub what: String,
}

/// Where a life ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CrashPlan {
    /// In order.
    Never,
    /// At the point with this number, counted from 0.
    At(usize),
    /// At the first point of this kind.
    AtFirst(PointKind),
}

/// The points that one life has passed.
#[derive(Debug)]
pub struct Points {
    plan: CrashPlan,
    passed: Mutex<Vec<Point>>,
    dead: CancellationToken,
}

impl Points {
    /// Before the first.
    pub fn new(plan: CrashPlan) -> Self {
        Self { plan, passed: Mutex::default(), dead: CancellationToken::new() }
    }

    /// Passes a point; never returns when the life ends there, or has ended.
    pub async fn pass(&self, kind: PointKind, what: &str) {
        if self.is_end(kind, what) {
            std::future::pending().await
        }
    }

    /// Passes a point where nothing can be awaited; says whether the life ends there, or has ended.
    pub fn is_end(&self, kind: PointKind, what: &str) -> bool {
        if self.is_dead() {
            return true;
        }
        let mut passed = self.passed.lock().unwrap_or_else(PoisonError::into_inner);
        let n = passed.len();
        passed.push(Point { kind, what: what.into() });
        let ends = match self.plan {
            CrashPlan::Never => false,
            CrashPlan::At(at) => at == n,
            CrashPlan::AtFirst(wanted) => wanted == kind,
        };
        if ends {
            self.dead.cancel();
        }
        ends
    }

    /// Whether the life has ended.
    pub fn is_dead(&self) -> bool {
        self.dead.is_cancelled()
    }

    /// Returns when the life ends.
    pub async fn death(&self) {
        self.dead.cancelled().await;
    }

    /// What was passed so far.
    pub fn passed(&self) -> Vec<Point> {
        self.passed.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
