//! Calls that the simulated model proposes.

use onward_port::{Ids as _, RawCall};

use super::fault::Fault;
use super::tools::{Input, Kind, Manner};
use super::world::World;
use crate::power::Chance;

/// One to three calls.
pub(super) fn calls(world: &World, dice: &mut Chance) -> Vec<RawCall> {
    (0..1 + dice.below(3)).map(|_| call(world, dice)).collect()
}

fn call(world: &World, dice: &mut Chance) -> RawCall {
    let n = world.next();
    let id = format!("call-{n}");
    if !world.is_calm() && dice.one_in(25) {
        world.saw(Fault::CallInvalid);
        let name = if dice.one_in(2) { "nothing" } else { "look" };
        return RawCall { id, name: name.into(), arguments: "{\"wrong\":true}".into() };
    }
    let kinds = [Kind::Look, Kind::Peek, Kind::Put, Kind::Place, Kind::Fire, Kind::Launch, Kind::Launch];
    let kind = *dice.pick(&kinds).unwrap_or(&Kind::Look);
    let on = ["a", "b", "c", "d"][dice.below(4)];
    let input = Input {
        name: format!("n{n}"),
        on: on.into(),
        manner: manner(kind, dice),
        before: duration(dice),
        after: duration(dice),
    };
    RawCall { id, name: kind.name().into(), arguments: serde_json::to_string(&input).unwrap_or_default() }
}

fn manner(kind: Kind, dice: &mut Chance) -> Manner {
    match (dice.below(14), kind) {
        (0, _) => Manner::Fails,
        (1, _) => Manner::Holds,
        (2, _) => Manner::Stubborn,
        (3..=7, Kind::Launch) => Manner::Background,
        _ => Manner::Plain,
    }
}

/// Mostly short; now and then longer than a command may run.
fn duration(dice: &mut Chance) -> u64 {
    let most = [20, 200, 2_000, 9_000][dice.below(4)];
    dice.below(most) as u64
}
