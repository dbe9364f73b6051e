//! Damage that a test does to a store on which nobody works, row by row.

use std::path::Path;

use rusqlite::{Connection, params};

/// A row of the records, with whatever it holds.
pub(crate) type Row = (i64, Vec<u8>, Vec<u8>);

/// Every record of the only session, as it is stored.
pub(crate) fn rows(data: &Path) -> Vec<Row> {
    let conn = open(data);
    let mut select = conn.prepare("SELECT seq, bytes, hash FROM records ORDER BY seq").unwrap();
    let rows = select.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).unwrap();
    rows.collect::<Result<_, _>>().unwrap()
}

/// Changes the stored bytes of a record, and nothing that goes with them.
pub(crate) fn change(data: &Path, seq: u64, with: impl Fn(&[u8]) -> Vec<u8>) {
    let conn = open(data);
    let seq = i64::try_from(seq).unwrap();
    let bytes: Vec<u8> =
        conn.query_row("SELECT bytes FROM records WHERE seq = ?1", [seq], |row| row.get(0)).unwrap();
    let changed = conn.execute("UPDATE records SET bytes = ?2 WHERE seq = ?1", params![seq, with(&bytes)]);
    assert_eq!(changed.unwrap(), 1);
}

/// Another letter in the middle: a record that can be read, and that nobody wrote.
pub(crate) fn other_letter(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let at = bytes.windows(8).position(|window| window == b"\"append\"").unwrap();
    // The first letter of the id: of whatever kind, another one is as good.
    bytes[at + 10] = if bytes[at + 10] == b'x' { b'y' } else { b'x' };
    bytes
}

/// What a statement does to the store.
pub(crate) fn sql(data: &Path, statement: &str) {
    open(data).execute_batch(statement).unwrap();
}

/// Cuts the log of the only session behind this record, as if it had never been longer.
pub(crate) fn cut_behind(data: &Path, seq: u64) {
    sql(
        data,
        &format!(
            "DELETE FROM records WHERE seq > {seq};
             DELETE FROM snapshots;
             UPDATE sessions SET seq = {seq}, hash = (SELECT hash FROM records WHERE seq = {seq});"
        ),
    );
}

fn open(data: &Path) -> Connection {
    Connection::open(data.join("onward.db")).unwrap()
}
