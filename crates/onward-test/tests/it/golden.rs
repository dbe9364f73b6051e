//! Golden logs: what earlier versions wrote, and every later one reads.
//!
//! The files in `golden/` are never edited and never replaced: a change that makes one unreadable, or another thing
//! than it was, is a change that people's own sessions would not survive. New ones are added beside them, by running
//! `cargo test -p onward-test -- --ignored new_golden_logs`; what exists is not overwritten.

use std::io::Write as _;
use std::path::Path;

use onward_core::Session;
use onward_core::check::{CheckEnv, Checked, Rebuilt, check};
use onward_event::{Digest, Event, Record, RequestPrepared, Seq};
use onward_port::chain;
use onward_test::{CrashPlan, PointKind, golden_line, read_golden};

use crate::support::{folder, load, run_within};

/// The golden logs of this version: a name, the scenario, and where its first life ended.
const GOLDEN: &[(&str, &str, CrashPlan)] = &[
    ("approved_as_bound.log", "ask_bound", CrashPlan::Never),
    ("asked_and_left.log", "release_while_asked", CrashPlan::Never),
    ("half_done_and_settled.log", "place_once", CrashPlan::AtFirst(PointKind::ToolDuring)),
    ("interrupted_and_next.log", "interrupt_then_next", CrashPlan::Never),
];

#[test]
fn every_golden_log_is_whole_and_means_what_it_meant() {
    let mut read = 0;
    for entry in std::fs::read_dir(folder("golden")).unwrap() {
        let path = entry.unwrap().path();
        let stored = read_golden(&std::fs::read_to_string(&path).unwrap()).unwrap();
        let mut hash = Digest::ZERO;
        let mut records = Vec::new();
        for one in &stored {
            hash = chain(&hash, &one.bytes);
            assert_eq!(hash, one.hash, "{} record {}", path.display(), one.seq);
            let record = Record::from_bytes(&one.bytes).unwrap();
            assert!(!matches!(record.event, Event::Unknown(_)), "{} record {}", path.display(), one.seq);
            assert_eq!(record.to_bytes().unwrap(), one.bytes, "{} record {}", path.display(), one.seq);
            assert_eq!(record.seq, one.seq);
            records.push(record);
        }
        let session = Session::replay(&records).unwrap();
        let checked = records.iter().zip(&stored);
        let checked = checked.map(|(record, one)| Checked { record, bytes: &one.bytes, hash: one.hash });
        let report = check(checked, &mut Content);
        assert!(report.is_clean(), "{}: {:?}", path.display(), report.violations);
        insta::with_settings!({ snapshot_path => "../../golden_meaning", prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(path.file_stem().unwrap().to_string_lossy().into_owned(), meaning(&session));
        });
        read += 1;
    }
    assert!(read >= GOLDEN.len());
}

/// What a log says in the end.
fn meaning(session: &Session) -> String {
    let history = session.history().iter().map(|message| serde_json::to_string(message).unwrap() + "\n");
    let end = session.last_end().map(|ended| (ended.end.terminal, ended.end.stop, &ended.answer));
    format!(
        "{} records, {end:?}, waits for {:?}\n{}",
        session.head(),
        session.waiting_on(),
        history.collect::<String>()
    )
}

#[test]
fn a_golden_log_that_was_edited_is_noticed() {
    let name = "asked_and_left.log";
    let text = std::fs::read_to_string(folder("golden").join(name)).unwrap();
    let stored = read_golden(&text.replacen("place a", "place b", 1)).unwrap();
    let mut hash = Digest::ZERO;
    let whole = stored.iter().all(|one| {
        hash = chain(&hash, &one.bytes);
        hash == one.hash
    });
    assert!(!whole);
}

#[test]
#[ignore = "adds files: run it by hand when a version brings something worth keeping"]
fn new_golden_logs() {
    for (name, scenario, plan) in GOLDEN {
        let run = run_within(&load(scenario), &[*plan]);
        let mut hash = Digest::ZERO;
        let lines = run.records.into_iter().map(|(mut record, _)| {
            if let Event::SessionCreated(created) = &mut record.event {
                // A golden log names nobody's folder.
                created.workspace.root = "/w".into();
                created.workspace.dir = "/w".into();
            }
            hash = chain(&hash, &record.to_bytes().unwrap());
            golden_line(&record, &hash).unwrap()
        });
        write_new(&folder("golden").join(name), &lines.collect::<String>());
    }
}

fn write_new(path: &Path, text: &str) {
    if let Ok(mut file) = std::fs::File::create_new(path) {
        file.write_all(text.as_bytes()).unwrap();
    }
}

/// A golden log is kept without its content: heads of requests are taken to be there, and requests are not rebuilt.
struct Content;

impl CheckEnv for Content {
    fn chain(&self, before: &Digest, bytes: &[u8]) -> Digest {
        chain(before, bytes)
    }

    fn has_blob(&self, _: &Digest) -> bool {
        true
    }

    fn blob_contains(&self, _: &Digest, _: &[u8]) -> bool {
        false
    }

    fn secrets(&self) -> &[String] {
        &[]
    }

    fn rebuild(&mut self, _: &RequestPrepared, _: Seq) -> Rebuilt {
        Rebuilt::Unverifiable("the content is not kept with the log".into())
    }
}
