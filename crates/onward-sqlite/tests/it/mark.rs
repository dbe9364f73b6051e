//! The mark beside the database: a log that was cut or damaged after a kill is noticed, and nothing else is.

use std::fs::OpenOptions as File;
use std::path::{Path, PathBuf};

use onward_event::Seq;
use onward_port::{Append, Log, LogError};
use onward_sqlite::{Lost, OpenOptions, SqliteStore};
use tempfile::TempDir;

use crate::ownership::copy;
use crate::support::{Bench, client, committed, create, message, open, session, whole};

const APPENDS: u64 = 20;

/// A store whose writer still lives, so that its log is not moved; all of it synced but the last record.
struct Scene {
    bench: Bench,
    folders: TempDir,
}

fn synced(key: &str) -> Append {
    Append { sync: true, ..client(session(1), key, vec![message("m")]) }
}

impl Scene {
    async fn new() -> Self {
        let bench = Bench::new();
        bench.store.create(create(session(1))).await.unwrap();
        for n in 0..APPENDS {
            committed(&bench.store, synced(&format!("k{n}"))).await;
        }
        let folders = tempfile::tempdir().unwrap();
        copy(bench.path(), &folders.path().join("original"));
        committed(&bench.store, client(session(1), "unsynced", vec![message("m")])).await;
        Self { bench, folders }
    }

    /// What a SIGKILL leaves, with this done to its log.
    fn killed(&self, name: &str, damage: impl FnOnce(&mut Vec<u8>)) -> PathBuf {
        let folder = self.folders.path().join(name);
        copy(self.bench.path(), &folder);
        std::fs::remove_file(folder.join("onward.db-shm")).unwrap();
        let mut log = std::fs::read(folder.join("onward.db-wal")).unwrap();
        damage(&mut log);
        std::fs::write(folder.join("onward.db-wal"), log).unwrap();
        folder
    }

    /// How long the log was when everything in it was on disk.
    fn synced_len(&self) -> usize {
        std::fs::read(self.folders.path().join("original/onward.db-wal")).unwrap().len()
    }
}

fn refusal(folder: &Path) -> LogError {
    SqliteStore::open(OpenOptions::new(folder)).map(drop).unwrap_err()
}

fn accepting(folder: &Path) -> SqliteStore {
    SqliteStore::open(OpenOptions { lost: Lost::Accept, ..OpenOptions::new(folder) }).unwrap()
}

#[tokio::test]
async fn a_log_that_was_cut_or_damaged_anywhere_is_noticed_and_left_as_it_is() {
    let scene = Scene::new().await;
    let len = scene.synced_len();
    for n in 0..12 {
        let at = len * n / 12 + 40;
        for flip in [true, false] {
            let folder = scene.killed(&format!("{n}-{flip}"), |log| match flip {
                true => log[at] ^= 0x10,
                false => log.truncate(at),
            });
            let before = std::fs::read(folder.join("onward.db-wal")).unwrap();
            let LogError::Cut(what) = refusal(&folder) else { panic!("byte {at}, flipped: {flip}") };
            assert!(what.contains(" of 21 groups"), "{what}");
            assert!(
                what.contains("has none of") || what.contains(&format!("21 of {}", session(1))),
                "{what}"
            );
            assert_eq!(std::fs::read(folder.join("onward.db-wal")).unwrap(), before, "{at}");
        }
    }
}

#[tokio::test]
async fn what_is_left_can_be_looked_at_and_nothing_is_added_to_it() {
    let scene = Scene::new().await;
    let folder = scene.killed("cut", |log| log.truncate(log.len() * 2 / 3));
    let store = SqliteStore::open_read_only(&folder).unwrap();
    assert!(matches!(store.whole(), Err(LogError::Cut(_))));
    let left = whole(&store, session(1)).await.len();
    assert!((2..=APPENDS as usize).contains(&left), "{left}");
    assert!(matches!(store.append(synced("more")).await, Err(LogError::Cut(_))));
    store.close();
    assert!(matches!(refusal(&folder), LogError::Cut(_)), "looking accepts nothing");
}

