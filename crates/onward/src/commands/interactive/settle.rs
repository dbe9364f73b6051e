//! The question what became of an action that nobody can find out about by machine, answered by number. Anything else
//! settles nothing (seed, section 16).

use onward_core::{Job, UnknownCall};
use onward_event::{CallId, JobState, OnUnknown, ResolvedVerdict};

use super::{After, Conversation};
use crate::compose::store_error;
use crate::error::CliError;
use crate::render::{describe_input, printable, prompt, say};
use crate::signals::Asked;
use crate::stand::HELD;

const CHOICES: &str =
    "  look first: at the files, at what it spoke to, at `ps`. Then answer; words after the number are \
     kept as evidence
  1 it happened   2 it did not happen   3 nobody can know, go on   4 leave it open";

/// An action of unknown outcome.
pub(super) struct Unknown {
    call: CallId,
    /// Of which tool.
    tool: String,
    /// What it was to do.
    what: String,
    /// Why nobody can tell, and what is known.
    why: String,
}

/// What a line says about it.
#[derive(Debug, PartialEq, Eq)]
enum Reply {
    /// It is settled, with this evidence.
    Settled(ResolvedVerdict, String),
    /// It stays open.
    Open,
    /// The person leaves, and it stays open.
    Leave,
    /// Nothing.
    Nothing,
}

impl Unknown {
    fn of_call(unknown: &UnknownCall) -> Self {
        let input = serde_json::from_str(&unknown.input).unwrap_or_default();
        let (tool, why) = (unknown.tool.clone(), unknown.why.clone());
        Self { call: unknown.call, what: describe_input(&tool, &input), tool, why }
    }

    fn of_job(job: &Job) -> Self {
        let (what, why) = (job.command.clone(), job.summary.clone());
        Self { call: job.call, tool: job.begun.tool.clone(), what, why }
    }

    fn say(&self) {
        say!("! nobody can tell by machine what became of this:");
        say!("    {}  {}", printable(&self.tool), printable(&self.what));
        for line in printable(&self.why).lines() {
            say!("    {line}");
        }
    }
}

impl Conversation {
    /// The next action that is of unknown outcome, and that the person has not left open.
    pub(super) fn next_unknown(&self) -> Option<Unknown> {
        let session = self.owner.session();
        // What blocks is nobody's question here: `onward reconcile` settles it, and every view says so.
        let calls = session.unknown_calls().filter(|unknown| unknown.then == OnUnknown::Ask);
        let calls = calls.map(Unknown::of_call);
        let jobs = session.jobs().filter(|job| job.phase == JobState::Reconciling);
        let jobs = jobs.filter(|job| job.on_unknown() == OnUnknown::Ask).map(Unknown::of_job);
        calls.chain(jobs).find(|unknown| !self.left_open.contains(&unknown.call))
    }

    /// Says, once each, what is held until somebody settles it from outside.
    pub(super) fn say_held(&mut self) {
        let session = self.owner.session();
        let calls = session.unknown_calls().filter(|unknown| unknown.then == OnUnknown::Block);
        let jobs = session.jobs().filter(|job| job.phase == JobState::Reconciling);
        let jobs = jobs.filter(|job| job.on_unknown() == OnUnknown::Block);
        let held = calls.map(Unknown::of_call).chain(jobs.map(Unknown::of_job));
        for unknown in held.filter(|unknown| !self.left_open.contains(&unknown.call)).collect::<Vec<_>>() {
            unknown.say();
            say!(
                "  {HELD}: `{} reconcile {} --applied | --not-applied | --go-on` settles it",
                self.app.program,
                unknown.call
            );
            self.left_open.insert(unknown.call);
        }
    }

    /// Asks until there is an answer, or somebody else has given one.
    pub(super) async fn settle(&mut self, unknown: &Unknown) -> Result<After, CliError> {
        unknown.say();
        say!("{CHOICES}");
        self.lines.forget_typed_ahead();
        loop {
            prompt!("what became of it: ");
            let line = tokio::select! {
                line = self.lines.next() => line,
                () = self.owner.wait_for_news() => return Ok(After::GoOn),
                asked = self.signals.next() => match asked {
                    Asked::End | Asked::HangUp => return Ok(After::End),
                    Asked::Interrupt => Some("4".into()),
                },
            };
            let Some(line) = line else { return Ok(After::Leave) };
            match Reply::of(&line) {
                Reply::Settled(verdict, evidence) => {
                    let settled = self.app.client.reconcile(self.session, unknown.call, verdict, evidence);
                    settled.await.map_err(store_error)?;
                    return Ok(After::GoOn);
                }
                Reply::Open => {
                    self.left_open.insert(unknown.call);
                    say!(
                        "it stays open, and its task waits: `{} reconcile {} --applied | --not-applied | --go-on` \
                         settles it",
                        self.app.program,
                        unknown.call
                    );
                    return Ok(After::GoOn);
                }
                Reply::Leave => return Ok(After::Leave),
                Reply::Nothing => say!(
                    "that is no answer, and nothing was settled: type 1, 2, 3 or 4; /quit leaves, and it stays open"
                ),
            }
        }
    }
}

impl Reply {
    /// Understands a line. What is pasted is no answer.
    fn of(line: &str) -> Self {
        let line = line.trim();
        let (number, words) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let settled = |verdict| Self::Settled(verdict, words.trim().to_owned());
        match number {
            _ if line.contains('\n') => Self::Nothing,
            "/quit" | "/exit" => Self::Leave,
            "1" => settled(ResolvedVerdict::Applied),
            "2" => settled(ResolvedVerdict::NotApplied),
            "3" => settled(ResolvedVerdict::GoOn),
            "4" => Self::Open,
            _ => Self::Nothing,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_settles_and_words_are_evidence() {
        let settled = |verdict, words: &str| Reply::Settled(verdict, words.into());
        assert_eq!(Reply::of(" 1 the tag is there "), settled(ResolvedVerdict::Applied, "the tag is there"));
        assert_eq!(Reply::of("2"), settled(ResolvedVerdict::NotApplied, ""));
        assert_eq!(Reply::of("3"), settled(ResolvedVerdict::GoOn, ""));
        assert_eq!(Reply::of("4"), Reply::Open);
        for nothing in ["", "yes", "12", "1\n2"] {
            assert_eq!(Reply::of(nothing), Reply::Nothing, "{nothing:?}");
        }
    }
}
