//! Verifying a whole log with its real bytes, blobs and requests.

use std::collections::BTreeMap;

use onward_core::Session;
use onward_core::check::{CheckEnv, Checked, Checker, Rebuilt, Report, blobs_of};
use onward_event::{Digest, Event, Record, RequestHead, RequestPrepared, Seq, SessionId};
use onward_port::{LogError, StoredRecord};

use crate::ports::Ports;
use crate::request::{RebuildError, load_head, rebuild_on};

/// Records read at once.
const PAGE: usize = 10_000;

/// Why a log cannot even be checked.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// It cannot be read.
    #[error(transparent)]
    Log(#[from] LogError),
    /// Bytes that are no record.
    #[error("record {seq} cannot be read: {why}; the {before} records before it can")]
    Unreadable {
        /// Where.
        seq: Seq,
        /// What is wrong.
        why: String,
        /// How many can be read.
        before: u64,
    },
}

/// Verifies every rule on a session's log. `secrets` are values that must occur nowhere.
///
/// # Errors
/// When the log cannot be read as records at all; what can be read and is wrong is in the report.
pub async fn check_session(
    ports: &Ports,
    session: SessionId,
    secrets: Vec<String>,
) -> Result<Report, CheckError> {
    check_up_to(ports, session, secrets, Seq(u64::MAX)).await
}

/// As [`check_session`], of a log that ends with this record.
pub(crate) async fn check_up_to(
    ports: &Ports,
    session: SessionId,
    secrets: Vec<String>,
    end: Seq,
) -> Result<Report, CheckError> {
    let mut checker = Checker::default();
    let mut env = StoreEnv { ports, blobs: BTreeMap::new(), heads: BTreeMap::new(), fold: None, secrets };
    let mut after = Seq(0);
    loop {
        let left = usize::try_from(end.0.saturating_sub(after.0)).unwrap_or(PAGE);
        let page = ports.log.read(session, after, left.min(PAGE)).await?;
        for stored in &page {
            let record = Record::from_bytes(&stored.bytes).map_err(|error| CheckError::Unreadable {
                seq: stored.seq,
                why: error.to_string(),
                before: after.0,
            })?;
            env.fetch(&record).await?;
            push(&mut checker, &record, stored, &mut env);
            env.fold(&record);
            after = stored.seq;
        }
        if page.len() < PAGE || after >= end {
            return Ok(checker.finish());
        }
    }
}

fn push(checker: &mut Checker, record: &Record, stored: &StoredRecord, env: &mut StoreEnv<'_>) {
    checker.push(Checked { record, bytes: &stored.bytes, hash: stored.hash }, env);
}

/// What the pure checker is lent: the content that records name, fetched just before they are pushed.
struct StoreEnv<'a> {
    ports: &'a Ports,
    /// Whether each named blob is whole; for the checker's questions.
    blobs: BTreeMap<Digest, Option<bytes::Bytes>>,
    heads: BTreeMap<Digest, RequestHead>,
    /// The fold up to the record before; `None` once it has failed.
    fold: Option<Session>,
    secrets: Vec<String>,
}

impl StoreEnv<'_> {
    async fn fetch(&mut self, record: &Record) -> Result<(), LogError> {
        for (hash, _) in blobs_of(&record.event) {
            if !self.blobs.contains_key(&hash) {
                let bytes = match self.ports.blobs.get(hash).await {
                    Ok(bytes) => bytes,
                    Err(LogError::Corrupt(_) | LogError::Damaged { .. }) => None,
                    Err(error) => return Err(error),
                };
                self.blobs.insert(hash, bytes);
            }
        }
        if let Event::RequestPrepared(prepared) = &record.event
            && !self.heads.contains_key(&prepared.manifest.head)
            && let Ok(head) = load_head(self.ports.blobs.as_ref(), prepared.manifest.head).await
        {
            self.heads.insert(prepared.manifest.head, head);
        }
        Ok(())
    }

    fn fold(&mut self, record: &Record) {
        self.fold = match self.fold.take() {
            None if record.seq == Seq(1) => Session::create(record).ok(),
            None => None,
            Some(mut session) => session.apply(record).is_ok().then_some(session),
        };
    }
}

impl CheckEnv for StoreEnv<'_> {
    fn chain(&self, before: &Digest, bytes: &[u8]) -> Digest {
        onward_port::chain(before, bytes)
    }

    fn has_blob(&self, hash: &Digest) -> bool {
        self.blobs.get(hash).is_some_and(Option::is_some)
    }

    fn blob_contains(&self, hash: &Digest, needle: &[u8]) -> bool {
        let bytes = self.blobs.get(hash).and_then(Option::as_ref);
        !needle.is_empty()
            && bytes.is_some_and(|bytes| bytes.windows(needle.len()).any(|window| window == needle))
    }

    fn secrets(&self) -> &[String] {
        &self.secrets
    }

    fn rebuild(&mut self, prepared: &RequestPrepared, _at: Seq) -> Rebuilt {
        let Some(session) = &self.fold else {
            return Rebuilt::Failed("the log before it does not fold".into());
        };
        let Some(head) = self.heads.get(&prepared.manifest.head) else {
            return Rebuilt::Failed("its stored head is missing or damaged".into());
        };
        match rebuild_on(session, prepared, head, self.ports) {
            Ok(request) => Rebuilt::Digest(request.digest),
            Err(RebuildError::Unverifiable(what)) => Rebuilt::Unverifiable(what),
            Err(error) => Rebuilt::Failed(error.to_string()),
        }
    }
}
