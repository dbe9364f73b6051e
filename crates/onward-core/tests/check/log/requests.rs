//! Requests and attempts.

use onward_event::*;

use super::Log;
use super::calls::{error, result};
use crate::env::ENCODER;
use crate::values::*;

impl Log {
    /// The request of the open step, and its first attempt.
    pub(crate) fn ask(mut self) -> Self {
        let prepared = self.prepared();
        let start = self.attempt_start();
        self.owner(vec![prepared, start])
    }

    fn prepared(&mut self) -> Event {
        self.revision += 1;
        let includes = core::mem::take(&mut self.claims);
        let digest = request_digest(step(self.steps), self.revision);
        self.request = Some(digest);
        let body = RequestPrepared {
            step: step(self.steps),
            revision: self.revision,
            digest,
            history_revision: 0,
            manifest: Manifest { head: head(), base: 0, added: 1 },
            includes,
            projection: Projection { assembler: 1, encoder: ENCODER.into() },
            context: ContextDigest { tokens: 1, limit: 100, items: vec![], dropped: vec![] },
        };
        body.into()
    }

    fn attempt_start(&mut self) -> Event {
        self.attempts += 1;
        self.number += 1;
        AttemptStart {
            attempt: attempt(self.attempts),
            step: step(self.steps),
            number: self.number,
            request: self.request.unwrap_or(Digest::ZERO),
            provider: "p".into(),
            model: "m".into(),
        }
        .into()
    }

    /// The same request again.
    pub(crate) fn retry(mut self) -> Self {
        let start = self.attempt_start();
        self.owner(vec![start])
    }

    fn attempt_end(&mut self, outcome: AttemptOutcome) -> Event {
        self.usage = Some(self.usage.unwrap_or(Usage::NONE).plus(USE));
        AttemptEnd {
            attempt: attempt(self.attempts),
            outcome,
            finish: None,
            usage: USE,
            partial: String::new(),
        }
        .into()
    }

    pub(crate) fn attempt_ends(mut self, outcome: AttemptOutcome) -> Self {
        let end = self.attempt_end(outcome);
        self.owner(vec![end])
    }

    pub(crate) fn fails(self) -> Self {
        let retry_at = Some(Timestamp(5));
        let class = ErrorClass::Overloaded;
        self.attempt_ends(AttemptOutcome::Failed { class, message: "busy".into(), retry_at })
    }

    fn accepted(&mut self, tools: &[(u128, &str)]) -> Vec<Event> {
        let (attempt, step) = (attempt(self.attempts), step(self.steps));
        let content = vec![AcceptedPart::Text("words".into())];
        let accepted = AssistantAccepted { attempt, step, content, calls: tools.len() as u32 };
        let mut events = vec![self.attempt_end(AttemptOutcome::Accepted), accepted.into()];
        for ((n, tool), ordinal) in tools.iter().zip(0..) {
            let call = ToolCall {
                call: call(*n),
                step,
                ordinal,
                provider_id: format!("toolu_{n}"),
                name: (*tool).into(),
                version: "1".into(),
                input: "{}".into(),
                digest: input_digest(tool),
                accesses: vec![],
                occupies: Occupies::Slot,
                invalid: None,
            };
            events.push(call.into());
        }
        events
    }

    /// The model answers, and the turn is complete.
    pub(crate) fn answer(mut self) -> Self {
        let mut events = self.accepted(&[]);
        events.push(self.step_end(StepTerminal::Answer));
        events.push(self.turn_end(TurnTerminal::Completed, StopReason::Final));
        self.owner(events)
    }

    /// The model calls tools.
    pub(crate) fn calls(mut self, tools: &[(u128, &str)]) -> Self {
        let events = self.accepted(tools);
        self.owner(events)
    }

    /// The model calls a tool that does not exist, and is told so.
    pub(crate) fn invalid_call(mut self, n: u128) -> Self {
        let mut events = self.accepted(&[(n, "no_such_tool")]);
        if let Some(Event::ToolCall(body)) = events.last_mut() {
            body.invalid = Some(InvalidCall {
                code: "unknown_tool".into(),
                reasons: vec!["there is no such tool".into()],
            });
        }
        events.push(result(n, error()));
        self.owner(events)
    }
}
