//! From the bytes of an answer to a reply or a failure, without I/O.
//!
//! An answer is a stream of events, or one JSON document from a server that did not stream: the first byte tells.
//! A reply counts only when the server has said that it is whole: by a finish reason or by `[DONE]`. A stream that
//! merely stops was cut, however good its content looks.

use onward_event::ErrorClass;
use onward_port::{ModelDelta, ModelFailure, ModelReply};

use super::assemble::{Assembly, failure};
use super::wire::Chunk;
use crate::classify;
use crate::quote::quote;
use crate::sse::{MAX_EVENT_BYTES, SseDecoder};

/// How much of an answer is kept to be quoted when it turns out to be something else.
const SAMPLE_BYTES: usize = 400;

/// Bytes of one answer that may bring nothing: comments, empty events, what frames the others. A server that sends
/// nothing else is not silent, and would be listened to for ever.
pub(super) const MAX_EMPTY_BYTES: u64 = 4 << 20;

/// What frames an event that brings something.
const FRAME_BYTES: u64 = 8;

const DONE: &[u8] = b"[DONE]";

/// Whether to go on reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    /// There may be more.
    More,
    /// The server has said that this was all.
    Done,
}

/// The decoder of one answer. Feed it with [`Decoder::push`]; then call [`Decoder::finish`] at a clean end,
/// [`Decoder::cut`] when the connection failed, or [`Decoder::fail`] when `push` did.
#[derive(Debug)]
pub(super) struct Decoder {
    framing: Framing,
    sample: Vec<u8>,
    done: bool,
    assembly: Assembly,
    /// Bytes that have arrived, and those of events that brought something.
    arrived: u64,
    useful: u64,
}

#[derive(Debug)]
enum Framing {
    /// Nothing but white space has arrived.
    Unknown,
    Events(SseDecoder),
    /// The bytes so far; the transport limits them.
    Document(Vec<u8>),
}

impl Decoder {
    pub(super) fn new() -> Self {
        Self {
            framing: Framing::Unknown,
            sample: Vec::new(),
            done: false,
            assembly: Assembly::default(),
            arrived: 0,
            useful: 0,
        }
    }

    /// Takes the next bytes, cut anywhere.
    ///
    /// # Errors
    /// The failure that the server reports in its stream, or [`ErrorClass::Protocol`]. Give it to [`Decoder::fail`].
    pub(super) fn push(
        &mut self,
        bytes: &[u8],
        on_delta: &mut (dyn FnMut(ModelDelta) + Send),
    ) -> Result<Progress, ModelFailure> {
        let free = SAMPLE_BYTES.saturating_sub(self.sample.len());
        self.sample.extend_from_slice(&bytes[..bytes.len().min(free)]);
        self.choose_framing(bytes);
        self.arrived = self.arrived.saturating_add(bytes.len() as u64);
        let progress = match &mut self.framing {
            Framing::Unknown => Progress::More,
            Framing::Document(document) => {
                document.extend_from_slice(bytes);
                return Ok(Progress::More);
            }
            Framing::Events(_) => self.read_events(bytes, on_delta)?,
        };
        match progress == Progress::More && self.empty_bytes() > MAX_EMPTY_BYTES {
            true => Err(failure(
                ErrorClass::Protocol,
                format!(
                    "the server sent {} MiB that said nothing; the answer was given up",
                    MAX_EMPTY_BYTES >> 20
                ),
            )),
            false => Ok(progress),
        }
    }

    /// What has arrived and brought nothing; an event that is not whole yet may still.
    fn empty_bytes(&self) -> u64 {
        let pending = match &self.framing {
            Framing::Events(events) => events.pending(),
            Framing::Unknown | Framing::Document(_) => 0,
        };
        self.arrived.saturating_sub(self.useful).saturating_sub(pending as u64)
    }

    /// The body has ended as HTTP says it should, or after [`Progress::Done`].
    ///
    /// # Errors
    /// As [`Decoder::push`]; [`ErrorClass::Network`] when the reply was not whole.
    pub(super) fn finish(
        mut self,
        on_delta: &mut (dyn FnMut(ModelDelta) + Send),
    ) -> Result<ModelReply, ModelFailure> {
        match std::mem::replace(&mut self.framing, Framing::Unknown) {
            Framing::Unknown => {}
            Framing::Document(document) => return self.read_document(&document, on_delta),
            Framing::Events(events) => {
                if let Some(rest) = events.rest().filter(|rest| !self.done && is_whole(rest)) {
                    self.read_event(&rest, on_delta)?;
                }
            }
        }
        if self.assembly.has_ended() || (self.done && self.assembly.has_content()) {
            return self.assembly.into_reply();
        }
        let failure = self.what_is_missing();
        Err(self.assembly.into_failure(failure))
    }

