//! A second process: this test binary started again with a role in its environment.

use std::io::{BufRead, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

use onward_event::{Epoch, Seq, SessionId};
use onward_port::{Append, Appended, Log, LogError};
use onward_sqlite::{OpenOptions, SqliteStore};

use crate::support::{
    client, committed, create, id, interrupt, message, notice, now, open, owner, session, whole,
};

const ROLE: &str = "ONWARD_SQLITE_TEST_ROLE";
const FOLDER: &str = "ONWARD_SQLITE_TEST_FOLDER";

/// A fault that strikes once is over after so many tries.
const TRIES: usize = 4;

/// Marks what a child says, among what the test harness prints.
const MARK: &str = "@@";

/// The other process.
pub(crate) struct Other {
    process: Child,
    said: BufReader<ChildStdout>,
}

impl Other {
    /// Starts it in a role, see [`child_process`], on a store's folder.
    pub(crate) fn start(role: &str, folder: &Path) -> Self {
        let mut process = command(role, folder).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let said = BufReader::new(process.stdout.take().unwrap());
        Self { process, said }
    }

    /// Waits for the next thing that it says.
    pub(crate) fn says(&mut self) -> String {
        let mut line = String::new();
        loop {
            line.clear();
            assert_ne!(self.said.read_line(&mut line).unwrap(), 0, "the other process ended without a word");
            if let Some((_, said)) = line.split_once(MARK) {
                return said.trim().to_owned();
            }
        }
    }

    /// SIGKILL; returns when it is dead.
    pub(crate) fn kill(mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    /// Lets it end in order.
    pub(crate) fn finish(mut self) {
        drop(self.process.stdin.take());
        assert!(self.process.wait().unwrap().success());
    }
}

/// The command that starts this binary in a role.
pub(crate) fn command(role: &str, folder: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "child::child_process", "--nocapture"]).env(ROLE, role).env(FOLDER, folder);
    command
}

/// Does nothing unless it was started by [`Other::start`] or [`command`].
#[test]
fn child_process() {
    let (Ok(role), Ok(folder)) = (std::env::var(ROLE), std::env::var(FOLDER)) else { return };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(play(&role, Path::new(&folder)));
}

async fn play(role: &str, folder: &Path) {
    let mut words = role.split(' ');
    match (words.next().unwrap(), words.next()) {
        ("own", None) => own(folder).await,
        ("send", Some(key)) => {
            let store = open(folder);
            committed(&store, client(session(1), key, vec![message("from another process")])).await;
        }
        ("send-many", Some(key)) => {
            let store = open(folder);
            for n in 0..50 {
                committed(&store, client(session(1), &format!("{key}-{n}"), vec![interrupt()])).await;
            }
        }
        ("create", Some(n)) => {
            let store = open(folder);
            store.create(create(session(n.parse().unwrap()))).await.unwrap();
        }
        ("faulty", None) => faulty(folder).await,
        ("synced", Some(count)) => append_many(folder, count.parse().unwrap(), true).await,
        ("unsynced", Some(count)) => append_many(folder, count.parse().unwrap(), false).await,
        other => panic!("no such role: {other:?}"),
    }
}

/// Owns session 1 until it is killed or its input ends.
async fn own(folder: &Path) {
    let store = open(folder);
    let epoch = store.acquire(session(1), "the other".into(), id("other"), now(3)).await.unwrap();
    say(&format!("owned {}", epoch.0));
    let mut nothing = String::new();
    let _ = std::io::stdin().read_line(&mut nothing);
}

/// The same work whatever the count, but for the appends themselves.
async fn append_many(folder: &Path, count: usize, sync: bool) {
    let store = open(folder);
    store.create(create(session(1))).await.unwrap();
    for n in 0..count {
        let append = client(session(1), &format!("k{n}"), vec![interrupt()]);
        let (_, head) = committed(&store, Append { sync, ..append }).await;
        if sync {
            // Already on disk: costs nothing.
            store.sync(session(1), head.seq).await.unwrap();
            store.sync(session(1), Seq(1)).await.unwrap();
        }
    }
    say("done");
}

/// Appends while something may fail, and checks each answer against the log.
async fn faulty(folder: &Path) {
    let mut store = SqliteStore::open(OpenOptions::new(folder));
    if let Err(error) = &store {
        say(&format!("failed {error}"));
        store = SqliteStore::open(OpenOptions::new(folder));
    }
    let store = store.unwrap();
    let s = session(1);
    let mut epoch = None;
    for _ in 0..TRIES {
        match create_and_acquire(&store, s).await {
            Ok(taken) => {
                epoch = Some(taken.0);
                break;
            }
            Err(error) => say(&format!("failed {error}")),
        }
    }
    let epoch = epoch.unwrap();
    for n in 0..4 {
        let append = client(s, &format!("client-{n}"), vec![interrupt()]);
        insist(&store, Append { sync: true, ..append }).await;
        let head = store.head(s).await.unwrap();
        let append = owner(s, head.seq, epoch, &format!("owner-{n}"), vec![notice("n")]);
        insist(&store, Append { sync: n % 2 == 0, ..append }).await;
    }
    whole(&store, s).await;
    say("done");
}

async fn create_and_acquire(store: &SqliteStore, s: SessionId) -> Result<Epoch, LogError> {
    store.create(create(s)).await?;
    store.acquire(s, "faulty".into(), id("acquire"), now(1)).await
}

/// Appends the same until it is in the log. An error that claims that it is not must be right.
async fn insist(store: &SqliteStore, append: Append) {
    for _ in 0..TRIES {
        let answer = store.append(append.clone()).await;
        let is_there = whole(store, append.session).await.iter().any(|record| record.append == append.id);
        match answer {
            Ok(Appended::Committed { .. }) => {
                assert!(is_there);
                return say(&format!("acknowledged {}", append.id.0));
            }
            Ok(Appended::Conflict { .. }) => panic!("nobody else appends"),
            Err(error) => {
                say(&format!("failed {error}"));
                assert!(!is_there || matches!(error, LogError::Ambiguous(_)), "{error}");
            }
        }
    }
    panic!("{} does not get through", append.id.0);
}

fn say(what: &str) {
    println!("\n{MARK} {what}");
    std::io::stdout().flush().unwrap();
}
