//! A reply out of its pieces, and what is known about it when there will be no more of them.

use onward_event::{AcceptedPart, ErrorClass, Usage};
use onward_port::{ModelDelta, ModelFailure, ModelReply};

use super::calls::{Calls, MAX_CALLS};
use super::finish::{Content, Finish};
use super::wire::{CallDelta, Choice, Chunk, Delta, Said};
use super::{REASONING_FIELD, usage};

/// The reply so far.
#[derive(Debug, Default)]
pub(super) struct Assembly {
    content: Vec<AcceptedPart>,
    calls: Calls,
    refused: bool,
    finish: Option<String>,
    usage: Option<Usage>,
}

impl Assembly {
    /// Adds what one event says.
    ///
    /// # Errors
    /// [`ErrorClass::Protocol`] when the reply has more calls than it may.
    pub(super) fn add(
        &mut self,
        chunk: Chunk,
        on_delta: &mut (dyn FnMut(ModelDelta) + Send),
    ) -> Result<(), ModelFailure> {
        self.report(chunk.usage.as_ref());
        // One reply was asked for: what a server says for another one is not part of it.
        for choice in chunk.choices.into_iter().filter(|choice| choice.index.unwrap_or(0) == 0) {
            self.add_choice(choice, on_delta)?;
        }
        Ok(())
    }

    /// Whether the server has said how the reply ends: it is whole then, whatever becomes of the connection.
    pub(super) fn has_ended(&self) -> bool {
        self.finish.is_some()
    }

    /// Whether anything of a reply has arrived.
    pub(super) fn has_content(&self) -> bool {
        !self.content.is_empty() || !self.calls.is_empty()
    }

    /// The reply, ended as the server said, or with `stop` where it said nothing.
    ///
    /// # Errors
    /// When the way it ended is a failure of the server.
    pub(super) fn into_reply(self) -> Result<ModelReply, ModelFailure> {
        let content = Content { calls: !self.calls.is_empty(), refusal: self.refused };
        let word = self.finish.as_deref().unwrap_or("stop");
        match Finish::of(word, content) {
            Finish::Ended(finish) => Ok(ModelReply {
                finish,
                content: self.content,
                calls: self.calls.finish(),
                usage: self.usage,
            }),
            Finish::GaveUp(class) => {
                let message =
                    format!("the model server gave up in the middle of its answer (finish reason `{word}`)");
                Err(self.into_failure(failure(class, message)))
            }
        }
    }

    /// The failure, with what the server had reported before it.
    pub(super) fn into_failure(self, failure: ModelFailure) -> ModelFailure {
        ModelFailure { usage: self.usage.or(failure.usage), ..failure }
    }

    fn add_choice(
        &mut self,
        choice: Choice,
        on_delta: &mut (dyn FnMut(ModelDelta) + Send),
    ) -> Result<(), ModelFailure> {
        self.report(choice.usage.as_ref());
        if let Some(delta) = choice.delta.or(choice.message) {
            self.add_delta(delta, on_delta)?;
        }
        if let Some(word) = choice.finish_reason.filter(|word| !word.is_empty()) {
            self.finish = Some(word);
        }
        Ok(())
    }

    fn add_delta(
        &mut self,
        delta: Delta,
        on_delta: &mut (dyn FnMut(ModelDelta) + Send),
    ) -> Result<(), ModelFailure> {
        let said = Said::of(delta.content);
        // Some servers send the same thoughts under both names.
        match delta.reasoning_content.filter(|text| !text.is_empty()) {
            Some(text) => self.think(text, Some(REASONING_FIELD), on_delta),
            None => self.think(delta.reasoning.unwrap_or_default(), None, on_delta),
        }
        self.think(said.thoughts, None, on_delta);
        self.say(said.words, on_delta);
        if let Some(refusal) = delta.refusal.filter(|text| !text.is_empty()) {
            self.refused = true;
            self.say(refusal, on_delta);
        }
        delta.tool_calls.into_iter().try_for_each(|call| self.call(call, on_delta))
    }

    fn say(&mut self, words: String, on_delta: &mut (dyn FnMut(ModelDelta) + Send)) {
        if words.is_empty() {
            return;
        }
        match self.content.last_mut() {
            Some(AcceptedPart::Text(text)) => text.push_str(&words),
            _ => self.content.push(AcceptedPart::Text(words.clone())),
        }
        on_delta(ModelDelta::Text(words));
    }

    fn think(&mut self, words: String, mark: Option<&str>, on_delta: &mut (dyn FnMut(ModelDelta) + Send)) {
        if words.is_empty() {
            return;
        }
        match self.content.last_mut() {
            Some(AcceptedPart::Reasoning { text, opaque }) if opaque.as_deref() == mark => {
                text.push_str(&words)
            }
            _ => {
                let opaque = mark.map(str::to_owned);
                self.content.push(AcceptedPart::Reasoning { text: words.clone(), opaque });
            }
        }
        on_delta(ModelDelta::Reasoning(words));
    }

    fn call(
        &mut self,
        delta: CallDelta,
        on_delta: &mut (dyn FnMut(ModelDelta) + Send),
    ) -> Result<(), ModelFailure> {
        let added = self.calls.add(delta, on_delta);
        added.map_err(|_| {
            failure(ErrorClass::Protocol, format!("the reply makes more than {MAX_CALLS} calls"))
        })
    }

    /// Usage may be reported with every event; each report replaces the one before.
    fn report(&mut self, reported: Option<&serde_json::Value>) {
        self.usage = reported.and_then(usage::read).or(self.usage);
    }
}

/// A failure of which nothing more is known.
pub(super) fn failure(class: ErrorClass, message: impl Into<String>) -> ModelFailure {
    ModelFailure { class, message: message.into(), retry_after_millis: None, usage: None }
}
