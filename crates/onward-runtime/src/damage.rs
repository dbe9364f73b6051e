//! What is damaged of a log, and what of it could go on: for a person who has no copy to restore.
//!
//! An append is all or nothing, so what goes on ends with a whole one: no crash leaves anything else.

use onward_core::Session;
use onward_event::{AppendId, Digest, Epoch, Record, Seq, SessionId};
use onward_port::{Head, Log, LogError, StoredRecord, chain};

use crate::check::{CheckError, check_up_to};
use crate::open::{ends_as_named, refused};
use crate::ports::Ports;
use crate::records::load_undamaged;

/// Records that are looked at together behind the first damaged one.
const PAGE: usize = 1_024;

/// What is wrong with a log.
#[derive(Debug)]
pub struct Damage {
    /// The first record that is not whole, in words for people.
    pub error: LogError,
    /// The last record of the last whole append before it; absent when nothing is left to go on from.
    pub keep: Option<Head>,
    /// The latest epoch up to there.
    pub epoch: Epoch,
    /// How many whole records of other appends stand behind the damaged one.
    pub whole_behind: usize,
}

/// Reads and verifies a whole log, and folds it. None when all of it is as it should be.
///
/// # Errors
/// When it cannot be read at all, or is damaged and has records that this version does not know: nobody should decide
/// about those with it.
pub async fn find_damage(ports: &Ports, session: SessionId) -> Result<Option<Damage>, LogError> {
    let log = ports.log.as_ref();
    let end = log.head(session).await?;
    let (mut whole, verified) = load_undamaged(log, session, Seq(0)).await;
    let damage = verified.err();
    let mut newer = None;
    let damage = match fold(session, &whole) {
        Ok(()) => damage,
        Err(error @ LogError::Newer { .. }) => {
            newer = Some(error);
            damage
        }
        Err(error) => Some(error),
    };
    let ends = |last: &(Record, Digest)| {
        let (seq, hash) = (last.0.seq, last.1);
        ends_as_named(session, end, &StoredRecord { seq, bytes: Vec::new(), hash }).err()
    };
    let Some(error) = damage.or_else(|| whole.last().and_then(ends)) else { return Ok(None) };
    let LogError::Damaged { seq, .. } = error else { return Err(error) };
    if let Some(newer) = newer {
        return Err(newer);
    }
    whole.retain(|(record, _)| record.seq < seq);
    if is_torn(ports, session, &whole, seq).await?
        && let Some(append) = whole.last().map(|(record, _)| record.append.clone())
    {
        whole.retain(|(record, _)| record.append != append);
    }
    let keep = whole.last().map(|(record, hash)| Head { seq: record.seq, hash: *hash });
    let epoch = whole.iter().filter_map(|(record, _)| record.epoch).max().unwrap_or_default();
    let whole_behind = whole_behind(log, session, seq).await;
    Ok(Some(Damage { error, keep, epoch, whole_behind }))
}

fn fold(session: SessionId, records: &[(Record, Digest)]) -> Result<(), LogError> {
    let mut records = records.iter().map(|(record, _)| record);
    let Some(first) = records.next() else { return Ok(()) };
    let mut state = Session::create(first).map_err(|illegal| refused(session, first, &illegal))?;
    records.try_for_each(|record| state.apply(record).map_err(|illegal| refused(session, record, &illegal)))
}

/// Whether the last of the whole records is of an append that the damaged one belongs to: as far as that one still says of
/// which it is, or because no log ends like this.
async fn is_torn(
    ports: &Ports,
    session: SessionId,
    whole: &[(Record, Digest)],
    damaged: Seq,
) -> Result<bool, LogError> {
    let Some((last, _)) = whole.last() else { return Ok(false) };
    let before = Seq(damaged.0.saturating_sub(1));
    let bad = ports.log.read(session, before, 1).await.unwrap_or_default().pop();
    if bad.is_some_and(|bad| bad.seq == damaged && is_of(&bad.bytes, &last.append)) {
        return Ok(true);
    }
    let report = check_up_to(ports, session, Vec::new(), last.seq).await;
    let report = report.map_err(|error| match error {
        CheckError::Log(error) => error,
        unreadable @ CheckError::Unreadable { .. } => LogError::Io(unreadable.to_string()),
    })?;
    let first = whole
        .iter()
        .find(|(record, _)| record.append == last.append)
        .map_or(last.seq, |(record, _)| record.seq);
    Ok(report.violations.iter().any(|violation| violation.at >= first))
}

/// Whether a record that may be damaged is of this append, as far as its bytes still say.
fn is_of(bytes: &[u8], append: &AppendId) -> bool {
    match Record::from_bytes(bytes) {
        Ok(record) => record.append == *append,
        Err(_) => bytes.windows(append.0.len()).any(|window| window == append.0.as_bytes()),
    }
}

/// How many records behind a damaged one are whole. Those of its own append are not counted: they are none without it.
async fn whole_behind(log: &dyn Log, session: SessionId, damaged: Seq) -> usize {
    let (mut count, mut after) = (0, Seq(damaged.0.saturating_sub(1)));
    // The hash that the next is chained to, as it is stored, and as the bytes give it: one of them may be what is damaged.
    let mut before: Vec<Digest> = Vec::new();
    let mut torn: Option<StoredRecord> = None;
    loop {
        // What cannot be read is not whole.
        let Ok(page) = log.read(session, after, PAGE).await else { return count };
        let Some(last) = page.last() else { return count };
        after = last.seq;
        for stored in page {
            let hashes: Vec<Digest> = before.iter().map(|hash| chain(hash, &stored.bytes)).collect();
            let fits = before.is_empty() || hashes.contains(&stored.hash);
            let record = Record::from_bytes(&stored.bytes).ok().filter(|record| record.seq == stored.seq);
            before = hashes.into_iter().chain([stored.hash]).collect();
            before.dedup();
            // One that fits proves what it is chained to.
            if fits {
                before = vec![stored.hash];
            }
            match record {
                _ if stored.seq <= damaged => torn = Some(stored),
                Some(record)
                    if fits && !torn.as_ref().is_some_and(|torn| is_of(&torn.bytes, &record.append)) =>
                {
                    count += 1;
                }
                _ => {}
            }
        }
    }
}
