//! The store keeps what it said is on disk, wherever the power fails.

use onward_test::power::{Chance, Image, Lies};

use crate::life::Plan;
use crate::seeds::{count, each};
use crate::truth::Expected;

#[test]
fn what_was_acknowledged_survives_a_loss_of_power_at_any_sync_and_between() {
    each(count(100), |bench, seed| {
        let plan = Plan { seed, name: "first", acts: 12, lies: Lies::Never };
        let life = bench.live(Image::default(), &Expected::default(), plan)?;
        let cuts = life.cuts(&mut Chance::of(seed, 1), 12);
        bench.cut(&life, &cuts, 0)
    });
}
