//! The power fails again while the store is opened after a loss of power, or soon after.

use onward_test::power::Chance;

use crate::life::{Cut, Plan};
use crate::seeds::{count, each};

#[test]
fn a_second_loss_of_power_at_any_moment_of_the_recovery_takes_nothing_that_was_found() {
    each(count(20), |bench, seed| {
        let first = bench.begin(Plan::first(seed, 10))?;
        let mut chance = Chance::of(seed, 3);
        let somewhere = Cut { at: chance.below(first.trace.len() + 1), seed: chance.any() };
        let (cut, image) = first.images(&[somewhere]).next().unwrap();
        let second = bench.after(&first, cut, image)?;
        let mut cuts: Vec<Cut> = (0..=second.opened).map(|at| Cut { at, seed: chance.any() }).collect();
        cuts.extend(second.cuts(&mut chance, 4));
        cuts.sort_by_key(|cut| cut.at);
        bench.cut(&second, &cuts)
    });
}
