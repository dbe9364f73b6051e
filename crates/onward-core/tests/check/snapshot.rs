//! Stored folds: as good as the log itself, or refused.

use onward_core::{FOLD_VERSION, HistoryPiece, Session};
use onward_event::{Digest, Event, Record};
use serde_json::json;

use crate::env::hash;
use crate::good::{Named, all};
use crate::log::Log;

/// The fold's version, and the digest of everything that it stores about the logs of [`golden`]. When it no longer
/// holds, the fold stores or makes something else than it did: raise [`FOLD_VERSION`], and put both here. Otherwise an
/// older binary's snapshots would be taken for this one's.
const GOLDEN: (u32, &str) = (3, "f4548e00925828c93c368fd4604ab74ea81d007ad75e74707ade64c930ebc63a");

struct Stored {
    state: Vec<u8>,
    pieces: Vec<Vec<u8>>,
}

impl Stored {
    /// Stores a session, the history cut in pieces of so many messages.
    fn new(session: &Session, size: usize) -> Self {
        let starts = (0..session.history().len()).step_by(size);
        let pieces = starts.map(|start| session.snapshot_history(start, size).unwrap()).collect();
        Self { state: session.snapshot_state().unwrap(), pieces }
    }

    fn load(&self) -> Option<Session> {
        let pieces = self.pieces.iter().map(|bytes| HistoryPiece::from_bytes(bytes));
        let pieces = pieces.collect::<Result<Vec<_>, _>>().ok()?;
        Session::from_snapshot(&self.state, pieces).ok()
    }
}

fn logs() -> Vec<Named> {
    all().into_iter().chain([("an input with a number that is hard to write", hard_number())]).collect()
}

/// Logs in which everything occurs that a state can hold; they stay as they are.
fn golden() -> Vec<Log> {
    use crate::good::*;
    vec![
        tools(),
        approval_session(),
        unknown_settled(),
        messages(),
        late_clients(),
        undeliverable(),
        job_found(),
    ]
}

/// The shortest decimals of some numbers are read as their neighbours by a parser that is only nearly right.
fn hard_number() -> Log {
    let mut log = crate::good::tools();
    for record in &mut log.records {
        if let Event::ToolCall(call) = &mut record.event {
            call.input =
                json!({ "n": [31.245270191439438, 0.1, 1e300, 5e-324, 123456789.12345679], "é": null });
        }
    }
    log
}

fn shown(session: &Session) -> String {
    format!("{session:?}")
}

#[test]
fn a_stored_fold_is_the_fold_and_goes_on_like_it() {
    for (name, log) in logs() {
        let whole = shown(&Session::replay(&log.records).unwrap());
        for end in 1..=log.records.len() {
            let session = Session::replay(&log.records[..end]).unwrap();
            for size in [1, 3, 1000] {
                let mut loaded = Stored::new(&session, size).load().unwrap();
                assert_eq!(shown(&loaded), shown(&session), "{name}, record {end}");
                for record in &log.records[end..] {
                    loaded.apply(record).unwrap();
                }
                assert_eq!(shown(&loaded), whole, "{name}, from record {end} on");
            }
        }
    }
}

/// What an owner writes is the state and what the history has more since the last time.
#[test]
fn pieces_that_were_written_on_the_way_make_the_whole_history() {
    for (name, log) in logs() {
        let (mut session, mut pieces, mut stored) =
            (Session::create(&log.records[0]).unwrap(), Vec::new(), 0);
        for record in &log.records[1..] {
            session.apply(record).unwrap();
            if session.history().len() > stored {
                pieces.push(session.snapshot_history(stored, usize::MAX).unwrap());
                stored = session.history().len();
            }
        }
        let stored = Stored { state: session.snapshot_state().unwrap(), pieces };
        assert_eq!(shown(&stored.load().unwrap()), shown(&session), "{name}");
    }
}

#[test]
fn bytes_that_are_cut_or_changed_are_refused_or_read_and_never_a_panic() {
    let log = crate::good::messages();
    let stored = Stored::new(&Session::replay(&log.records).unwrap(), 2);
    for end in 0..stored.state.len() {
        assert!(Session::from_snapshot(&stored.state[..end], []).is_err(), "cut after {end} bytes");
        let mut changed = stored.state.clone();
        changed[end] ^= 0x20;
        let _ = Session::from_snapshot(&changed, []);
    }
    for piece in &stored.pieces {
        for end in 0..piece.len() {
            assert!(HistoryPiece::from_bytes(&piece[..end]).is_err(), "cut after {end} bytes");
        }
    }
    let without = Stored { state: stored.state.clone(), pieces: Vec::new() };
    assert!(without.load().is_none(), "the last request had more messages than are left");
}

#[test]
fn the_fold_has_a_new_version_when_it_stores_something_else() {
    let mut digest = Digest::ZERO;
    for log in golden() {
        for end in ends(&log.records) {
            let session = Session::replay(&log.records[..end]).unwrap();
            digest = hash(&digest, &session.snapshot_state().unwrap());
            digest = hash(&digest, &session.snapshot_history(0, usize::MAX).unwrap());
        }
    }
    assert_eq!((FOLD_VERSION, digest.to_string().as_str()), GOLDEN, "see the comment on GOLDEN");
}

fn ends(records: &[Record]) -> impl Iterator<Item = usize> {
    1..=records.len()
}
