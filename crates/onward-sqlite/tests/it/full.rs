//! No room: nothing is recorded, the error says so, and the same handle goes on when there is room again.

use std::path::Path;
use std::process::Command;

use onward_event::Seq;
use onward_port::{Append, Appended, Blob, Log, LogError, SideChunk};
use onward_sqlite::{OpenOptions, SqliteStore};

use crate::not_tested::not_tested;
use crate::support::{client, committed, create, interrupt, message, open, session, whole};

#[tokio::test]
async fn an_append_that_does_not_fit_fails_alone_and_fits_when_there_is_room() {
    let folder = tempfile::tempdir().unwrap();
    let options = OpenOptions { max_bytes: Some(1024 * 1024), ..OpenOptions::new(folder.path()) };
    let store = SqliteStore::open(options).unwrap();
    let s = session(1);
    store.create(create(s)).await.unwrap();
    store.create(create(session(2))).await.unwrap();
    // Takes more than half of the room, until its scope ends.
    let filler = SideChunk { n: 0, text: "x".repeat(600_000) };
    store.put_side(s, "filler".into(), filler).await.unwrap();
    crate::side::until(&store, s, "filler", 1).await;

    let large = client(s, "large", vec![message(&"y".repeat(600_000))]);
    // In one group with others, which are not to suffer.
    let (first, small, other) = tokio::join!(
        store.append(large.clone()),
        store.append(client(s, "small", vec![interrupt()])),
        store.append(client(session(2), "small", vec![interrupt()])),
    );
    assert_full(&first.unwrap_err(), folder.path());
    assert!(matches!(small, Ok(Appended::Committed { first: Seq(2), .. })), "{small:?}");
    assert!(matches!(other, Ok(Appended::Committed { first: Seq(2), .. })), "{other:?}");
    for sync in [true, false] {
        let error = store.append(Append { sync, ..large.clone() }).await.unwrap_err();
        assert_full(&error, folder.path());
    }
    assert_eq!(whole(&store, s).await.len(), 2);

    let ends = Append { ends_side: vec!["filler".into()], ..client(s, "ends", vec![interrupt()]) };
    committed(&store, ends).await;
    assert_eq!(committed(&store, large.clone()).await.0, Seq(4));
    assert_eq!(committed(&store, large).await.0, Seq(4));
    assert_eq!(whole(&store, s).await.len(), 4);
}

#[tokio::test]
async fn side_streams_that_do_not_fit_take_no_append_with_them() {
    let folder = tempfile::tempdir().unwrap();
    let options = OpenOptions { max_bytes: Some(512 * 1024), ..OpenOptions::new(folder.path()) };
    let store = SqliteStore::open(options).unwrap();
    store.create(create(session(1))).await.unwrap();
    let chunk = SideChunk { n: 0, text: "x".repeat(800_000) };
    let (put, appended) = tokio::join!(
        store.put_side(session(1), "a".into(), chunk),
        store.append(client(session(1), "k", vec![interrupt()])),
    );
    put.unwrap();
    assert!(matches!(appended, Ok(Appended::Committed { .. })), "{appended:?}");
    assert_eq!(whole(&store, session(1)).await.len(), 2);
}

#[tokio::test]
async fn a_full_disk_is_survived() {
    let Some(disk) = SmallDisk::mount() else { return };
    let ballast = disk.path().join("ballast");
    std::fs::write(&ballast, vec![1; 1024 * 1024]).unwrap();
    let store = open(&disk.path().join("store"));
    let s = session(1);
    store.create(create(s)).await.unwrap();
    let mut stored = 1;
    let (append, error) = loop {
        let append =
            Append { sync: true, ..client(s, &format!("k{stored}"), vec![message(&"z".repeat(20_000))]) };
        match store.append(append.clone()).await {
            Ok(_) => stored += 1,
            Err(error) => break (append, error),
        }
        assert!(stored < 1000, "a disk of 4 MiB is full before this");
    };
    assert!(stored > 5, "the first appends fit");
    assert_full(&error, disk.path());
    assert_eq!(whole(&store, s).await.len(), stored);

    let blob = Blob::new(vec![5; 3 * 1024 * 1024]);
    let with_blob = Append { blobs: vec![blob], ..client(s, "blob", vec![interrupt()]) };
    assert_full(&store.append(with_blob).await.unwrap_err(), disk.path());
    let left = std::fs::read_dir(disk.path().join("store/blobs/tmp")).unwrap().count();
    assert_eq!(left, 0, "nothing unfinished is left");

    std::fs::remove_file(&ballast).unwrap();
    let (first, _) = committed(&store, append.clone()).await;
    assert_eq!(first, Seq(stored as u64 + 1));
    assert_eq!(committed(&store, append).await.0, first);
    store.close();
    let store = open(&disk.path().join("store"));
    assert_eq!(whole(&store, s).await.len(), stored + 1);
}

fn assert_full(error: &LogError, within: &Path) {
    let LogError::Full { path, .. } = error else { panic!("not full, but: {error}") };
    assert!(Path::new(path).starts_with(within.canonicalize().unwrap()), "{path}");
}

/// A disk of 4 MiB; only root can have one.
struct SmallDisk(tempfile::TempDir);

impl SmallDisk {
    fn mount() -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=4m", "tmpfs"]).arg(folder.path());
        match mount.output() {
            Ok(output) if output.status.success() => Some(Self(folder)),
            Ok(output) => {
                not_tested("a full disk", String::from_utf8_lossy(&output.stderr).trim());
                None
            }
            Err(error) => {
                not_tested("a full disk", &error.to_string());
                None
            }
        }
    }

    fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // Lazily: the store of a failing test may still be open.
        let _ = Command::new("umount").arg("-l").arg(self.0.path()).status();
    }
}
