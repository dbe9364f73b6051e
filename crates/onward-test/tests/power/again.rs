//! What is done with a store after a loss of power: it goes on, and nothing is there twice.

use anyhow::{Context, Result, bail, ensure};
use onward_event::{Epoch, Seq, SessionId};
use onward_port::{Append, Appended, Log};

use crate::truth::Expected;
use crate::user::{Known, User};

impl User<'_> {
    /// Goes on with one of the sessions that survived: repeats what clients sent, takes it over, and appends to it.
    /// When there is none, begins one.
    pub(crate) async fn go_on(&mut self, expected: &Expected<'_>) -> Result<()> {
        for summary in self.store.sessions().await? {
            self.known.insert(summary.session, Known { head: summary.head.seq, ..Known::default() });
        }
        let Some(session) = self.any_session() else { return self.create().await };
        self.repeat_clients(session, expected).await?;
        self.take_over(session, expected).await?;
        let append = self.owners(session, true).context("the session is owned")?;
        self.appended(append).await
    }

    /// A client that was not answered sends again: what survived is not appended twice, what did not is appended.
    async fn repeat_clients(&mut self, session: SessionId, expected: &Expected<'_>) -> Result<()> {
        let end = self.head(session);
        let (survived, lost): (Vec<_>, Vec<_>) =
            expected.clients(session).into_iter().partition(|(first, _)| *first <= end);
        // The nearest to where the power failed.
        for (first, append) in survived.last().into_iter().chain(lost.first()) {
            let head = self.head(session);
            let right = if *first <= end { *first } else { head.next() };
            self.repeat(append, right).await?;
            let grown = self.store.head(session).await?.seq != head;
            ensure!(grown == (*first > end), "append {:?} is there twice, or not at all", append.id.0);
        }
        Ok(())
    }

    /// Answered, an append is on disk, now at the latest; but only what is before its end.
    async fn repeat(&mut self, append: &Append, right: Seq) -> Result<()> {
        let append = self.remember(append.clone());
        let (session, id) = (append.session, append.id.clone());
        let Appended::Committed { first, head } = self.store.append(append).await? else {
            bail!("append {:?} of a client met a conflict", id.0)
        };
        ensure!(first == right, "append {:?} is at {first} now, not at {right}", id.0);
        self.promise(session, head.seq);
        self.known.entry(session).or_default().head = self.head(session).max(head.seq);
        Ok(())
    }

    async fn take_over(&mut self, session: SessionId, expected: &Expected<'_>) -> Result<()> {
        let stored = self.store.read(session, Seq(0), usize::MAX).await?;
        let survived = expected.log(session).iter().take_while(|entry| stored.contains(&entry.stored));
        let before = survived.filter_map(|entry| entry.acquired).max().unwrap_or_default();
        let epoch = self.acquire(session).await.with_context(|| format!("taking over {session}"))?;
        ensure!(epoch == Epoch(before.0 + 1), "{session}: epoch {epoch:?} follows {before:?}");
        Ok(())
    }
}