#[tokio::test]
async fn whoever_accepts_the_loss_goes_on_and_keeps_what_was_left_of_the_log() {
    let scene = Scene::new().await;
    let folder = scene.killed("cut", |log| log.truncate(log.len() / 2));
    let cut = std::fs::read(folder.join("onward.db-wal")).unwrap();
    let store = accepting(&folder);
    let left = whole(&store, session(1)).await.len();
    assert_eq!(std::fs::read(folder.join("onward.db-wal.cut")).unwrap(), cut);
    committed(&store, synced("after")).await;
    store.close();
    let again = open(&folder);
    assert_eq!(whole(&again, session(1)).await.len(), left + 1);
    again.close();
    assert!(SqliteStore::open_read_only(&folder).unwrap().whole().is_ok());
}

#[tokio::test]
async fn accepting_where_nothing_is_missing_changes_nothing() {
    let scene = Scene::new().await;
    let folder = scene.killed("whole", |_| {});
    let store = accepting(&folder);
    assert_eq!(whole(&store, session(1)).await.len() as u64, APPENDS + 2);
    assert!(!folder.join("onward.db-wal.cut").exists());
}

#[tokio::test]
async fn a_tail_that_was_never_synced_is_not_missed() {
    let scene = Scene::new().await;
    let len = scene.synced_len();
    let folder = scene.killed("unsynced", |log| log.truncate(len));
    assert_eq!(whole(&open(&folder), session(1)).await.len() as u64, APPENDS + 1);
}

#[tokio::test]
async fn an_old_copy_in_place_of_the_database_is_noticed() {
    let bench = Bench::new();
    bench.store.create(create(session(1))).await.unwrap();
    bench.store.close();
    let path = bench.path().join("onward.db");
    let old = std::fs::read(&path).unwrap();
    let store = open(bench.path());
    committed(&store, synced("later")).await;
    store.close();
    std::fs::write(&path, &old).unwrap();
    assert!(matches!(refusal(bench.path()), LogError::Cut(_)));
    std::fs::remove_file(&path).unwrap();
    let error = refusal(bench.path());
    assert!(matches!(&error, LogError::Corrupt(what) if what.contains("missing or empty")), "{error}");
    // Without its mark it is a store like any other, which is how a person says so by hand.
    std::fs::write(&path, &old).unwrap();
    std::fs::remove_file(bench.path().join("onward.db-mark")).unwrap();
    assert_eq!(open(bench.path()).head(session(1)).await.unwrap().seq, Seq(1));
}

#[tokio::test]
async fn a_copy_without_its_mark_opens_and_gets_a_new_one() {
    let scene = Scene::new().await;
    let folder = scene.killed("moved", |_| {});
    let mark = folder.join("onward.db-mark");
    std::fs::remove_file(&mark).unwrap();
    let store = open(&folder);
    committed(&store, synced("here")).await;
    assert!(std::fs::metadata(&mark).unwrap().len() > 0);
    store.close();
    // One that is damaged says nothing, as one that is not there.
    File::new().write(true).open(&mark).unwrap().set_len(70).unwrap();
    std::fs::write(&mark, [7; 128]).unwrap();
    open(&folder).close();
}

#[tokio::test]
async fn the_mark_of_another_store_says_nothing() {
    let scene = Scene::new().await;
    let other = Bench::new();
    other.store.create(create(session(2))).await.unwrap();
    other.store.close();
    let marked = scene.killed("marked", |_| {}).join("onward.db-mark");
    std::fs::copy(marked, other.path().join("onward.db-mark")).unwrap();
    let store = open(other.path());
    assert_eq!(store.head(session(2)).await.unwrap().seq, Seq(1));
}
