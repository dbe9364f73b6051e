//! Up to where each session is known to be on disk.
//!
//! A sync puts on disk everything that was committed before it, whatever session it was for. So it is enough to number
//! the commits of this process and to remember the number of the last one that was synced. What other processes
//! commit is not known here; asking for it costs one sync.

use std::collections::BTreeMap;
use std::sync::Mutex;

use onward_event::{Seq, SessionId};

use crate::sync::lock;

/// So many sessions are remembered before those that are wholly on disk are forgotten, which costs each of them one
/// sync at most.
const SESSIONS: usize = 4096;

/// The marks.
#[derive(Default)]
pub(crate) struct Watermarks(Mutex<State>);

#[derive(Default)]
struct State {
    commit: u64,
    synced: u64,
    marks: BTreeMap<SessionId, Mark>,
}

struct Mark {
    /// The session's last record that was committed here, and by which commit.
    last: Seq,
    commit: u64,
    /// Up to here it is on disk even if that commit is not.
    synced: Seq,
}

impl Watermarks {
    /// Whether this record is known to be on disk.
    pub(crate) fn covers(&self, session: SessionId, seq: Seq) -> bool {
        let state = lock(&self.0);
        state
            .marks
            .get(&session)
            .is_some_and(|mark| seq <= mark.synced || (seq <= mark.last && mark.commit <= state.synced))
    }

    /// A group was committed with these heads; `synced` when it was put on disk.
    pub(crate) fn committed(&self, heads: impl IntoIterator<Item = (SessionId, Seq)>, synced: bool) {
        let mut state = lock(&self.0);
        state.commit += 1;
        let State { commit, synced: through, marks } = &mut *state;
        for (session, seq) in heads {
            let mark = marks.entry(session).or_insert(Mark { last: Seq(0), commit: 0, synced: Seq(0) });
            if mark.commit <= *through {
                mark.synced = mark.last;
            }
            mark.last = mark.last.max(seq);
            mark.commit = *commit;
        }
        if synced {
            *through = *commit;
        }
        if marks.len() > SESSIONS {
            marks.retain(|_, mark| mark.commit > *through);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sync_covers_all_that_came_before_it_and_nothing_after() {
        let (a, b) = (SessionId::from_bits(1), SessionId::from_bits(2));
        let marks = Watermarks::default();
        assert!(!marks.covers(a, Seq(0)));
        marks.committed([(a, Seq(3))], false);
        assert!(!marks.covers(a, Seq(3)));
        marks.committed([(b, Seq(1))], true);
        assert!(marks.covers(a, Seq(3)) && marks.covers(b, Seq(1)));
        marks.committed([(a, Seq(5))], false);
        assert!(marks.covers(a, Seq(3)) && !marks.covers(a, Seq(4)) && marks.covers(b, Seq(1)));
        // An answer that repeats an earlier append does not move the mark back.
        marks.committed([(a, Seq(2))], false);
        assert!(marks.covers(a, Seq(3)) && !marks.covers(a, Seq(5)));
        marks.committed([], true);
        assert!(marks.covers(a, Seq(5)) && !marks.covers(a, Seq(6)));
    }
}
