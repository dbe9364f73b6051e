//! What a loss of power does to what was on its way to the disk.

use std::cmp::Ordering;

use super::chance::Chance;

/// How bad it is. A seed chooses one of these for a whole cut: if every sector were decided by the toss of a coin, the
/// cases in which almost all or almost nothing survives, which are the likeliest in the world, would never be seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weather {
    /// Nothing that was not synced survives.
    AllLost,
    /// Everything survives, synced or not.
    AllKept,
    /// Each sector and name is decided by itself.
    Anything,
    /// As above, but one in sixteen is lost.
    MostKept,
    /// As above, but one in sixteen survives.
    MostLost,
    /// Of each file, everything or nothing.
    ByFile,
    /// Of each file, what was written up to some moment; the sector that was being written is torn.
    InOrder,
}

/// What becomes of one sector that was written, or of one change of a length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It is on disk.
    Kept,
    /// It is as if it had not been.
    Lost,
    /// So many bytes of it are on disk, from its beginning.
    Torn(usize),
    /// The file has become longer for it, but what is there is something else.
    Stale,
}

impl Weather {
    const ALL: [Self; 7] = [
        Self::AllLost,
        Self::AllKept,
        Self::Anything,
        Self::MostKept,
        Self::MostLost,
        Self::ByFile,
        Self::InOrder,
    ];

    /// The weather of this seed.
    pub(crate) fn of(chance: &mut Chance) -> Self {
        chance.pick(&Self::ALL).copied().unwrap_or(Self::Anything)
    }

    /// What becomes of the changes of one file, each of which has a length in bytes: 0 is one that cannot be torn.
    pub(crate) fn fates(self, chance: &mut Chance, lengths: &[usize]) -> Vec<Fate> {
        match self {
            Self::AllLost => vec![Fate::Lost; lengths.len()],
            Self::AllKept => vec![Fate::Kept; lengths.len()],
            Self::Anything => each(chance, lengths, 8),
            Self::MostKept => each(chance, lengths, 15),
            Self::MostLost => each(chance, lengths, 1),
            Self::ByFile if chance.one_in(2) => vec![Fate::Lost; lengths.len()],
            Self::ByFile => vec![Fate::Kept; lengths.len()],
            Self::InOrder => in_order(chance, lengths),
        }
    }

    /// How many of the changes of one name have happened, which do so in their order.
    pub(crate) fn changes_of_name(self, chance: &mut Chance, all: usize) -> usize {
        match self {
            Self::AllLost => 0,
            Self::AllKept => all,
            _ => chance.below(all + 1),
        }
    }
}

/// Each by itself; so many of sixteen are kept.
fn each(chance: &mut Chance, lengths: &[usize], kept: usize) -> Vec<Fate> {
    let one = |length: &usize| {
        if chance.below(16) < kept {
            return Fate::Kept;
        }
        match chance.below(4) {
            0 => Fate::Torn(chance.below(*length)),
            1 => Fate::Stale,
            _ => Fate::Lost,
        }
    };
    lengths.iter().map(one).collect()
}

fn in_order(chance: &mut Chance, lengths: &[usize]) -> Vec<Fate> {
    let end = chance.below(lengths.len() + 1);
    let one = |(n, length): (usize, &usize)| match n.cmp(&end) {
        Ordering::Less => Fate::Kept,
        Ordering::Equal => Fate::Torn(chance.below(*length)),
        Ordering::Greater => Fate::Lost,
    };
    lengths.iter().enumerate().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_weather_comes_and_a_seed_brings_the_same_one_again() {
        let seen: Vec<Weather> = (0..200).map(|seed| Weather::of(&mut Chance::new(seed))).collect();
        for weather in Weather::ALL {
            assert!(seen.contains(&weather), "{weather:?}");
        }
        let fates = |seed| Weather::Anything.fates(&mut Chance::new(seed), &[512; 400]);
        assert_eq!(fates(7), fates(7));
        assert_ne!(fates(7), fates(8));
        for fate in [Fate::Kept, Fate::Lost, Fate::Stale] {
            assert!(fates(7).contains(&fate), "{fate:?}");
        }
        assert!(fates(7).iter().any(|fate| matches!(fate, Fate::Torn(n) if *n < 512)));
    }

    #[test]
    fn what_survives_in_order_is_a_prefix() {
        for seed in 0..50 {
            let fates = Weather::InOrder.fates(&mut Chance::new(seed), &[512; 9]);
            let kept = fates.iter().take_while(|fate| **fate == Fate::Kept).count();
            assert!(fates.iter().skip(kept + 1).all(|fate| *fate == Fate::Lost), "{seed}: {fates:?}");
        }
    }
}
