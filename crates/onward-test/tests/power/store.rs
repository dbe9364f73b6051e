//! The store keeps what it said is on disk, wherever the power fails.

use onward_test::power::Chance;

use crate::life::{Cut, Plan};
use crate::seeds::{count, each};

#[test]
fn what_was_acknowledged_survives_a_loss_of_power_at_any_sync_and_between() {
    each(count(150), |bench, seed| {
        let life = bench.begin(Plan::first(seed, 9))?;
        let cuts = life.cuts(&mut Chance::of(seed, 1), 3);
        bench.cut(&life, &cuts)
    });
}

#[test]
fn a_store_that_was_being_made_is_made_again_or_is_there() {
    each(count(4), |bench, seed| {
        let life = bench.begin(Plan::first(seed, 1))?;
        let mut chance = Chance::of(seed, 2);
        let cuts: Vec<Cut> = (0..=life.opened).map(|at| Cut { at, seed: chance.any() }).collect();
        bench.cut(&life, &cuts)
    });
}

#[test]
fn a_cut_lies_before_and_after_every_sync() {
    each(1, |bench, seed| {
        let life = bench.begin(Plan::first(seed, 20))?;
        let cuts = life.cuts(&mut Chance::new(seed), 0);
        let syncs = life.trace.iter().enumerate().skip(life.opened).filter(|(_, op)| op.is_sync());
        for (n, op) in syncs {
            let has = |at: usize| cuts.iter().any(|cut| cut.at == at);
            assert!(has(n) && has(n + 1), "no cut at operation {n}: {op}");
        }
        assert!(cuts.len() > 10, "only {} cuts", cuts.len());
        Ok(())
    });
}
