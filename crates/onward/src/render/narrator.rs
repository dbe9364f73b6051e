//! Who tells one record after the other, and remembers what a line is about: a result belongs to a call, an answer to a
//! question, and a word about an unknown outcome to something that happened long before.

use std::collections::{BTreeMap, BTreeSet};

use onward_core::Session;
use onward_event::{
    ApprovalId, ApprovalResolved, ApprovalScope, ApprovalVerdict, By, CallId, Event, JobId, JobState,
    ReconciliationResolved, Record, ResolvedVerdict,
};
use onward_policy::moment;
use onward_wire::terminal::exact as printable;
use serde_json::Value;

use super::line::{Line, Style};
use super::record::{Detail, describe, describe_input};

/// Characters of an input by which a call is named.
const NAMED_BY_CHARS: usize = 48;

/// What a reader of the lines knows so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Narrator {
    /// The calls of the open step, by what they are called.
    calls: BTreeMap<CallId, String>,
    /// Whether the step has more than one.
    several: bool,
    /// The call that the last line about any was about.
    last: Option<CallId>,
    questions: BTreeMap<ApprovalId, CallId>,
    /// What nobody knows the outcome of.
    unknown: BTreeMap<CallId, String>,
    jobs: BTreeMap<JobId, (CallId, String)>,
    settled: BTreeSet<CallId>,
}

impl Narrator {
    /// Goes on where others have told what came before.
    pub(crate) fn of(session: &Session) -> Self {
        let mut told = Self::default();
        let calls = session.step().map_or(&[][..], |step| step.calls());
        for call in calls {
            told.name(call.proposal.call, &call.proposal.name, &call.proposal.input);
        }
        told.several = calls.len() > 1;
        told.last = None;
        let asked = session.open_approvals().map(|open| (open.request.approval, open.request.call));
        told.questions = asked.collect();
        for unknown in session.unknown_calls() {
            let input = serde_json::from_str(&unknown.input).unwrap_or_default();
            told.unknown.insert(unknown.call, named(&unknown.tool, &input));
        }
        for job in session.jobs() {
            told.jobs.insert(job.id, (job.call, printable(&job.command)));
            if job.phase == JobState::Reconciling {
                told.unknown.insert(job.call, printable(&job.command));
            }
        }
        told
    }

    /// What is said about a record; nothing for records that only matter to the runtime.
    pub(crate) fn tell(&mut self, record: &Record, detail: Detail) -> Vec<Line> {
        let about = self.follow(&record.event);
        let label = about.map_or_else(String::new, |call| self.label(call));
        let lines = match &record.event {
            Event::ApprovalResolved(answer) => {
                self.answered(answer, record.by.as_ref(), &label).into_iter().collect()
            }
            Event::ReconciliationResolved(word) => vec![self.settled(word, record.by.as_ref())],
            _ => describe(record, &label, detail),
        };
        if !lines.is_empty() {
            self.last = about.or(self.last);
        }
        lines
    }

    /// Remembers a record that is shown in another way, or not at all. Returns the call that a line about it is
    /// about, if there may be doubt.
    pub(crate) fn follow(&mut self, event: &Event) -> Option<CallId> {
        match event {
            Event::AssistantAccepted(accepted) => {
                self.calls.clear();
                self.several = accepted.calls > 1;
                None
            }
            Event::ToolCall(call) => {
                self.name(call.call, &call.name, &call.input);
                None
            }
            Event::ApprovalRequested(asked) => {
                self.questions.insert(asked.approval, asked.call);
                self.last = Some(asked.call);
                None
            }
            Event::ApprovalResolved(answer) => self.questions.get(&answer.approval).copied(),
            Event::PolicyDecided(decided) => Some(decided.call),
            Event::ToolResult(result) => Some(result.call),
            Event::ToolDenied(denied) => Some(denied.call),
            Event::ToolCancelled(cancelled) => Some(cancelled.call),
            Event::ToolReconciled(found) => Some(found.call),
            Event::ToolOutcomeUnknown(unknown) => {
                self.unknown.insert(unknown.call, self.name_of(unknown.call));
                Some(unknown.call)
            }
            Event::JobStarted(started) => {
                self.jobs.insert(started.job, (started.call, printable(&started.command)));
                None
            }
            Event::JobPhase(job) if job.phase == JobState::Reconciling => {
                if let Some((call, command)) = self.jobs.get(&job.job) {
                    self.unknown.insert(*call, command.clone());
                }
                None
            }
            _ => None,
        }
    }

