//! Tests of the store on real files, by topic. Parts that need a second process start this same binary again: see
//! `child`.
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests are tests, too")]

mod support;

mod append;
mod aside;
mod blobs;
mod child;
mod damage;
mod full;
mod group;
mod growth;
mod mark;
mod ownership;
mod property;
mod read_only;
mod side;
mod snapshots;
mod strangers;
mod syncs;
mod two_processes;
