//! Requests: put together item by item, so that a step's cost does not grow with the history; and made again from the
//! log, so that what the model saw can be proved.
//!
//! The bytes of a request are `head + messages + tail`. Head and earlier messages are kept encoded from step to step,
//! together with the digest chain over them; a new request encodes and hashes only what is new.

use bytes::Bytes;
use onward_core::Session;
use onward_event::{Digest, Event, Message, ModelConfig, Record, RequestHead, RequestPrepared, StepId};
use onward_port::{Blobs, DigestChain, Encoder, LogError, digest};

use crate::ports::Ports;

/// The encoded prefix that the next request starts with.
#[derive(Clone, Debug)]
pub(crate) struct EncodedPrefix {
    /// The settings that the head was encoded for.
    pub(crate) config: ModelConfig,
    /// The digest of the stored head.
    pub(crate) head: Digest,
    bytes: Vec<u8>,
    chain: DigestChain,
    messages: usize,
}

/// A whole request.
#[derive(Clone, Debug)]
pub(crate) struct EncodedRequest {
    pub(crate) digest: Digest,
    pub(crate) body: Bytes,
}

impl EncodedPrefix {
    /// Only the head.
    pub(crate) fn new(
        encoder: &dyn Encoder,
        config: &ModelConfig,
        head: &RequestHead,
        head_digest: Digest,
    ) -> Self {
        let bytes = encoder.head(config, head);
        let chain = DigestChain::new().with(&bytes);
        Self { config: config.clone(), head: head_digest, bytes, chain, messages: 0 }
    }

    /// The head and all of these messages.
    pub(crate) fn of<'a>(
        encoder: &dyn Encoder,
        config: &ModelConfig,
        head: &RequestHead,
        head_digest: Digest,
        messages: impl IntoIterator<Item = &'a Message>,
    ) -> Self {
        let mut prefix = Self::new(encoder, config, head, head_digest);
        for message in messages {
            prefix.push(encoder, message);
        }
        prefix
    }

    /// Messages encoded so far.
    pub(crate) fn len(&self) -> usize {
        self.messages
    }

    /// Bytes so far.
    pub(crate) fn size(&self) -> usize {
        self.bytes.len()
    }

    /// Appends a message; returns the bytes that it takes.
    pub(crate) fn push(&mut self, encoder: &dyn Encoder, message: &Message) -> usize {
        let encoded = encoder.message(message, self.messages == 0);
        self.chain = self.chain.with(&encoded);
        self.bytes.extend_from_slice(&encoded);
        self.messages += 1;
        encoded.len()
    }

    /// The request that ends here.
    pub(crate) fn finish(&self, encoder: &dyn Encoder) -> EncodedRequest {
        let tail = encoder.tail();
        let mut body = Vec::with_capacity(self.bytes.len() + tail.len());
        body.extend_from_slice(&self.bytes);
        body.extend_from_slice(&tail);
        EncodedRequest { digest: self.chain.with(&tail).digest(), body: body.into() }
    }
}

/// A request made again from the log.
#[derive(Clone, Debug)]
pub struct Rebuilt {
    /// What the log says about it.
    pub prepared: RequestPrepared,
    /// The digest of the bytes made again; equal to the recorded one unless something is damaged.
    pub digest: Digest,
    /// The exact bytes.
    pub body: Vec<u8>,
}

/// Why a request cannot be made again.
#[derive(Debug, thiserror::Error)]
pub enum RebuildError {
    /// The record is not in the log.
    #[error("there is no prepared request of {0} in the log")]
    NotFound(StepId),
    /// This binary lacks the code that made it.
    #[error("it was made by {0}, which this version does not have; use the version that wrote it")]
    Unverifiable(String),
    /// The stored head is gone or damaged.
    #[error("its stored head cannot be read: {0}")]
    Head(String),
    /// The log itself cannot be folded.
    #[error("the log before it cannot be folded: {0}")]
    Fold(String),
    /// The log cannot be read.
    #[error(transparent)]
    Log(#[from] LogError),
}

/// Makes the latest request of a step again from the records of its session.
///
/// # Errors
/// [`RebuildError`]; a digest that differs is no error, see [`Rebuilt::digest`].
pub async fn rebuild(
    ports: &Ports,
    records: &[Record],
    revision_of: StepId,
) -> Result<Rebuilt, RebuildError> {
    let is_it =
        |record: &&Record| matches!(&record.event, Event::RequestPrepared(p) if p.step == revision_of);
    let last = records.iter().rev().find(is_it).ok_or(RebuildError::NotFound(revision_of))?;
    let Event::RequestPrepared(prepared) = &last.event else {
        return Err(RebuildError::NotFound(revision_of));
    };
    let upto = records.iter().take_while(|record| record.seq < last.seq);
    let session = Session::replay(upto).map_err(|error| RebuildError::Fold(error.to_string()))?;
    let head = load_head(ports.blobs.as_ref(), prepared.manifest.head).await?;
    let request = rebuild_on(&session, prepared, &head, ports)?;
    Ok(Rebuilt { prepared: prepared.clone(), digest: request.digest, body: request.body.into() })
}

/// The request as of a session that stands right before its record.
pub(crate) fn rebuild_on(
    session: &Session,
    prepared: &RequestPrepared,
    head: &RequestHead,
    ports: &Ports,
) -> Result<EncodedRequest, RebuildError> {
    let step = session.step().ok_or(RebuildError::NotFound(prepared.step))?;
    if prepared.projection.assembler != onward_core::ASSEMBLER_VERSION {
        return Err(RebuildError::Unverifiable(format!("assembler {}", prepared.projection.assembler)));
    }
    let unverifiable = || RebuildError::Unverifiable(format!("encoder {}", prepared.projection.encoder));
    let encoder = (ports.encoder)(&prepared.projection.encoder).ok_or_else(unverifiable)?;
    let additions = session.additions();
    let messages = session.history().iter().chain(&additions);
    let prefix = EncodedPrefix::of(encoder, &step.model, head, prepared.manifest.head, messages);
    Ok(prefix.finish(encoder))
}

pub(crate) async fn load_head(blobs: &dyn Blobs, hash: Digest) -> Result<RequestHead, RebuildError> {
    let bytes = blobs.get(hash).await?.ok_or_else(|| RebuildError::Head(format!("{hash} is not stored")))?;
    if digest(&bytes) != hash {
        return Err(RebuildError::Head(format!("what is stored is not {hash}")));
    }
    serde_json::from_slice(&bytes).map_err(|error| RebuildError::Head(error.to_string()))
}