    fn name(&mut self, call: CallId, tool: &str, input: &Value) {
        let name = named(tool, input);
        let like_it = self.calls.values().filter(|other| other.starts_with(&name)).count();
        let name = if like_it == 0 { name } else { format!("{name} ({})", like_it + 1) };
        self.calls.insert(call, name);
        self.last = Some(call);
    }

    /// A line below the call itself needs no name, unless there are others that it could belong to.
    fn label(&self, call: CallId) -> String {
        match self.last == Some(call) && !self.several {
            true => String::new(),
            false => format!("{}: ", self.name_of(call)),
        }
    }

    fn name_of(&self, call: CallId) -> String {
        self.calls.get(&call).cloned().unwrap_or_else(|| call.to_string())
    }

    /// How a question was answered: the first answer counts, and any other is said to have come too late.
    fn answered(&mut self, answer: &ApprovalResolved, by: Option<&By>, label: &str) -> Option<Line> {
        let verdict = verdict(answer);
        let unattended = by.is_some_and(By::is_unattended);
        let by = person(by);
        if self.questions.remove(&answer.approval).is_none() {
            let late = format!("  an answer that came too late: {verdict}{by}; it changes nothing");
            return Some(Line::new(Style::Dim, late));
        }
        // That nobody was there is what the call is answered with.
        if unattended {
            return None;
        }
        let words = match &answer.feedback {
            Some(words) => format!(": \"{}\"", printable(words)),
            None => String::new(),
        };
        let until = match answer.valid_until {
            Some(until) => format!(", until {}", moment(until)),
            None => String::new(),
        };
        Some(Line::new(Style::Dim, format!("  {label}{verdict}{by}{until}{words}")))
    }

    /// What somebody found out about an outcome that was unknown.
    fn settled(&mut self, word: &ReconciliationResolved, by: Option<&By>) -> Line {
        let verdict = outcome(word.verdict);
        let by = person(by);
        let name = match self.unknown.remove(&word.call) {
            Some(name) => name,
            None if self.settled.contains(&word.call) => {
                return Line::new(
                    Style::Dim,
                    format!("  a word that came too late: {verdict}{by}; it changes nothing"),
                );
            }
            None => self.name_of(word.call),
        };
        self.settled.insert(word.call);
        let evidence = match word.evidence.as_str() {
            "" => String::new(),
            evidence => format!(": \"{}\"", printable(evidence)),
        };
        Line::new(Style::Strong, format!("! settled{by}: {name}: {verdict}{evidence}"))
    }
}

/// What an answer to a question says.
pub(crate) fn verdict(answer: &ApprovalResolved) -> &'static str {
    match (answer.verdict, answer.scope) {
        (ApprovalVerdict::Reject, _) => "rejected",
        (ApprovalVerdict::Approve, ApprovalScope::Once) => "approved once",
        (ApprovalVerdict::Approve, ApprovalScope::Session) => "approved for this session",
        (ApprovalVerdict::Approve, ApprovalScope::Always) => "approved always",
    }
}

/// What somebody says about an outcome.
pub(crate) fn outcome(verdict: ResolvedVerdict) -> &'static str {
    match verdict {
        ResolvedVerdict::Applied => "it happened",
        ResolvedVerdict::NotApplied => "it did not happen",
        ResolvedVerdict::GoOn => "nobody can know, and the work goes on",
    }
}

/// By whom, behind what they said.
pub(crate) fn person(by: Option<&By>) -> String {
    match by {
        Some(by) if by.is_unattended() => " in the place of a person".into(),
        Some(by) => format!(" by {} ({})", printable(&by.principal), printable(&by.channel)),
        None => String::new(),
    }
}

fn named(tool: &str, input: &Value) -> String {
    let input = describe_input(tool, input);
    let tool = printable(tool);
    match input.char_indices().nth(NAMED_BY_CHARS) {
        Some((at, _)) => format!("{tool} {}…", &input[..at]),
        None => format!("{tool} {input}").trim_end().to_owned(),
    }
}
