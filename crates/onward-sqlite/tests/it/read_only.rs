//! A store where nothing can be written: writing is refused with the reason, looking is possible.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use onward_event::Seq;
use onward_port::{Blob, Blobs, Log, LogError, OwnerState, SideChunk};
use onward_sqlite::{OpenOptions, SqliteStore};

use crate::not_tested::not_tested;
use crate::support::{Bench, client, committed, create, id, interrupt, now, open, owned, session, whole};

#[tokio::test]
async fn a_store_is_looked_at_where_nothing_can_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("store # 1?");
    let blob = Blob::new(vec![1; 300_000]);
    {
        let store = open(&inner);
        owned(&store, 1).await;
        let mut append = client(session(1), "k", vec![interrupt()]);
        append.blobs.push(blob.clone());
        committed(&store, append).await;
    }
    let Some(frozen) = Frozen::freeze(&inner) else { return };
    let refused = SqliteStore::open(OpenOptions::new(frozen.path())).map(drop).unwrap_err();
    assert!(matches!(refused, LogError::ReadOnly { .. }), "{refused}");

    let store = SqliteStore::open_read_only(frozen.path()).unwrap();
    assert_eq!(whole(&store, session(1)).await.len(), 3);
    assert_eq!(store.get(blob.hash).await.unwrap(), Some(blob.bytes));
    assert_eq!(store.sessions().await.unwrap()[0].owner, OwnerState::Orphaned { owner: "tester".into() });
    refuses_to_write(&store).await;
}

#[tokio::test]
async fn whoever_only_looks_sees_what_a_living_writer_appends() {
    let bench = Bench::new();
    let (session, head) = owned(&bench.store, 1).await;
    let store = SqliteStore::open_read_only(bench.path()).unwrap();
    refuses_to_write(&store).await;
    let waiting = tokio::spawn({
        let store = store.clone();
        async move { store.changed(session, head.seq).await }
    });
    tokio::task::yield_now().await;
    committed(&bench.store, client(session, "k", vec![interrupt()])).await;
    waiting.await.unwrap();
    assert_eq!(whole(&store, session).await.len(), 3);
}

#[test]
fn there_must_be_something_to_look_at() {
    let folder = tempfile::tempdir().unwrap();
    assert!(SqliteStore::open_read_only(&folder.path().join("missing")).is_err());
    assert!(SqliteStore::open_read_only(folder.path()).is_err());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "looking makes nothing");
}

async fn refuses_to_write(store: &SqliteStore) {
    let s = session(1);
    let chunk = SideChunk { n: 0, text: "x".into() };
    let errors = [
        store.create(create(session(2))).await.unwrap_err(),
        store.append(client(s, "new", vec![interrupt()])).await.unwrap_err(),
        store.acquire(s, "me".into(), id("a"), now(0)).await.unwrap_err(),
        store.put_side(s, "a".into(), chunk).await.unwrap_err(),
        store.sync(s, Seq(1)).await.unwrap_err(),
    ];
    for error in errors {
        assert!(matches!(error, LogError::ReadOnly { .. }), "{error}");
    }
}

/// A folder that cannot be written: by its permissions, or for root, whom those do not bind, by a read-only mount.
enum Frozen {
    Permissions(PathBuf),
    Mount(tempfile::TempDir),
}

impl Frozen {
    fn freeze(folder: &Path) -> Option<Self> {
        set_mode(folder, 0o500);
        if std::fs::write(folder.join("probe"), "").is_err() {
            set_mode(&folder.join("onward.db"), 0o400);
            return Some(Self::Permissions(folder.to_owned()));
        }
        std::fs::remove_file(folder.join("probe")).unwrap();
        let mount = tempfile::tempdir().unwrap();
        let bound = run(Command::new("mount").arg("--bind").arg(folder).arg(mount.path()));
        let frozen = Self::Mount(mount);
        let sealed = bound
            .and_then(|()| run(Command::new("mount").args(["-o", "remount,ro,bind"]).arg(frozen.path())));
        match sealed {
            Ok(()) => Some(frozen),
            Err(why) => {
                not_tested("a store on a read-only file system", &why);
                None
            }
        }
    }

    fn path(&self) -> &Path {
        match self {
            Self::Permissions(path) => path,
            Self::Mount(folder) => folder.path(),
        }
    }
}

impl Drop for Frozen {
    fn drop(&mut self) {
        match self {
            Self::Permissions(path) => set_mode(path, 0o700),
            Self::Mount(folder) => {
                let _ = Command::new("umount").arg("-l").arg(folder.path()).output();
            }
        }
    }
}

fn set_mode(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

fn run(command: &mut Command) -> Result<(), String> {
    match command.output() {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => Err(String::from_utf8_lossy(&output.stderr).trim().to_owned()),
        Err(error) => Err(error.to_string()),
    }
}
