//! Storing the fold, so that the next owner need not read the whole log: a cache, and never in anybody's way.

use super::Owner;

impl Owner {
    /// Hands a snapshot to the store when enough was added since the last one. To be called at rest.
    pub(super) async fn store_snapshot(&mut self) {
        let head = self.session.head();
        if head.0.saturating_sub(self.snapshot.head().seq.0) < self.config.snapshot_every {
            return;
        }
        // Whatever goes wrong here is no matter of the session: without a snapshot, it is opened more slowly.
        let Ok(at) = self.ports.log.head(self.id).await else { return };
        if at.seq != head {
            return;
        }
        if let Some(put) = self.snapshot.next(&self.session, at) {
            let _ = self.ports.log.put_snapshot(put).await;
        }
    }
}
