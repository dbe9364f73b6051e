//! Clients: they append under a key of their own choice, decide nothing, and need no owner.

use std::sync::Arc;

use onward_event::{
    AgentSpec, AppendId, ApprovalId, ApprovalResolved, ApprovalScope, ApprovalVerdict, BackgroundRequested,
    By, CallId, Event, InboxCancelReason, InboxCancelled, InboxMessage, InboxReceived, InterruptRequested,
    JobCancelRequested, JobId, MessageId, Origin, Part, ReconciliationResolved, ResolvedVerdict,
    SessionConfigured, SessionCreated, SessionId, SettingChange, Target, Timestamp, Workspace,
};
use onward_port::{Append, Appended, Clock, Create, Ids, Log, LogError};

use crate::open::load;

/// Somebody who speaks to sessions.
#[derive(Clone)]
pub struct Client {
    log: Arc<dyn Log>,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn Ids>,
    by: By,
}

impl Client {
    /// A client with its identity.
    pub fn new(log: Arc<dyn Log>, clock: Arc<dyn Clock>, ids: Arc<dyn Ids>, by: By) -> Self {
        Self { log, clock, ids, by }
    }

    /// Who it is.
    pub fn by(&self) -> &By {
        &self.by
    }

    /// Creates a session with its first message, in one append: there is never one without the other.
    ///
    /// # Errors
    /// As the log says; nothing is recorded then.
    pub async fn begin(
        &self,
        spec: AgentSpec,
        workspace: Workspace,
        content: Vec<Part>,
    ) -> Result<SessionId, LogError> {
        let (target, wakeup, origin) = (Target::NextTurn, true, Origin::User);
        let message = InboxMessage { id: self.new_message_id(), content, target, wakeup, origin };
        self.create_with(spec, workspace, vec![InboxReceived { message }.into()]).await
    }

    /// Creates a session that has nothing to do yet.
    ///
    /// # Errors
    /// As the log says.
    pub async fn create(&self, spec: AgentSpec, workspace: Workspace) -> Result<SessionId, LogError> {
        self.create_with(spec, workspace, Vec::new()).await
    }

    async fn create_with(
        &self,
        spec: AgentSpec,
        workspace: Workspace,
        events: Vec<Event>,
    ) -> Result<SessionId, LogError> {
        let session = SessionId::from_bits(self.ids.next());
        let created = SessionCreated { session, spec, workspace };
        let (id, at, by) = (AppendId(session.to_string()), self.clock.now(), self.by.clone());
        self.log.create(Create { created, events, id, at, by }).await?;
        Ok(session)
    }

    /// Sends a message; returns when it is on disk.
    ///
    /// # Errors
    /// As the log says; the message is then not recorded.
    pub async fn send(
        &self,
        session: SessionId,
        content: Vec<Part>,
        target: Target,
        wakeup: bool,
    ) -> Result<MessageId, LogError> {
        let id = self.new_message_id();
        self.send_as(session, id, content, target, wakeup).await
    }

    /// An id for a message that is to be sent under it.
    pub fn new_message_id(&self) -> MessageId {
        MessageId::from_bits(self.ids.next())
    }

    /// As [`Client::send`], under an id that the caller chose: sending again is not saying twice.
    ///
    /// # Errors
    /// As the log says; the message is then not recorded.
    pub async fn send_as(
        &self,
        session: SessionId,
        id: MessageId,
        content: Vec<Part>,
        target: Target,
        wakeup: bool,
    ) -> Result<MessageId, LogError> {
        let message = InboxMessage { id, content, target, wakeup, origin: Origin::User };
        self.append(session, AppendId(id.to_string()), InboxReceived { message }.into()).await?;
        Ok(id)
    }

    /// Takes a message back, if no request contains it yet.
    ///
    /// # Errors
    /// As the log says.
    pub async fn cancel(&self, session: SessionId, message: MessageId) -> Result<(), LogError> {
        let event = InboxCancelled { message, reason: InboxCancelReason::BySender };
        self.append(session, AppendId(format!("cancel {message}")), event.into()).await
    }

