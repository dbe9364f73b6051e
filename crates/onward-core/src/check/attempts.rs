//! Rule 8: an attempt sends the request that was prepared last for its step; a retry sends it unchanged; a new
//! request has the next revision.

use alloc::collections::BTreeMap;
use alloc::format;

use onward_event::{AttemptStart, Digest, Event, RequestPrepared, Seq, StepId};

use super::env::{CheckEnv, Checked};
use super::report::Findings;
use super::rule::Rule;

const RULE: u8 = 8;

#[derive(Default)]
pub(super) struct Attempts {
    /// Open steps.
    steps: BTreeMap<StepId, Asked>,
}

/// What was asked in a step.
#[derive(Default)]
struct Asked {
    /// The latest request: its revision, and its digest.
    request: Option<(u32, Digest)>,
    /// The number of the latest attempt.
    attempts: u32,
}

impl Rule for Attempts {
    fn record(&mut self, seen: &Checked<'_>, _: &mut dyn CheckEnv, out: &mut Findings) {
        let at = seen.record.seq;
        match &seen.record.event {
            Event::RequestPrepared(body) => self.prepare(body, at, out),
            Event::AttemptStart(body) => self.start(body, at, out),
            Event::StepEnd(body) => {
                self.steps.remove(&body.step);
            }
            _ => {}
        }
    }
}

impl Attempts {
    fn prepare(&mut self, body: &RequestPrepared, at: Seq, out: &mut Findings) {
        let asked = self.steps.entry(body.step).or_default();
        let next = asked.request.map_or(1, |(revision, _)| revision.saturating_add(1));
        if body.revision != next {
            let what = format!(
                "the request of {} has revision {}, but {next} is the next",
                body.step, body.revision
            );
            out.violation(RULE, at, what);
        }
        asked.request = Some((body.revision, body.digest));
    }

    fn start(&mut self, body: &AttemptStart, at: Seq, out: &mut Findings) {
        let asked = self.steps.entry(body.step).or_default();
        let next = asked.attempts.saturating_add(1);
        if body.number != next {
            let what = format!(
                "{} is attempt {} of {}, but {next} is the next",
                body.attempt, body.number, body.step
            );
            out.violation(RULE, at, what);
        }
        asked.attempts = body.number;
        let what = match asked.request {
            None => format!("{} sends a request, but none was prepared for {}", body.attempt, body.step),
            Some((revision, digest)) if digest != body.request => format!(
                "{} sends the request {}, but revision {revision} of {} is {}",
                body.attempt,
                body.request.short(),
                body.step,
                digest.short()
            ),
            Some(_) => return,
        };
        out.violation(RULE, at, what);
    }
}
