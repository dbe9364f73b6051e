//! The fold of what is said to the session as a whole: by clients, by its owners, and by the runtime to the model.

use onward_event::{
    DocumentLoaded, InboxCancelled, InboxReceived, InterruptRequested, NoticeAdded, NoticeReason,
    OwnerAcquired, Seq, SessionConfigured, SettingChange,
};

use super::Fits;
use crate::session::{Session, Untold};
use crate::words;

impl Session {
    pub(super) fn configured(&mut self, seq: Seq, event: &SessionConfigured) -> Fits {
        self.state.config += 1;
        match &event.change {
            SettingChange::Mode(mode) => {
                if *mode != self.state.spec.mode {
                    let text = words::mode_changed(self.state.spec.mode, *mode);
                    self.state.untold.push(Untold { cause: seq, reason: NoticeReason::ModeChanged, text });
                }
                self.state.spec.mode = *mode;
            }
            SettingChange::Model(model) => self.state.spec.model = model.clone(),
            SettingChange::Limits(limits) => self.state.spec.limits = limits.clone(),
            SettingChange::JobsAtEnd(rule) => self.state.spec.jobs_at_end = *rule,
        }
        Ok(())
    }

    pub(super) fn acquired(&mut self, event: &OwnerAcquired) -> Fits {
        // An owner that left in order had nothing in flight that ended with it: its turn simply goes on. One that did not
        // is dead.
        if self.state.owned
            && let Some(turn) = &mut self.state.turn
        {
            turn.orphaned = true;
        }
        self.state.epoch = event.epoch;
        self.state.owned = true;
        Ok(())
    }

    pub(super) fn released(&mut self) -> Fits {
        self.state.owned = false;
        Ok(())
    }

    pub(super) fn interrupt_requested(&mut self, seq: Seq, event: &InterruptRequested) -> Fits {
        if let Some(turn) = &mut self.state.turn
            && event.turn.is_none_or(|id| id == turn.id)
        {
            turn.interrupt.get_or_insert(seq);
        }
        Ok(())
    }

    pub(super) fn notice_added(&mut self, event: &NoticeAdded) -> Fits {
        let told = |untold: &Untold| Some(untold.cause) == event.cause && untold.reason == event.reason;
        self.state.untold.retain(|untold| !told(untold));
        self.state.tail.notices.push(event.text.clone());
        Ok(())
    }

    pub(super) fn inbox_received(&mut self, seq: Seq, event: &InboxReceived) -> Fits {
        self.state.inbox.receive(event.message.clone(), seq);
        Ok(())
    }

    pub(super) fn inbox_cancelled(&mut self, event: &InboxCancelled) -> Fits {
        self.state.inbox.remove(event.message);
        Ok(())
    }

    pub(super) fn document_loaded(&mut self, event: &DocumentLoaded) -> Fits {
        self.state.documents.insert(event.path.clone(), event.hash);
        Ok(())
    }
}
