//! What a step leaves in the log, against what it said.

use std::path::Path;

use anyhow::Context;
use onward_event::{Event, Record, Seq};
use onward_port::Log as _;
use onward_sqlite::SqliteStore;

use crate::inside;
use crate::report::Row;
use crate::server::Exchange;

/// A hash beside each record.
const HASH: usize = 32;

pub(crate) fn measure(data: &Path, exchanges: &[Exchange]) -> anyhow::Result<Vec<Row>> {
    let steps = inside::block_on(bytes_of_steps(data))?;
    let said = |step: usize| -> Option<usize> {
        exchanges.get(step + 1)?.bytes.checked_sub(exchanges.get(step)?.bytes)
    };
    let last = steps.len().saturating_sub(2);
    // The middle of a few, for a step whose number has a digit more is a byte or two longer.
    let (early, late) = (mean(&steps, 5, 15), mean(&steps, last - 10, last));
    let payload = (last - 10..last).filter_map(said).sum::<usize>() as f64 / 10.0;
    let database = std::fs::metadata(data.join("onward.db")).context("the store cannot be seen")?.len();
    let (ratio, limit) = (late / early, payload + 4096.0);
    Ok(vec![
        Row::new(
            format!("log bytes of a step: around step 10 / around step {last}"),
            format!("{early:.0} / {late:.0}"),
        )
        .at_most("1.2 × those at step 10, and payload + 4 KiB", &[ratio, late], &[1.2, limit]),
        Row::new("payload of such a step: what the next request has more", format!("{payload:.0} bytes")),
        Row::new(
            "database file, for each step of the run",
            format!("{:.0} bytes", database as f64 / steps.len().max(1) as f64),
        ),
    ])
}

/// Bytes of the records from each `step/start` to the next.
async fn bytes_of_steps(data: &Path) -> anyhow::Result<Vec<usize>> {
    let store = SqliteStore::open_read_only(data)?;
    let session = store.sessions().await?.first().context("the run left no session")?.session;
    let mut steps = Vec::new();
    for stored in store.read(session, Seq(0), usize::MAX).await? {
        let record = Record::from_bytes(&stored.bytes)?;
        if matches!(record.event, Event::StepStart(_)) {
            steps.push(0);
        }
        if let Some(bytes) = steps.last_mut() {
            *bytes += stored.bytes.len() + HASH;
        }
    }
    Ok(steps)
}

fn mean(values: &[usize], from: usize, to: usize) -> f64 {
    let some = values.get(from..to).unwrap_or_default();
    some.iter().sum::<usize>() as f64 / some.len().max(1) as f64
}
