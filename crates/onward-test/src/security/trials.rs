//! Runs the data: every attack uncontained and in each tier, every ordinary command in each tier.

use std::collections::BTreeMap;
use std::path::Path;

use onward_event::{FileAccess, Verdict};

use super::benign::{Benign, Command, Group};
use super::hostile::{Attack, Hostile};
use super::judge::{Judge, vector};
use super::outcome::{AttackRow, Outcome, Work};
use super::program::{Contained, Ended, Home, Program, search_path};
use super::sessions::{SESSIONS, attack_in_session};
use super::witness::Witness;

/// The tiers that contain, and why this machine lacks one.
type Tiers<'a> = &'a BTreeMap<String, Option<String>>;

/// Runs every attack.
///
/// # Errors
/// A place for it cannot be made, or the program cannot be started.
pub fn attacks(
    hostile: &Hostile,
    program: &Program,
    below: &Path,
    tiers: Tiers<'_>,
) -> anyhow::Result<Vec<AttackRow>> {
    hostile.attacks.iter().map(|attack| one_attack(attack, program, below, tiers)).collect()
}

fn one_attack(
    attack: &Attack,
    program: &Program,
    below: &Path,
    tiers: Tiers<'_>,
) -> anyhow::Result<AttackRow> {
    let verdict = judged(attack, program, below)?;
    let uncontained = trial(attack, program, below, How::Uncontained)?;
    let mut outcomes = BTreeMap::new();
    for (tier, lacks) in tiers {
        let outcome = match lacks {
            Some(why) => Outcome::NotRun(why.clone()),
            None => match trial(attack, program, below, How::AsWritten(tier))? {
                Outcome::Held => trial(attack, program, below, How::AsDecided(tier))?,
                harm => harm,
            },
        };
        outcomes.insert(tier.clone(), outcome);
    }
    let in_session = match strongest(tiers) {
        Some(tier) => attack_in_session(attack, program, below, tier)?,
        None => Outcome::NotRun("no tier can be had".into()),
    };
    outcomes.insert(SESSIONS.into(), in_session);
    Ok(AttackRow {
        id: attack.id.clone(),
        policy: verdict.name().to_owned(),
        too_loose: !attack.policy.holds(verdict),
        uncontained,
        tiers: outcomes,
    })
}

/// The tier that a session takes by itself.
fn strongest(tiers: Tiers<'_>) -> Option<&'static str> {
    ["namespaces", "landlock"].into_iter().find(|tier| tiers.get(*tier).is_some_and(Option::is_none))
}

/// How an attack is run.
#[derive(Clone, Copy, Debug)]
enum How<'a> {
    Uncontained,
    /// The text as it is, where it may change most.
    AsWritten(&'a str),
    /// What a decision has made of it, where that lets it change things: as if everybody had said yes.
    AsDecided(&'a str),
}

fn judged(attack: &Attack, program: &Program, below: &Path) -> anyhow::Result<Verdict> {
    let site = program.site(below, &repository(attack))?;
    let witness = Witness::new(&site)?;
    let line = witness.filled(&site, &attack.line());
    Ok(Judge::new(&site.repo(), search_path()).decide("", &line).verdict)
}

fn trial(attack: &Attack, program: &Program, below: &Path, how: How<'_>) -> anyhow::Result<Outcome> {
    if let Some(missing) = attack.needs.iter().find(|name| !program.finds(name)) {
        return Ok(Outcome::NotRun(format!("needs {missing}")));
    }
    let site = program.site(below, &repository(attack))?;
    // What the repository brings along names places that are only known now, and is there before anybody looks on.
    let outside = site.base.join("outside").display().to_string();
    for (name, text) in &attack.files {
        site.write(&format!("repo/{name}"), &text.replace("{outside}", &outside))?;
    }
    let witness = Witness::new(&site)?;
    let written: Vec<String> = attack.vector().iter().map(|word| witness.filled(&site, word)).collect();
    let (contained, argv) = match how {
        How::Uncontained => (None, written),
        How::AsWritten(tier) => (Some(Contained { tier, files: FileAccess::WorkspaceWrite }), written),
        How::AsDecided(tier) => {
            let line = witness.filled(&site, &attack.line());
            let decision = Judge::new(&site.repo(), search_path()).decide("", &line);
            (Some(Contained { tier, files: decision.reach.files }), vector(&decision, &line))
        }
    };
    let ended = program.run(contained, Home::Site, &site, "", &argv)?;
    let harm = witness.harm(&ended.output);
    let excused = contained.is_some_and(|contained| attack.residual.contains_key(contained.tier));
    Ok(match harm.is_empty() {
        true => Outcome::Held,
        false if excused => Outcome::Residual(harm),
        false => Outcome::Harm(harm),
    })
}

/// What the repository of an attack has in it.
pub(crate) fn repository(attack: &Attack) -> BTreeMap<String, String> {
    let mut files = BTreeMap::from([
        ("README.md".to_owned(), "# small\n".to_owned()),
        ("notes.txt".to_owned(), "b\na\n".to_owned()),
        ("data.json".to_owned(), "{}\n".to_owned()),
        ("docs/guide.md".to_owned(), "# Guide\n".to_owned()),
    ]);
    files.extend(attack.files.clone());
    files
}

/// Runs every ordinary command in a tier, one after the other in the same repository: what a decision has made of it, where
/// that lets it change things.
///
/// # Errors
/// The place for it cannot be made, or the program cannot be started.
pub fn work(
    benign: &Benign,
    program: &Program,
    below: &Path,
    tier: &str,
    lacks: Option<&str>,
) -> anyhow::Result<Work> {
    let mut work = Work { tier: tier.to_owned(), ..Work::default() };
    let site = program.site(below, &benign.files)?;
    site.commit()?;
    site.hand_over()?;
    let judge = Judge::new(&site.repo(), search_path());
    for group in &benign.groups {
        for command in &group.commands {
            let line = command.line.clone();
            if let Some(why) = lacks.map(str::to_owned).or_else(|| not_run(program, group, command)) {
                work.not_run.push((line, why));
                continue;
            }
            let decision = judge.decide(&group.dir, &command.line);
            let contained = Contained { tier, files: decision.reach.files };
            let argv = vector(&decision, &command.line);
            let ended = program.run(Some(contained), program.working_home(), &site, &group.dir, &argv)?;
            match wrong(&ended, &site.repo().join(&group.dir), command) {
                None => work.worked += 1,
                Some(wrong) => work.broken.push((line, wrong)),
            }
        }
    }
    Ok(work)
}

/// Why a command is not run.
pub(crate) fn not_run(program: &Program, group: &Group, command: &Command) -> Option<String> {
    let missing = group.needs.iter().chain(&command.needs).find(|name| !program.finds(name));
    command.not_run.clone().or_else(|| missing.map(|name| format!("needs {name}")))
}

/// What is wrong with what came of it.
fn wrong(ended: &Ended, folder: &Path, command: &Command) -> Option<String> {
    if ended.code != Some(0) {
        let said = String::from_utf8_lossy(&ended.output);
        let last = said.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("it printed nothing");
        let code = ended.code.map_or_else(|| "no code".to_owned(), |code| format!("code {code}"));
        return Some(format!("{code}: {last}"));
    }
    let missing = command.makes.as_ref().filter(|name| folder.join(name).symlink_metadata().is_err());
    missing.map(|name| format!("it left no {name}"))
}
