//! The disk by itself: what was synced never vanishes, and all that can become of what was not does at some seed.

use std::collections::BTreeSet;
use std::sync::Arc;

use onward_test::power::{FileId, Image, Op, Platter};

/// Three sectors that were synced as `a`, written again as `b`, and two behind them that were never synced.
fn overwritten() -> (Image, FileId, Vec<Op>) {
    let mut image = Image::default();
    image.put("f", vec![b'a'; 3 * 512]);
    let file = Platter::new(&image).file("f").unwrap();
    let ops = vec![Op::Write { file, at: 0, bytes: vec![b'b'; 5 * 512].into() }];
    (image, file, ops)
}

fn after(image: &Image, ops: &[Op], seed: u64) -> Image {
    let mut platter = Platter::new(image);
    ops.iter().for_each(|op| platter.apply(op));
    platter.power_cut(seed)
}

#[test]
fn what_was_synced_is_there_whatever_the_seed() {
    let (image, file, mut ops) = overwritten();
    ops.push(Op::Sync { file, kept: true });
    for seed in 0..500 {
        assert_eq!(after(&image, &ops, seed).bytes("f"), Some(&[b'b'; 5 * 512][..]), "seed {seed}");
    }
}

#[test]
fn a_sync_that_is_a_lie_keeps_nothing() {
    let (image, file, mut ops) = overwritten();
    ops.push(Op::Sync { file, kept: false });
    let differs = |seed| after(&image, &ops, seed).bytes("f") != Some(&[b'b'; 5 * 512][..]);
    assert!((0..50).any(differs));
}

#[test]
fn a_sector_that_was_not_synced_is_old_or_new_or_torn_and_nothing_else() {
    let (image, _, ops) = overwritten();
    let mut seen = BTreeSet::new();
    for seed in 0..500 {
        let image = after(&image, &ops, seed);
        let bytes = image.bytes("f").unwrap();
        for sector in bytes[..3 * 512].chunks(512) {
            let new = sector.iter().take_while(|byte| **byte == b'b').count();
            assert!(sector[new..].iter().all(|byte| *byte == b'a'), "seed {seed}: not a prefix");
            seen.insert(match new {
                0 => "old",
                512 => "new",
                _ => "torn",
            });
        }
    }
    assert_eq!(seen, BTreeSet::from(["new", "old", "torn"]));
}

#[test]
fn sectors_survive_in_any_order_and_files_end_anywhere() {
    let (image, _, ops) = overwritten();
    let is_new = |image: &Image, n: usize| image.bytes("f").unwrap().get(n * 512).copied() == Some(b'b');
    let cut = |seed| after(&image, &ops, seed);
    assert!((0..200).map(cut).any(|image| is_new(&image, 2) && !is_new(&image, 0)), "a later one only");
    assert!((0..200).map(cut).any(|image| is_new(&image, 0) && !is_new(&image, 2)), "an earlier one only");
    let lengths: BTreeSet<usize> = (0..200).map(cut).map(|image| image.len("f")).collect();
    assert!(lengths.contains(&(3 * 512)) && lengths.contains(&(5 * 512)), "{lengths:?}");
    assert!(lengths.iter().any(|len| len % 512 != 0), "{lengths:?}");
    let stale = |image: Image| image.bytes("f").unwrap().iter().any(|byte| !b"ab\0".contains(byte));
    assert!((0..200).map(cut).any(stale), "what was there before shows up behind the old end");
}

#[test]
fn files_fail_by_themselves_and_a_sync_is_of_one_file() {
    let mut image = Image::default();
    image.put("f", vec![b'a'; 512]);
    image.put("g", vec![b'a'; 512]);
    let platter = Platter::new(&image);
    let write = |name| Op::Write { file: platter.file(name).unwrap(), at: 0, bytes: vec![b'b'; 512].into() };
    let sync = Op::Sync { file: platter.file("f").unwrap(), kept: true };
    let ops = [write("f"), write("g"), sync];
    let all: BTreeSet<(u8, u8)> = (0..300)
        .map(|seed| after(&image, &ops[..2], seed))
        .map(|image| (image.bytes("f").unwrap()[511], image.bytes("g").unwrap()[511]))
        .collect();
    assert_eq!(all.len(), 4, "each combination comes: {all:?}");
    for seed in 0..300 {
        assert_eq!(after(&image, &ops, seed).bytes("f"), Some(&[b'b'; 512][..]), "seed {seed}");
    }
    assert!((0..300).any(|seed| after(&image, &ops, seed).bytes("g") == Some(&[b'a'; 512][..])));
}

#[test]
fn a_file_that_was_cut_off_has_one_length_or_the_other() {
    let mut image = Image::default();
    image.put("f", vec![b'a'; 1000]);
    let file = Platter::new(&image).file("f").unwrap();
    let mut ops = vec![Op::Truncate { file, len: 10 }];
    let lengths: BTreeSet<usize> = (0..100).map(|seed| after(&image, &ops, seed).len("f")).collect();
    assert_eq!(lengths, BTreeSet::from([10, 1000]));
    ops.push(Op::Sync { file, kept: true });
    assert!((0..100).all(|seed| after(&image, &ops, seed).len("f") == 10));
}

#[test]
fn a_name_is_there_for_certain_when_the_folder_was_synced() {
    let mut image = Image::default();
    image.put("old", vec![b'a']);
    let name = |name: &str| -> Arc<str> { name.into() };
    let mut ops = vec![Op::Create { name: name("new") }, Op::Remove { name: name("old") }];
    let there = |image: Image| (image.bytes("new").is_some(), image.bytes("old").is_some());
    let all: BTreeSet<(bool, bool)> = (0..200).map(|seed| there(after(&image, &ops, seed))).collect();
    assert_eq!(all.len(), 4, "each combination comes: {all:?}");
    ops.push(Op::SyncNames { kept: true });
    assert!((0..200).all(|seed| there(after(&image, &ops, seed)) == (true, false)));
}

#[test]
fn a_name_that_was_given_again_leads_to_the_old_file_or_the_new_one_or_nowhere() {
    let mut image = Image::default();
    image.put("f", vec![b'a']);
    let name: Arc<str> = "f".into();
    let mut platter = Platter::new(&image);
    platter.apply(&Op::Remove { name: name.clone() });
    platter.apply(&Op::Create { name });
    let file = platter.file("f").unwrap();
    platter.apply(&Op::Write { file, at: 0, bytes: vec![b'b'].into() });
    platter.apply(&Op::Sync { file, kept: true });
    let seen: BTreeSet<Option<u8>> =
        (0..200).map(|seed| platter.power_cut(seed).bytes("f").map(|bytes| bytes[0])).collect();
    assert_eq!(seen, BTreeSet::from([None, Some(b'a'), Some(b'b')]));
}
