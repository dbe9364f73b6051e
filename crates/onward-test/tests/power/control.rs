//! The harness notices disks that lie. What finds nothing wrong with them would find nothing wrong with a store that
//! does not sync, either.

use onward_test::power::{Chance, Lies};

use crate::life::Plan;
use crate::seeds::Bench;

/// In so many seeds, each of which is some thirty losses of power, the lie must have been noticed.
const SEEDS: u64 = 40;

#[test]
fn a_disk_that_keeps_nothing_is_noticed() {
    noticed(Lies::Always, &["was said to be on disk", "are on disk", "were put on disk"]);
}

#[test]
fn a_disk_that_does_not_sync_the_log_is_noticed() {
    // By the store itself: its mark was written although the sync before it was none.
    noticed(Lies::AboutLog, &["records that were put on disk"]);
}

#[test]
fn a_disk_that_does_not_sync_the_database_at_a_checkpoint_is_noticed() {
    noticed(
        Lies::AboutDatabase,
        &["was said to be on disk", "are on disk", "damaged", "malformed", "were put on disk"],
    );
}

#[test]
fn a_disk_that_does_not_keep_the_names_of_files_is_noticed() {
    noticed(
        Lies::AboutNames,
        &["was said to be on disk", "are on disk", "missing or empty", "were put on disk"],
    );
}

/// The same runs and checks as for an honest disk fail, for one of these reasons.
fn noticed(lies: Lies, reasons: &[&str]) {
    let mut bench = Bench::new().unwrap();
    for seed in 0..SEEDS {
        let life = bench.begin(Plan { lies, ..Plan::first(seed, 16) }).unwrap();
        let cuts = life.cuts(&mut Chance::of(seed, 1), 6);
        let Err(error) = bench.cut(&life, &cuts) else { continue };
        let error = format!("{error:#}");
        eprintln!("{lies:?} was noticed with seed {seed}: {error}");
        assert!(reasons.iter().any(|reason| error.contains(reason)), "noticed for another reason: {error}");
        return;
    }
    panic!("{lies:?} was not noticed in {SEEDS} seeds");
}
