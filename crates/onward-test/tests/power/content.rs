//! Content that is too large for the database is a file beside it, and so not on the disk that forgets. What is tested
//! here is the order in which it is put on a real one: `strace` says what was synced, and when.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use onward_event::{AppendId, SessionId};
use onward_port::{Append, Blob, Expect, Log};
use onward_sqlite::{OpenOptions, SqliteStore};
use onward_test::power::Chance;

use crate::events::{append, create, message};

/// Where the child makes its store. Without it, it is no child.
const FOLDER: &str = "ONWARD_POWER_FOLDER";

#[test]
fn large_content_and_every_name_that_leads_to_it_is_on_disk_before_the_append_is() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().canonicalize().unwrap().join("store");
    let Some(trace) = traced(folder.path(), &store) else {
        return onward_test::not_tested("large content", "strace is not installed or may not trace here");
    };
    let digest = blob().hash.to_string();
    let shelf = store.join("blobs").join(&digest[..2]);
    let named = position(&trace, |event| matches!(event, Event::Renamed(to) if *to == shelf.join(&digest)));
    let content =
        |event: &Event| matches!(event, Event::Synced(path) if path.starts_with(store.join("blobs/tmp")));
    assert!(position(&trace, content) < named, "the content is synced before it gets its name: {trace:?}");
    let log = store.join("onward.db-wal");
    let appended = trace.iter().rposition(|event| event.synced(&log)).unwrap();
    for name in [&shelf, &store.join("blobs"), &store] {
        let after = trace.get(named..appended).unwrap_or_default();
        assert!(
            after.iter().any(|event| event.synced(name)),
            "{} is not synced in time: {trace:?}",
            name.display()
        );
    }
}

/// What the child does; nothing when it is run as a test.
#[test]
fn child() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let session = SessionId::from_bits(1);
    let mut chance = Chance::new(1);
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        let store = SqliteStore::open(OpenOptions::new(PathBuf::from(folder))).unwrap();
        store.create(create(session, AppendId("create".into()), Vec::new())).await.unwrap();
        let events = vec![message(&mut chance)];
        let large = append(session, Expect::Any, AppendId("large".into()), events);
        store.append(Append { blobs: vec![blob()], ..large }).await.unwrap();
        // Without closing it: that would sync the log once more.
        std::process::exit(0);
    });
}

#[derive(Debug)]
enum Event {
    Synced(PathBuf),
    /// To this name.
    Renamed(PathBuf),
}

impl Event {
    fn synced(&self, path: &Path) -> bool {
        matches!(self, Self::Synced(synced) if synced == path)
    }
}

fn blob() -> Blob {
    Blob::new(vec![7; 300_000])
}

fn position(trace: &[Event], is_it: impl Fn(&Event) -> bool) -> usize {
    trace.iter().position(is_it).unwrap_or_else(|| panic!("it never happened: {trace:?}"))
}

/// Runs the child; what it synced and renamed, in order. `None` when it cannot be traced here.
fn traced(folder: &Path, store: &Path) -> Option<Vec<Event>> {
    let output = folder.join("trace");
    let status = Command::new("strace")
        .args([
            "-f",
            "-y",
            "-qq",
            "-s",
            "4096",
            "-e",
            "trace=fsync,fdatasync,rename,renameat,renameat2",
            "-o",
        ])
        .arg(&output)
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "content::child"])
        .env(FOLDER, store)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .ok()?;
    let trace = std::fs::read_to_string(output).ok()?;
    // One that may not trace leaves no trace at all, and a child that failed left too little of it.
    (status.success() && !trace.is_empty()).then(|| trace.lines().filter_map(event).collect())
}

/// A line of the trace. A call that took so long that another came in between has two: it counts where it began, which
/// is right for all that is asked here, because each of them is waited for before the next begins.
fn event(line: &str) -> Option<Event> {
    let (_, call) = line.split_once(' ')?;
    let call = call.trim_start();
    if call.starts_with("fsync(") || call.starts_with("fdatasync(") {
        let (_, path) = call.split_once('<')?;
        return Some(Event::Synced(path.split_once('>')?.0.into()));
    }
    if call.starts_with("rename") {
        return call.split('"').nth(3).map(|to| Event::Renamed(to.into()));
    }
    None
}