    /// The connection failed. The reply counts all the same when it was whole: what was still to come is usage.
    ///
    /// # Errors
    /// `why`, with the usage that the server had reported.
    pub(super) fn cut(self, why: ModelFailure) -> Result<ModelReply, ModelFailure> {
        let is_connection = matches!(why.class, ErrorClass::Network | ErrorClass::Timeout);
        if is_connection && self.assembly.has_ended() {
            return self.assembly.into_reply();
        }
        Err(self.fail(why))
    }

    /// The failure, with the usage that the server had reported.
    pub(super) fn fail(self, why: ModelFailure) -> ModelFailure {
        self.assembly.into_failure(why)
    }

    fn choose_framing(&mut self, bytes: &[u8]) {
        if !matches!(self.framing, Framing::Unknown) {
            return;
        }
        match bytes.iter().find(|byte| !byte.is_ascii_whitespace()) {
            None => {}
            // No field of an event stream begins with a bracket.
            Some(b'{' | b'[') => self.framing = Framing::Document(Vec::new()),
            Some(_) => self.framing = Framing::Events(SseDecoder::new(MAX_EVENT_BYTES)),
        }
    }

    /// Reads an event, and counts it as useful when it brought something.
    fn weigh_event(
        &mut self,
        event: &[u8],
        on_delta: &mut (dyn FnMut(ModelDelta) + Send),
    ) -> Result<(), ModelFailure> {
        let mut useful = false;
        self.read_event(event, &mut |delta| {
            useful = true;
            on_delta(delta);
        })?;
        if useful {
            self.useful = self.useful.saturating_add(event.len() as u64 + FRAME_BYTES);
        }
        Ok(())
    }

    fn read_events(
        &mut self,
        mut bytes: &[u8],
        on_delta: &mut (dyn FnMut(ModelDelta) + Send),
    ) -> Result<Progress, ModelFailure> {
        while !self.done
            && let Framing::Events(events) = &mut self.framing
        {
            match events.next_event(&mut bytes) {
                Ok(Some(event)) => self.weigh_event(&event, on_delta)?,
                Ok(None) => break,
                Err(error) => return Err(failure(ErrorClass::Protocol, error.to_string())),
            }
        }
        Ok(if self.done { Progress::Done } else { Progress::More })
    }

    fn read_event(
        &mut self,
        event: &[u8],
        on_delta: &mut (dyn FnMut(ModelDelta) + Send),
    ) -> Result<(), ModelFailure> {
        if event.trim_ascii() == DONE {
            self.done = true;
            return Ok(());
        }
        let chunk = Chunk::parse(event).map_err(|error| {
            let message =
                format!("an event of the stream is not what the protocol says ({error}): {}", quote(event));
            failure(ErrorClass::Protocol, message)
        })?;
        match chunk.error(event) {
            Some(error) => Err(classify::reported(&error)),
            None => self.assembly.add(chunk, on_delta),
        }
    }

    fn read_document(
        mut self,
        document: &[u8],
        on_delta: &mut (dyn FnMut(ModelDelta) + Send),
    ) -> Result<ModelReply, ModelFailure> {
        let read = match Chunk::parse(document) {
            Ok(chunk) => match chunk.error(document) {
                Some(error) => Err(classify::reported(&error)),
                None => self.assembly.add(chunk, on_delta),
            },
            Err(error) if error.is_eof() => Err(cut_short()),
            Err(_) => Err(not_an_answer(document)),
        };
        match read {
            Ok(()) if self.assembly.has_ended() || self.assembly.has_content() => self.assembly.into_reply(),
            Ok(()) => Err(self.assembly.into_failure(not_an_answer(document))),
            Err(failure) => Err(self.assembly.into_failure(failure)),
        }
    }

    fn what_is_missing(&self) -> ModelFailure {
        let sample = self.sample.trim_ascii();
        if self.done {
            failure(ErrorClass::Protocol, "the stream ended as it should, but without an answer")
        } else if sample.starts_with(b"<") {
            not_an_answer(sample)
        } else {
            cut_short()
        }
    }
}

fn cut_short() -> ModelFailure {
    failure(ErrorClass::Network, "the stream was cut before the answer was whole")
}

fn not_an_answer(body: &[u8]) -> ModelFailure {
    let message =
        format!("the server sent something else than a model's answer, check the base URL: {}", quote(body));
    failure(ErrorClass::Protocol, message)
}

/// Whether an event without its end is one all the same, and not half of one.
fn is_whole(event: &[u8]) -> bool {
    event.trim_ascii() == DONE || serde_json::from_slice::<serde::de::IgnoredAny>(event).is_ok()
}

#[cfg(test)]
#[path = "decode_tests.rs"]
mod tests;
