//! "Did you mean …?": the nearest of the names that there are.

/// The nearest candidate, when it is near enough to be meant: at most a third of the letters differ.
pub fn suggestion<'a>(given: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let given = given.to_lowercase();
    let letters = given.chars().count();
    let near = |candidate: &str| {
        let candidate = candidate.to_lowercase();
        let others = candidate.chars().count();
        let most = (letters.max(others) / 3).max(1);
        // What is much longer needs no table to be known as another word, however long it is.
        let distance = (letters.abs_diff(others) <= most).then(|| distance(&given, &candidate))?;
        (distance <= most).then_some(distance)
    };
    candidates
        .into_iter()
        .filter_map(|candidate| Some((near(candidate)?, candidate)))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Letters to insert, remove, replace or swap with a neighbour to get from one to the other.
fn distance(from: &str, to: &str) -> usize {
    let (from, to): (Vec<char>, Vec<char>) = (from.chars().collect(), to.chars().collect());
    // Three rows of the usual table: the one being filled, and the two before it, which a swap looks back to.
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=to.len()).collect();
    for (i, a) in from.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, b) in to.iter().enumerate() {
            let changed = last[j] + usize::from(a != b);
            let mut best = changed.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *a == to[j - 1] && from[i - 1] == *b {
                best = best.min(before[j - 1] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    last.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_count_single_slips() {
        for (from, to, expect) in [
            ("", "", 0),
            ("", "abc", 3),
            ("abc", "abc", 0),
            ("max_setps", "max_steps", 1),
            ("kitten", "sitting", 3),
            ("flaw", "lawn", 2),
            ("é", "e", 1),
        ] {
            assert_eq!(distance(from, to), expect, "{from} {to}");
            assert_eq!(distance(to, from), expect, "{to} {from}");
        }
    }

    #[test]
    fn a_slip_is_recognised_and_another_word_is_not() {
        assert_eq!(suggestion("efect", ["effect", "reason"]), Some("effect"));
        assert_eq!(suggestion("workspace", ["read-only", "workspace-write"]), None);
        assert_eq!(suggestion("alow", ["allow", "ask"]), Some("allow"));
        assert_eq!(suggestion("", ["id"]), None);
    }

    #[test]
    fn only_what_may_be_meant_is_suggested() {
        let keys = ["max_steps", "max_tokens", "mode", "model"];
        for (given, expect) in [
            ("max_step", Some("max_steps")),
            ("maxsteps", Some("max_steps")),
            ("MODEL", Some("model")),
            ("modes", Some("mode")),
            ("elephant", None),
            ("", None),
            ("x", None),
        ] {
            assert_eq!(suggestion(given, keys), expect, "{given}");
        }
    }
}
