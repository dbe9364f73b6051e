//! SQLite itself on the disk: it works there as it does elsewhere, and keeps what it was told to sync.

use std::collections::BTreeSet;

use onward_test::power::{Image, Machine};
use rusqlite::{Connection, ErrorCode};

const DATABASE: &str = "plain.db";

#[test]
fn connections_share_a_database_in_wal_mode_and_see_each_other() {
    let machine = Machine::new().unwrap();
    let first = table(&machine, "WAL", "FULL");
    let second = machine.connect(DATABASE).unwrap();
    for n in 0..50 {
        let (write, read) = if n % 2 == 0 { (&first, &second) } else { (&second, &first) };
        insert(write, n);
        assert_eq!(rows(read).len(), n as usize + 1);
    }
    first.execute_batch("BEGIN IMMEDIATE").unwrap();
    let busy = second.execute_batch("BEGIN IMMEDIATE").unwrap_err();
    assert_eq!(busy.sqlite_error_code(), Some(ErrorCode::DatabaseBusy));
    first.execute_batch("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    assert_eq!(rows(&second).len(), 50);
    assert!(whole(&second));
    drop((first, second));
    // The last connection has moved the log into the database.
    let left: Vec<String> = machine.disk().listing().into_iter().map(|(name, _)| name.to_string()).collect();
    assert_eq!(left, [DATABASE]);
    assert_eq!(rows(&machine.connect(DATABASE).unwrap()).len(), 50);
}

#[test]
fn threads_that_write_at_once_lose_nothing() {
    let machine = Machine::new().unwrap();
    drop(table(&machine, "WAL", "NORMAL"));
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let machine = &machine;
            scope.spawn(move || {
                let conn = machine.connect(DATABASE).unwrap();
                conn.busy_timeout(std::time::Duration::from_secs(60)).unwrap();
                for n in 0..40 {
                    insert(&conn, thread * 1000 + n);
                    if n % 10 == 0 {
                        conn.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(())).unwrap();
                    }
                }
            });
        }
    });
    let conn = machine.connect(DATABASE).unwrap();
    assert_eq!(rows(&conn).len(), 160);
    assert!(whole(&conn));
}

#[test]
fn what_sqlite_synced_survives_in_both_kinds_of_journal() {
    // Where a commit is the absence of a journal, only `EXTRA` syncs the folder that no longer has it.
    for (journal, synchronous) in [("WAL", "FULL"), ("DELETE", "EXTRA")] {
        let mut machine = Machine::new().unwrap();
        let lost = cut_everywhere(&mut machine, journal, synchronous);
        assert_eq!(lost, Vec::<String>::new(), "{journal}");
    }
}

#[test]
fn what_sqlite_did_not_sync_is_lost_at_times() {
    for (journal, synchronous) in [("WAL", "OFF"), ("WAL", "NORMAL"), ("DELETE", "OFF"), ("DELETE", "FULL")] {
        let mut machine = Machine::new().unwrap();
        let lost = cut_everywhere(&mut machine, journal, synchronous);
        assert!(!lost.is_empty(), "{journal}, {synchronous}: everything was kept, or nobody looked");
    }
}

/// Writes rows one by one, lets the power fail after each with many seeds, and says what was lost or damaged.
fn cut_everywhere(machine: &mut Machine, journal: &str, synchronous: &str) -> Vec<String> {
    let conn = table(machine, journal, synchronous);
    let mut images: Vec<(i64, u64, Image)> = Vec::new();
    for n in 0..12 {
        insert(&conn, n);
        images.extend((0..25).map(|seed| (n, seed, machine.disk().power_cut(seed))));
    }
    drop(conn);
    images.into_iter().filter_map(|(n, seed, image)| lost(machine, n, seed, image)).collect()
}

fn lost(machine: &mut Machine, last: i64, seed: u64, image: Image) -> Option<String> {
    machine.boot(image).unwrap();
    let conn = machine.connect(DATABASE).unwrap();
    let kept = conn
        .prepare("SELECT n FROM t")
        .and_then(|mut select| select.query_map([], |row| row.get(0))?.collect::<Result<BTreeSet<i64>, _>>());
    match kept {
        Ok(kept) if !whole(&conn) => {
            Some(format!("seed {seed}: a damaged database with {} rows", kept.len()))
        }
        Ok(kept) => (0..=last).find(|n| !kept.contains(n)).map(|n| format!("seed {seed}: row {n} of {last}")),
        Err(error) => Some(format!("seed {seed}: after row {last}: {error}")),
    }
}

fn table(machine: &Machine, journal: &str, synchronous: &str) -> Connection {
    let conn = machine.connect(DATABASE).unwrap();
    conn.execute_batch("PRAGMA synchronous = FULL").unwrap();
    conn.query_row(&format!("PRAGMA journal_mode = {journal}"), [], |_| Ok(())).unwrap();
    conn.execute_batch("CREATE TABLE t (n INTEGER, filler TEXT)").unwrap();
    conn.execute_batch(&format!("PRAGMA synchronous = {synchronous}")).unwrap();
    conn
}

fn insert(conn: &Connection, n: i64) {
    conn.execute("INSERT INTO t VALUES (?1, ?2)", (n, format!("{n:0>3000}"))).unwrap();
}

fn rows(conn: &Connection) -> BTreeSet<i64> {
    let mut select = conn.prepare("SELECT n FROM t").unwrap();
    select.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
}

fn whole(conn: &Connection) -> bool {
    conn.pragma_query_value(None, "integrity_check", |row| row.get::<_, String>(0))
        .is_ok_and(|said| said == "ok")
}
