//! Rule 6: a message is included only when that step claimed it, once, and never after it was cancelled; and once the
//! session is quiet, every waking message has its end: included or cancelled.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;

use onward_event::{
    Event, InboxCancelReason, InboxCancelled, InboxMessage, MessageId, RequestPrepared, Seq, StepId,
    StepStart, TurnSource, TurnStart,
};

use super::env::{CheckEnv, Checked};
use super::report::Findings;
use super::rule::Rule;

const RULE: u8 = 6;

/// Claims after which a message is given up.
const MAX_CLAIMS: u32 = 3;

#[derive(Default)]
pub(super) struct Inbox {
    messages: BTreeMap<MessageId, Progress>,
    /// What each open step has claimed.
    claims: BTreeMap<StepId, BTreeSet<MessageId>>,
}

enum Progress {
    /// `source`: whether it started a turn.
    Pending {
        received: Seq,
        wakeup: bool,
        claims: u32,
        source: bool,
    },
    Included,
    Cancelled,
}

impl Rule for Inbox {
    fn record(&mut self, seen: &Checked<'_>, _: &mut dyn CheckEnv, out: &mut Findings) {
        let at = seen.record.seq;
        match &seen.record.event {
            Event::InboxReceived(body) => self.receive(&body.message, at),
            Event::InboxCancelled(body) if seen.record.epoch.is_some() => self.cancel_by_owner(body, at, out),
            Event::InboxCancelled(body) => self.cancel_by_client(&body.message),
            Event::TurnStart(body) => self.bind(body),
            Event::StepStart(body) => self.claim(body, at, out),
            Event::StepEnd(body) => {
                self.claims.remove(&body.step);
            }
            Event::RequestPrepared(body) => self.include(body, at, out),
            _ => {}
        }
    }

    fn quiet(&mut self, out: &mut Findings) {
        for (id, progress) in &self.messages {
            if let Progress::Pending { received, wakeup: true, .. } = progress {
                let what = format!(
                    "the session is quiet, but {id}, received here, was neither shown to the model nor cancelled"
                );
                out.violation(RULE, *received, what);
            }
        }
    }
}

impl Inbox {
    /// The first record of an id counts; sending again is not saying twice.
    fn receive(&mut self, message: &InboxMessage, at: Seq) {
        let fresh = Progress::Pending { received: at, wakeup: message.wakeup, claims: 0, source: false };
        self.messages.entry(message.id).or_insert(fresh);
    }

    /// A client may be late: then its wish is ignored.
    fn cancel_by_client(&mut self, id: &MessageId) {
        if let Some(progress @ Progress::Pending { .. }) = self.messages.get_mut(id) {
            *progress = Progress::Cancelled;
        }
    }

    fn cancel_by_owner(&mut self, body: &InboxCancelled, at: Seq, out: &mut Findings) {
        let id = body.message;
        let what = match self.messages.get(&id) {
            None => format!("{id} is cancelled, but was never received"),
            Some(Progress::Included) => format!("{id} is cancelled, but a request contained it already"),
            Some(Progress::Cancelled) => format!("{id} is cancelled a second time"),
            // What started a turn is given up with that turn, however often it was claimed.
            Some(Progress::Pending { claims, source: false, .. })
                if body.reason == InboxCancelReason::Undeliverable && *claims < MAX_CLAIMS =>
            {
                format!("{id} is given up as undeliverable after {claims} claims; it has {MAX_CLAIMS}")
            }
            Some(Progress::Pending { .. }) => return self.cancel_by_client(&id),
        };
        out.violation(RULE, at, what);
        self.cancel_by_client(&id);
    }

    fn bind(&mut self, body: &TurnStart) {
        let TurnSource::Messages(ids) = &body.source else { return };
        for id in ids {
            if let Some(Progress::Pending { source, .. }) = self.messages.get_mut(id) {
                *source = true;
            }
        }
    }

    fn claim(&mut self, body: &StepStart, at: Seq, out: &mut Findings) {
        for id in &body.claims {
            let why = match self.messages.get_mut(id) {
                Some(Progress::Pending { claims, .. }) if *claims < MAX_CLAIMS => {
                    *claims = claims.saturating_add(1);
                    continue;
                }
                Some(Progress::Pending { .. }) => "was claimed three times already and is undeliverable",
                None => "was never received",
                Some(Progress::Included) => "a request contained already",
                Some(Progress::Cancelled) => "was cancelled",
            };
            out.violation(RULE, at, format!("{} claims {id}, which {why}", body.step));
        }
        self.claims.insert(body.step, body.claims.iter().copied().collect());
    }

    fn include(&mut self, body: &RequestPrepared, at: Seq, out: &mut Findings) {
        for id in &body.includes {
            let claimed = self.claims.get(&body.step).is_some_and(|claims| claims.contains(id));
            let why = match self.messages.get(id) {
                None => "was never received",
                Some(Progress::Included) => "an earlier request contained already",
                Some(Progress::Cancelled) => "was cancelled",
                Some(Progress::Pending { .. }) if !claimed => "its step did not claim",
                Some(Progress::Pending { .. }) => {
                    self.messages.insert(*id, Progress::Included);
                    continue;
                }
            };
            out.violation(RULE, at, format!("the request of {} includes {id}, which {why}", body.step));
        }
    }
}
