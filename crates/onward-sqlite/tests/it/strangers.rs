//! Something else where a file or a folder of the store belongs: it is named, never followed, and left as it is.

use std::os::unix::fs::symlink;
use std::path::Path;

use onward_port::{Log, LogError};
use onward_sqlite::{OpenOptions, SqliteStore};

use crate::support::{Bench, create, open, owned, session};

/// A store that was closed in order.
async fn closed() -> tempfile::TempDir {
    let Bench { store, folder } = Bench::new();
    store.create(create(session(1))).await.unwrap();
    store.close();
    folder
}

fn remove(path: &Path) {
    match path.symlink_metadata() {
        Ok(found) if found.is_dir() => std::fs::remove_dir_all(path).unwrap(),
        Ok(_) => std::fs::remove_file(path).unwrap(),
        Err(_) => {}
    }
}

fn assert_named(folder: &Path, name: &str, is: &str) {
    let path = folder.canonicalize().unwrap().join(name);
    let before = path.symlink_metadata().unwrap().file_type();
    let refused = [
        SqliteStore::open(OpenOptions::new(folder)).map(drop).unwrap_err(),
        SqliteStore::open_read_only(folder).map(drop).unwrap_err(),
    ];
    for error in refused {
        let LogError::Corrupt(what) = &error else { panic!("{name}: {error}") };
        assert!(what.starts_with(&format!("{} is {is}, where a", path.display())), "{what}");
    }
    assert_eq!(path.symlink_metadata().unwrap().file_type(), before, "{name}: left alone");
}

#[tokio::test]
async fn a_folder_where_a_file_belongs_is_named() {
    for name in ["onward.db", "onward.db-mark", "onward.db-wal", "onward.db-shm"] {
        let folder = closed().await;
        remove(&folder.path().join(name));
        std::fs::create_dir(folder.path().join(name)).unwrap();
        assert_named(folder.path(), name, "a folder");
    }
}

#[tokio::test]
async fn a_file_where_a_folder_belongs_is_named() {
    for name in ["locks", "blobs", "blobs/tmp", "set-aside"] {
        let folder = closed().await;
        remove(&folder.path().join(name));
        std::fs::write(folder.path().join(name), "").unwrap();
        assert_named(folder.path(), name, "a file");
    }
}

#[tokio::test]
async fn a_link_is_never_followed() {
    let files = ["onward.db", "onward.db-mark", "onward.db-wal", "onward.db-shm"];
    for name in files.into_iter().chain(["locks", "blobs", "blobs/tmp", "set-aside"]) {
        for there in [true, false] {
            let (folder, elsewhere) = (closed().await, tempfile::tempdir().unwrap());
            let (path, target) = (folder.path().join(name), elsewhere.path().join("target"));
            match (there, files.contains(&name)) {
                (true, true) => drop(std::fs::copy(folder.path().join("onward.db"), &target).unwrap()),
                (true, false) => std::fs::create_dir(&target).unwrap(),
                (false, _) => {}
            }
            let content = std::fs::read(&target).ok();
            remove(&path);
            symlink(&target, &path).unwrap();
            assert_named(folder.path(), name, "a symbolic link");
            assert_eq!(std::fs::read(&target).ok(), content, "{name}");
            assert_eq!(
                elsewhere.path().read_dir().unwrap().count(),
                usize::from(there),
                "{name}: nothing was made"
            );
        }
    }
}

#[tokio::test]
async fn what_stands_in_the_place_of_a_lock_is_no_living_owner_and_no_dead_one() {
    let bench = Bench::new();
    let (s, _) = owned(&bench.store, 1).await;
    let lock = bench.path().join("locks").read_dir().unwrap().next().unwrap().unwrap().path();
    let elsewhere = tempfile::tempdir().unwrap();
    for how in ["link", "folder"] {
        let copy = elsewhere.path().join(how);
        crate::ownership::copy(bench.path(), &copy);
        let path = copy.join("locks").join(lock.file_name().unwrap());
        remove(&path);
        match how {
            "link" => symlink(elsewhere.path().join("target"), &path).unwrap(),
            _ => std::fs::create_dir(&path).unwrap(),
        }
        let store = open(&copy);
        let taken = store.acquire(s, "other".into(), crate::support::id("a"), crate::support::now(9)).await;
        let error = taken.unwrap_err();
        assert!(error.to_string().contains("looking at a lock file"), "{how}: {error}");
        assert!(path.symlink_metadata().is_ok() && !elsewhere.path().join("target").exists(), "{how}");
    }
}
