//! The same seed gives the same run: a failure can be seen again.

use onward_test::sim::Planted;

use crate::support::{log, run};

#[test]
fn the_same_seed_gives_the_same_log_byte_for_byte() {
    for seed in [3, 17, 101, 4_711, 90_210] {
        let (first, second) = (run(seed, Planted::Nothing), run(seed, Planted::Nothing));
        assert!(first == second, "seed {seed}:\n{}\n\n{}", log(&first), log(&second));
        assert!(first.records.len() > 10, "seed {seed} shows nothing");
    }
}
