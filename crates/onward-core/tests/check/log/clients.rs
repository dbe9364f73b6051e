//! What clients say.

use onward_event::*;

use super::Log;
use crate::values::*;

impl Log {
    fn receive(self, n: u128, target: Target, wakeup: bool) -> Self {
        let content = vec![Part::text(format!("message {n}"))];
        let message = InboxMessage { id: msg(n), content, target, wakeup, origin: Origin::User };
        self.client(InboxReceived { message }.into())
    }

    pub(crate) fn message(self, n: u128) -> Self {
        self.receive(n, Target::NextTurn, true)
    }

    pub(crate) fn steer(self, n: u128) -> Self {
        self.receive(n, Target::NextStep, true)
    }

    pub(crate) fn background(self, n: u128) -> Self {
        self.receive(n, Target::NextStep, false)
    }

    pub(crate) fn take_back(self, n: u128) -> Self {
        self.client(InboxCancelled { message: msg(n), reason: InboxCancelReason::BySender }.into())
    }

    pub(crate) fn interrupt(self) -> Self {
        self.client(InterruptRequested { turn: None }.into())
    }

    pub(crate) fn configure(self, mode: Mode) -> Self {
        self.client(SessionConfigured { change: SettingChange::Mode(mode) }.into())
    }

    pub(crate) fn settle(self, n: u128) -> Self {
        let body = ReconciliationResolved {
            call: call(n),
            verdict: ResolvedVerdict::Applied,
            evidence: "I looked".into(),
        };
        self.client(body.into())
    }

    pub(crate) fn verdict(self, n: u128, verdict: ApprovalVerdict, scope: ApprovalScope) -> Self {
        let body =
            ApprovalResolved { approval: approval(n), verdict, scope, valid_until: None, feedback: None };
        self.client(body.into())
    }

    pub(crate) fn approve(self, n: u128, scope: ApprovalScope) -> Self {
        self.verdict(n, ApprovalVerdict::Approve, scope)
    }
}
