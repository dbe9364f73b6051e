//! Rule 10: `tool/start` follows, in the same append, an *allow*, or an *ask* that a valid approval answers: one for
//! the same tool, version, input, resources, files, rules and containment, not expired, and for this call alone when it was given once. Never a
//! *deny*.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;

use onward_event::{
    ApprovalId, ApprovalRequested, ApprovalResolved, ApprovalScope, ApprovalVerdict, CallId, Event,
    PolicyDecided, ReconcileVerdict, Timestamp, ToolCall, ToolStart, Verdict,
};

use super::env::{CheckEnv, Checked};
use super::report::Findings;
use super::rule::{Rule, answered};

const RULE: u8 = 10;

#[derive(Default)]
pub(super) struct Approvals {
    /// Calls without an answer.
    calls: BTreeMap<CallId, ToolCall>,
    /// Decisions of this append.
    decided: BTreeMap<CallId, PolicyDecided>,
    /// Questions of calls without an answer, and what was granted for the session.
    asked: BTreeMap<ApprovalId, Asked>,
    /// The revision of the settings: the creation is the first.
    config: u64,
}

struct Asked {
    question: ApprovalRequested,
    /// The first answer; later ones come to a closed question.
    answer: Option<ApprovalResolved>,
    /// Whether a start has used it; for *once*.
    used: bool,
}

impl Rule for Approvals {
    fn record(&mut self, seen: &Checked<'_>, _: &mut dyn CheckEnv, out: &mut Findings) {
        match &seen.record.event {
            Event::SessionCreated(_) | Event::SessionConfigured(_) => {
                self.config = self.config.saturating_add(1)
            }
            Event::ToolCall(body) => {
                self.calls.insert(body.call, body.clone());
            }
            Event::PolicyDecided(body) => {
                self.decided.insert(body.call, body.clone());
            }
            Event::ApprovalRequested(body) => {
                let asked = Asked { question: body.clone(), answer: None, used: false };
                self.asked.insert(body.approval, asked);
            }
            Event::ApprovalResolved(body) => self.resolve(body),
            Event::ToolReconciled(body) if body.verdict == ReconcileVerdict::NotApplied => {
                self.give_back(body.call)
            }
            Event::ToolStart(body) => {
                if let Some(why) = self.refusal(body, seen.record.at) {
                    out.violation(RULE, seen.record.seq, format!("{} starts, but {why}", body.call));
                }
            }
            event => {
                if let Some(call) = answered(event) {
                    self.close(call);
                }
            }
        }
    }

    fn append_ends(&mut self, _: &mut Findings) {
        self.decided.clear();
    }
}

impl Approvals {
    fn resolve(&mut self, body: &ApprovalResolved) {
        if let Some(asked) = self.asked.get_mut(&body.approval)
            && asked.answer.is_none()
        {
            asked.answer = Some(body.clone());
        }
    }

    /// What was found not applied was not used up.
    fn give_back(&mut self, call: CallId) {
        for asked in self.asked.values_mut().filter(|asked| asked.question.call == call) {
            asked.used = false;
        }
    }

    fn close(&mut self, call: CallId) {
        self.calls.remove(&call);
        self.asked.retain(|_, asked| asked.question.call != call || asked.is_for_session());
    }

    /// Why this start was not authorised.
    fn refusal(&mut self, start: &ToolStart, now: Timestamp) -> Option<String> {
        // A start of a call that is not open is reported by rule 9.
        let call = self.calls.get(&start.call)?;
        if call.invalid.is_some() {
            return Some("it is a call that cannot be run".into());
        }
        let Some(decision) = self.decided.get(&start.call) else {
            return Some("no policy/decided for it stands in the same append".into());
        };
        if decision.basis.config != self.config {
            let (judged, now) = (decision.basis.config, self.config);
            return Some(format!(
                "policy judged it under revision {judged} of the settings, and {now} is in force"
            ));
        }
        if decision.sandbox != start.sandbox {
            return Some("it is contained otherwise than was decided".into());
        }
        let approval = match (decision.verdict, decision.approval) {
            (Verdict::Allow, _) => return None,
            (Verdict::Deny, _) => return Some(format!("policy denies it: {}", decision.reason)),
            (Verdict::Ask, None) => return Some("policy asks, and no approval answers".into()),
            (Verdict::Ask, Some(approval)) => approval,
        };
        let Some(asked) = self.asked.get_mut(&approval) else {
            return Some(format!("{approval} is no approval that is open or holds for the session"));
        };
        asked.serve(start, call, decision, now).map(|why| format!("{approval} {why}"))
    }
}

impl Asked {
    fn is_for_session(&self) -> bool {
        self.answer.as_ref().is_some_and(|answer| {
            answer.scope != ApprovalScope::Once && answer.verdict == ApprovalVerdict::Approve
        })
    }

    /// Uses the approval for a start, or says why it does not serve.
    fn serve(
        &mut self,
        start: &ToolStart,
        call: &ToolCall,
        decision: &PolicyDecided,
        now: Timestamp,
    ) -> Option<&'static str> {
        let Some(answer) = &self.answer else { return Some("was not answered yet") };
        if answer.verdict == ApprovalVerdict::Reject {
            return Some("was answered with a rejection");
        }
        if answer.valid_until.is_some_and(|until| now > until) {
            return Some("has expired");
        }
        if let Some(why) = mismatch(&self.question, call, decision) {
            return Some(why);
        }
        if answer.scope != ApprovalScope::Once {
            return None;
        }
        if self.question.call != start.call {
            return Some("was given once, for another call");
        }
        if self.used && !start.semantics.may_run_again() {
            return Some("was given once and is used up");
        }
        self.used = true;
        None
    }
}

fn mismatch(question: &ApprovalRequested, call: &ToolCall, decision: &PolicyDecided) -> Option<&'static str> {
    if question.tool != call.name {
        Some("was given for another tool")
    } else if question.version != call.version {
        Some("was given for another version of the tool")
    } else if question.digest != call.digest {
        Some("was given for another input")
    } else if question.resources != decision.resources {
        Some("was given for other resources")
    } else if question.files != decision.files {
        Some("was given for other contents of the files that it names")
    } else if question.rules_digest != decision.rules_digest {
        Some("answers other rules than those that ask")
    } else if question.definition.is_some() && question.definition != decision.definition {
        Some("was given for what the tool took by then")
    } else if question.sandbox != decision.sandbox {
        Some("was given for another containment")
    } else {
        None
    }
}
