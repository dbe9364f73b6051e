//! An append of which the owner does not learn whether it was committed: it is sent again as it was, under the same name
//! and with the same ids. Drawn anew, it would be taken for the one that the log has, and the owner would go on from
//! ids that the log knows nothing of.

use std::sync::{Arc, Mutex};

use onward_core::Session;
use onward_event::{AppendId, Event, Part, Seq, Target};
use onward_port::{Append, Appended, BoxFuture, Expect, ForwardLog, Log, LogError};
use onward_runtime::{GivenBack, Live, Owner, Quiet, RuntimeConfig, check_session, load_records};
use onward_sqlite::SqliteStore;

use crate::stored_fold::World;

/// Whether what fails was committed before it did.
#[derive(Clone, Copy, Debug)]
enum Committed {
    Yes,
    No,
}

/// A log that fails the first try of every append of the owner, and does not say how it ended.
struct Doubtful {
    inner: SqliteStore,
    committed: Committed,
    tries: Mutex<Vec<(AppendId, Vec<Event>)>>,
}

impl Doubtful {
    /// Notes a try; whether it is the first.
    fn note(&self, append: &Append) -> bool {
        let mut tries = self.tries.lock().unwrap();
        let first = tries.iter().all(|(id, _)| *id != append.id);
        tries.push((append.id.clone(), append.events.clone()));
        first
    }
}

impl ForwardLog for Doubtful {
    fn inner(&self) -> &dyn Log {
        &self.inner
    }

    fn append(&self, append: Append) -> BoxFuture<'_, Result<Appended, LogError>> {
        let by_owner = matches!(append.expect, Expect::Head { .. });
        if !by_owner || !self.note(&append) {
            return self.inner.append(append);
        }
        Box::pin(async move {
            if let Committed::Yes = self.committed {
                self.inner.append(append).await?;
            }
            Err(LogError::Ambiguous("the connection was lost".into()))
        })
    }
}

async fn every_append_in_doubt(committed: Committed) {
    let world = World::new();
    let process = world.process("Done.");
    let session = process.client.create(World::spec(), world.workspace()).await.unwrap();
    process.client.send(session, vec![Part::text("do it")], Target::NextTurn, true).await.unwrap();
    let log = Arc::new(Doubtful { inner: process.store.clone(), committed, tries: Mutex::default() });
    let ports = onward_runtime::Ports { log: log.clone(), ..process.ports.clone() };
    let config =
        RuntimeConfig { stall_pause: std::time::Duration::from_millis(1), ..RuntimeConfig::default() };
    let mut owner = Owner::acquire(ports, config, session, Live::new()).await.unwrap();
    assert_eq!(owner.drive().await.unwrap(), Quiet::Idle);

    let tries = std::mem::take(&mut *log.tries.lock().unwrap());
    assert!(tries.len() >= 4, "a turn takes several appends, each sent twice: {tries:?}");
    for pair in tries.chunks(2) {
        let [first, second] = pair else { panic!("{committed:?}: {pair:?} was not sent again") };
        assert_eq!(first, second, "{committed:?}: what is sent again is what was sent");
    }
    // The owner's state is the fold of what the log has.
    let records = load_records(&process.store, session, Seq(0)).await.unwrap();
    let replayed = Session::replay(records.iter().map(|(record, _)| record)).unwrap();
    assert_eq!(format!("{:?}", owner.session()), format!("{replayed:?}"), "{committed:?}");
    let sent: usize = tries.iter().step_by(2).map(|(_, events)| events.len()).sum();
    let owned = records.iter().filter(|(record, _)| record.epoch.is_some()).count();
    assert_eq!(owned, sent + 1, "{committed:?}: beside the taking over, each event is there once");
    assert!(matches!(owner.release().await.unwrap(), GivenBack::Done));
    let report = check_session(&process.ports, session, Vec::new()).await.unwrap();
    assert!(report.is_clean(), "{committed:?}: {:?}", report.violations);
    process.store.close();
}

#[tokio::test]
async fn what_was_committed_and_not_acknowledged_is_sent_again_as_it_was() {
    every_append_in_doubt(Committed::Yes).await;
}

#[tokio::test]
async fn what_was_not_committed_and_not_refused_is_sent_again_as_it_was() {
    every_append_in_doubt(Committed::No).await;
}
