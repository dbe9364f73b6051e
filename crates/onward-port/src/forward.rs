//! Logs in front of other logs, and tools in front of other tools: whoever decorates one writes only the methods that do
//! more.

use onward_event::{AppendId, Epoch, Seq, SessionId, Timestamp, ToolDefinition, ToolStart};
use serde_json::Value;

use crate::{
    Append, Appended, Attached, BoxFuture, CheckedInput, Create, Detached, Followed, Head, Log, LogError,
    PutSnapshot, Reconciliation, Release, Released, SessionSummary, SideChunk, Snapshot, StoredRecord,
    Supervision, Tool, ToolFault, ToolIo, ToolOutcome, ToolPlan,
};

/// A log that hands everything on to another one, but for the methods that its type writes itself. Whatever implements this
/// is a [`Log`], whose methods these are.
#[expect(missing_docs, reason = "each method is the one of the same name of `Log`")]
pub trait ForwardLog: Send + Sync {
    /// The other one.
    fn inner(&self) -> &dyn Log;

    fn create(&self, create: Create) -> BoxFuture<'_, Result<Head, LogError>> {
        self.inner().create(create)
    }

    fn acquire(
        &self,
        session: SessionId,
        owner: String,
        id: AppendId,
        at: Timestamp,
    ) -> BoxFuture<'_, Result<Epoch, LogError>> {
        self.inner().acquire(session, owner, id, at)
    }

    fn release(&self, release: Release) -> BoxFuture<'_, Result<Released, LogError>> {
        self.inner().release(release)
    }

    fn append(&self, append: Append) -> BoxFuture<'_, Result<Appended, LogError>> {
        self.inner().append(append)
    }

    fn read(
        &self,
        session: SessionId,
        after: Seq,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<StoredRecord>, LogError>> {
        self.inner().read(session, after, limit)
    }

    fn put_side(
        &self,
        session: SessionId,
        scope: String,
        chunk: SideChunk,
    ) -> BoxFuture<'_, Result<(), LogError>> {
        self.inner().put_side(session, scope, chunk)
    }
}

/// A tool that hands everything on to another one, but for the methods that its type writes itself. Whatever implements
/// this is a [`Tool`], whose methods these are.
#[expect(missing_docs, reason = "each method is the one of the same name of `Tool`")]
pub trait ForwardTool: Send + Sync {
    /// The other one.
    fn inner(&self) -> &dyn Tool;

    fn run<'a>(
        &'a self,
        input: &'a Value,
        start: &'a ToolStart,
        io: &'a ToolIo,
    ) -> BoxFuture<'a, ToolOutcome> {
        self.inner().run(input, start, io)
    }

    fn attach<'a>(
        &'a self,
        input: &'a Value,
        start: &'a ToolStart,
        io: &'a ToolIo,
    ) -> BoxFuture<'a, Attached> {
        self.inner().attach(input, start, io)
    }

    fn follow<'a>(
        &'a self,
        input: &'a Value,
        start: &'a ToolStart,
        io: &'a ToolIo,
    ) -> BoxFuture<'a, Followed> {
        self.inner().follow(input, start, io)
    }
}

impl<T: ForwardLog> Log for T {
    fn create(&self, create: Create) -> BoxFuture<'_, Result<Head, LogError>> {
        ForwardLog::create(self, create)
    }

    fn acquire(
        &self,
        session: SessionId,
        owner: String,
        id: AppendId,
        at: Timestamp,
    ) -> BoxFuture<'_, Result<Epoch, LogError>> {
        ForwardLog::acquire(self, session, owner, id, at)
    }

    fn release(&self, release: Release) -> BoxFuture<'_, Result<Released, LogError>> {
        ForwardLog::release(self, release)
    }

    fn append(&self, append: Append) -> BoxFuture<'_, Result<Appended, LogError>> {
        ForwardLog::append(self, append)
    }

    fn read(
        &self,
        session: SessionId,
        after: Seq,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<StoredRecord>, LogError>> {
        ForwardLog::read(self, session, after, limit)
    }

    fn head(&self, session: SessionId) -> BoxFuture<'_, Result<Head, LogError>> {
        self.inner().head(session)
    }

    fn changed(&self, session: SessionId, after: Seq) -> BoxFuture<'_, ()> {
        self.inner().changed(session, after)
    }

    fn sessions(&self) -> BoxFuture<'_, Result<Vec<SessionSummary>, LogError>> {
        self.inner().sessions()
    }

    fn put_side(
        &self,
        session: SessionId,
        scope: String,
        chunk: SideChunk,
    ) -> BoxFuture<'_, Result<(), LogError>> {
        ForwardLog::put_side(self, session, scope, chunk)
    }

    fn put_snapshot(&self, put: PutSnapshot) -> BoxFuture<'_, Result<(), LogError>> {
        self.inner().put_snapshot(put)
    }

    fn snapshot(
        &self,
        session: SessionId,
        version: u32,
    ) -> BoxFuture<'_, Result<Option<Snapshot>, LogError>> {
        self.inner().snapshot(session, version)
    }

    fn side(
        &self,
        session: SessionId,
        scope: String,
        from: u64,
    ) -> BoxFuture<'_, Result<Vec<SideChunk>, LogError>> {
        self.inner().side(session, scope, from)
    }
}

impl<T: ForwardTool> Tool for T {
    fn definition(&self) -> &ToolDefinition {
        self.inner().definition()
    }

    fn check(&self, input: &Value) -> Result<CheckedInput, Vec<String>> {
        self.inner().check(input)
    }

    fn plan<'a>(&'a self, input: &'a Value) -> BoxFuture<'a, Result<ToolPlan, ToolFault>> {
        self.inner().plan(input)
    }

    fn run<'a>(
        &'a self,
        input: &'a Value,
        start: &'a ToolStart,
        io: &'a ToolIo,
    ) -> BoxFuture<'a, ToolOutcome> {
        ForwardTool::run(self, input, start, io)
    }

    fn supervision(&self, input: &Value) -> Option<Supervision> {
        self.inner().supervision(input)
    }

    fn attach<'a>(
        &'a self,
        input: &'a Value,
        start: &'a ToolStart,
        io: &'a ToolIo,
    ) -> BoxFuture<'a, Attached> {
        ForwardTool::attach(self, input, start, io)
    }

    fn detach<'a>(&'a self, input: &'a Value, start: &'a ToolStart) -> BoxFuture<'a, Detached> {
        self.inner().detach(input, start)
    }

    fn follow<'a>(
        &'a self,
        input: &'a Value,
        start: &'a ToolStart,
        io: &'a ToolIo,
    ) -> BoxFuture<'a, Followed> {
        ForwardTool::follow(self, input, start, io)
    }

    fn reconcile<'a>(&'a self, input: &'a Value, start: &'a ToolStart) -> BoxFuture<'a, Reconciliation> {
        self.inner().reconcile(input, start)
    }
}
