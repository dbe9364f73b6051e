//! Content: small in the database, large in files, verified when it is read.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use onward_port::{Append, Blob, Blobs, Log, LogError, digest};

use crate::support::{Bench, assert_io, client, committed, create, interrupt, open, session, whole};

const LARGE: usize = 256 * 1024 + 1;

#[tokio::test]
async fn content_comes_back_whatever_its_size() {
    let bench = Bench::new();
    bench.store.create(create(session(1))).await.unwrap();
    let blobs: Vec<Blob> =
        [0, 1, 5000, LARGE - 1, LARGE, 2_000_000].map(|size| Blob::new(vec![b'x'; size])).into();
    committed(&bench.store, with(&blobs, "k")).await;
    committed(&bench.store, with(&blobs, "again")).await;
    for blob in &blobs {
        assert_eq!(bench.store.get(blob.hash).await.unwrap().as_ref(), Some(&blob.bytes));
        assert_eq!(path(bench.path(), blob).exists(), blob.bytes.len() >= LARGE);
    }
    assert_eq!(bench.store.get(digest(b"never stored")).await.unwrap(), None);
    let file = path(bench.path(), &blobs[4]);
    assert_eq!(mode(&file), 0o600);
    assert_eq!(mode(file.parent().unwrap()), 0o700);
    assert!(unfinished(bench.path()).is_empty());
    bench.store.close();
    assert_eq!(open(bench.path()).get(blobs[5].hash).await.unwrap().as_ref(), Some(&blobs[5].bytes));
}

#[tokio::test]
async fn the_folder_is_for_its_user_only() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("a/b");
    let _store = open(&folder);
    for part in ["", "locks", "blobs", "blobs/tmp"] {
        assert_eq!(mode(&folder.join(part)), 0o700, "{part}");
    }
}

#[tokio::test]
async fn lost_and_damaged_content_is_named() {
    let bench = Bench::new();
    bench.store.create(create(session(1))).await.unwrap();
    let blobs = [Blob::new(vec![1; LARGE]), Blob::new(vec![2; LARGE]), Blob::new(vec![3; 10])];
    committed(&bench.store, with(&blobs, "k")).await;
    std::fs::remove_file(path(bench.path(), &blobs[0])).unwrap();
    let mut bytes = std::fs::read(path(bench.path(), &blobs[1])).unwrap();
    bytes[77] ^= 1;
    std::fs::write(path(bench.path(), &blobs[1]), &bytes).unwrap();
    let conn = rusqlite::Connection::open(bench.path().join("onward.db")).unwrap();
    conn.execute("UPDATE blobs SET bytes = x'00' WHERE size = 10", []).unwrap();
    for (blob, what) in blobs.iter().zip(["is lost", "not what its digest says", "not what its digest says"])
    {
        let error = bench.store.get(blob.hash).await.unwrap_err();
        assert!(matches!(error, LogError::Corrupt(_)), "{error}");
        let text = error.to_string();
        assert!(text.contains(what) && text.contains(&blob.hash.to_string()), "{text}");
    }
    // Storing the same content again mends the lost file.
    committed(&bench.store, with(&blobs[..1], "k2")).await;
    assert_eq!(bench.store.get(blobs[0].hash).await.unwrap().as_ref(), Some(&blobs[0].bytes));
}

#[tokio::test]
async fn content_that_cannot_be_written_stops_its_append() {
    let bench = Bench::new();
    bench.store.create(create(session(1))).await.unwrap();
    let blob = Blob::new(vec![1; LARGE]);
    let shelf = path(bench.path(), &blob).parent().unwrap().to_owned();
    std::fs::write(&shelf, "in the way").unwrap();
    let error = bench.store.append(with(std::slice::from_ref(&blob), "k")).await.unwrap_err();
    assert_io(&error, &blob.hash.to_string());
    assert_eq!(whole(&bench.store, session(1)).await.len(), 1);
    assert!(unfinished(bench.path()).is_empty(), "nothing unfinished is left");
    std::fs::remove_file(&shelf).unwrap();
    committed(&bench.store, with(&[blob], "k")).await;
}

#[tokio::test]
async fn what_a_killed_process_left_unfinished_is_cleared_away() {
    let bench = Bench::new();
    bench.store.close();
    std::fs::write(bench.path().join("blobs/tmp/0123.lock"), "half").unwrap();
    let _store = open(bench.path());
    assert!(unfinished(bench.path()).is_empty());
}

fn with(blobs: &[Blob], key: &str) -> Append {
    Append { blobs: blobs.to_vec(), ..client(session(1), key, vec![interrupt()]) }
}

fn path(folder: &Path, blob: &Blob) -> PathBuf {
    let name = blob.hash.to_string();
    folder.join("blobs").join(&name[..2]).join(name)
}

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap().permissions().mode() & 0o777
}

fn unfinished(folder: &Path) -> Vec<PathBuf> {
    std::fs::read_dir(folder.join("blobs/tmp")).unwrap().map(|entry| entry.unwrap().path()).collect()
}