    /// Asks that the open turn be cancelled.
    ///
    /// # Errors
    /// As the log says.
    pub async fn interrupt(&self, session: SessionId) -> Result<(), LogError> {
        let key = self.key("interrupt");
        self.append(session, key, InterruptRequested { turn: None }.into()).await
    }

    /// Answers a question of policy. The first answer counts.
    ///
    /// # Errors
    /// As the log says.
    pub async fn resolve(
        &self,
        session: SessionId,
        approval: ApprovalId,
        verdict: ApprovalVerdict,
        scope: ApprovalScope,
        feedback: Option<String>,
    ) -> Result<(), LogError> {
        self.answer(session, ApprovalResolved { approval, verdict, scope, valid_until: None, feedback }).await
    }

    /// Approves what policy asks, up to a moment: after it, the approval no longer counts. The first answer counts.
    ///
    /// # Errors
    /// As the log says.
    pub async fn approve_until(
        &self,
        session: SessionId,
        approval: ApprovalId,
        scope: ApprovalScope,
        until: Timestamp,
    ) -> Result<(), LogError> {
        let (verdict, valid_until) = (ApprovalVerdict::Approve, Some(until));
        self.answer(session, ApprovalResolved { approval, verdict, scope, valid_until, feedback: None }).await
    }

    async fn answer(&self, session: SessionId, answer: ApprovalResolved) -> Result<(), LogError> {
        self.append(session, AppendId(format!("resolve {}", answer.approval)), answer.into()).await
    }

    /// Settles a call whose outcome is unknown.
    ///
    /// # Errors
    /// As the log says.
    pub async fn reconcile(
        &self,
        session: SessionId,
        call: CallId,
        verdict: ResolvedVerdict,
        evidence: String,
    ) -> Result<(), LogError> {
        let event = ReconciliationResolved { call, verdict, evidence };
        self.append(session, AppendId(format!("settle {call}")), event.into()).await
    }

    /// Asks for the end of a job.
    ///
    /// # Errors
    /// As the log says.
    pub async fn cancel_job(&self, session: SessionId, job: JobId) -> Result<(), LogError> {
        let key = AppendId(format!("cancel {job}"));
        self.append(session, key, JobCancelRequested { job }.into()).await
    }

    /// Asks that a running call be answered with a job, while its command goes on.
    ///
    /// # Errors
    /// As the log says.
    pub async fn background(&self, session: SessionId, call: CallId) -> Result<(), LogError> {
        let key = AppendId(format!("background {call}"));
        self.append(session, key, BackgroundRequested { call }.into()).await
    }

    /// Changes a setting.
    ///
    /// # Errors
    /// As the log says.
    pub async fn configure(&self, session: SessionId, change: SettingChange) -> Result<(), LogError> {
        let key = self.key("configure");
        self.append(session, key, SessionConfigured { change }.into()).await
    }

    fn key(&self, what: &str) -> AppendId {
        AppendId(format!("{what} {}", MessageId::from_bits(self.ids.next())))
    }

    async fn append(&self, session: SessionId, id: AppendId, event: Event) -> Result<(), LogError> {
        self.has_readers(session).await?;
        let append = Append::by_client(session, id, self.clock.now(), self.by.clone(), event);
        match self.log.append(append).await? {
            Appended::Committed { .. } => Ok(()),
            // A client assumes nothing, so nothing can conflict.
            Appended::Conflict { .. } => {
                Err(LogError::Io("the log refused an append that assumes nothing".into()))
            }
        }
    }
    /// Whether an owner could read what is to be appended: into a session that nobody can open, nothing is acknowledged. It
    /// may be one of a newer version, to which a client of an older one speaks all the same.
    async fn has_readers(&self, session: SessionId) -> Result<(), LogError> {
        match load(self.log.as_ref(), session).await {
            Ok(_) | Err(LogError::Newer { .. }) => Ok(()),
            Err(error) => Err(error),
        }
    }
}
