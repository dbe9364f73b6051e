//! The simulator notices defects that are built into its world on purpose. What finds nothing wrong with them would find
//! nothing wrong with a runtime that has them, either.

use std::sync::Mutex;

use onward_test::sim::{Planted, WrongKind};

use crate::support::each;

/// In so many worlds a defect must have been noticed.
const SEEDS: u64 = 150;

/// An owner that lost the session writes on beside the next one. Each of them then stumbles over the other's records, so
/// that nothing is done twice; but nobody can go on, and what was acknowledged comes to no end.
#[test]
fn a_store_that_takes_appends_of_an_old_epoch_is_noticed() {
    noticed(Planted::NoFencing, &[WrongKind::Rule(2), WrongKind::InputLost, WrongKind::Hangs]);
}

#[test]
fn an_act_before_its_record_is_noticed() {
    noticed(Planted::ActsFirst, &[WrongKind::EffectBeforeRecord]);
}

#[test]
fn a_record_that_is_not_on_disk_before_the_act_is_noticed() {
    noticed(Planted::NoSync, &[WrongKind::EffectBeforeRecord, WrongKind::RequestUnrecorded]);
}

/// A process dies between the two appends: what it has told the model was claimed by nobody.
#[test]
fn a_claim_outside_of_the_append_of_its_step_is_noticed() {
    noticed(Planted::ClaimsBeside, &[WrongKind::Rule(6), WrongKind::InputLost, WrongKind::Hangs]);
}

#[test]
fn a_supervisor_without_a_gate_is_noticed() {
    noticed(Planted::NoGate, &[WrongKind::EffectDoubled, WrongKind::Untrue]);
}

#[test]
fn an_owner_that_is_not_woken_is_noticed() {
    noticed(Planted::DropsWake, &[WrongKind::Hangs]);
}

#[test]
fn a_job_whose_end_nobody_hears_is_noticed() {
    noticed(Planted::LosesJobEnd, &[WrongKind::Hangs]);
}

/// Each of these kinds is found in some world.
fn noticed(planted: Planted, kinds: &[WrongKind]) {
    let missing: Mutex<Vec<WrongKind>> = Mutex::new(kinds.to_vec());
    each(0..SEEDS, planted, |seed, outcome| {
        let mut missing = missing.lock().unwrap();
        missing.retain(|kind| {
            let found = outcome.wrong.iter().find(|wrong| wrong.kind == *kind);
            if let Some(wrong) = found {
                println!("{planted:?} is noticed with seed {seed}: {wrong}");
            }
            found.is_none()
        });
        missing.is_empty()
    });
    let missing = missing.into_inner().unwrap();
    assert!(missing.is_empty(), "{planted:?}: {missing:?} was not found in {SEEDS} worlds");
}
