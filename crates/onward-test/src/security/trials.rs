//! Runs the data: every attack uncontained and in each tier, every ordinary command in each tier.

use std::collections::BTreeMap;
use std::path::Path;

use onward_event::Verdict;

use super::benign::{Benign, Command, Group};
use super::hostile::{Attack, Hostile};
use super::judge::Judge;
use super::outcome::{AttackRow, Outcome, Work};
use super::program::{Home, Program, is_here, search_path};
use super::site::Site;
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
    let uncontained = trial(attack, program, below, None)?;
    let mut outcomes = BTreeMap::new();
    for (tier, lacks) in tiers {
        let outcome = match lacks {
            Some(why) => Outcome::NotRun(why.clone()),
            None => trial(attack, program, below, Some(tier))?,
        };
        outcomes.insert(tier.clone(), outcome);
    }
    Ok(AttackRow {
        id: attack.id.clone(),
        policy: verdict.name().to_owned(),
        too_loose: !attack.policy.holds(verdict),
        uncontained,
        tiers: outcomes,
    })
}

fn judged(attack: &Attack, program: &Program, below: &Path) -> anyhow::Result<Verdict> {
    let site = program.site(below, &repository(attack))?;
    let witness = Witness::new(&site)?;
    let line = witness.filled(&site, &attack.line());
    Ok(Judge::new(&site.repo(), search_path()).decide("", &line).verdict)
}

fn trial(attack: &Attack, program: &Program, below: &Path, tier: Option<&str>) -> anyhow::Result<Outcome> {
    if let Some(missing) = attack.needs.iter().find(|name| !is_here(name)) {
        return Ok(Outcome::NotRun(format!("needs {missing}")));
    }
    let site = program.site(below, &repository(attack))?;
    // What the repository brings along names places that are only known now, and is there before anybody looks on.
    let outside = site.base.join("outside").display().to_string();
    for (name, text) in &attack.files {
        site.write(&format!("repo/{name}"), &text.replace("{outside}", &outside))?;
    }
    let witness = Witness::new(&site)?;
    let argv: Vec<String> = attack.vector().iter().map(|word| witness.filled(&site, word)).collect();
    let ended = program.run(tier, Home::Site, &site, "", &argv)?;
    let harm = witness.harm(&ended.output);
    let excused = tier.is_some_and(|tier| attack.residual.contains_key(tier));
    Ok(match harm.is_empty() {
        true => Outcome::Held,
        false if excused => Outcome::Residual(harm),
        false => Outcome::Harm(harm),
    })
}

fn repository(attack: &Attack) -> BTreeMap<String, String> {
    let mut files = BTreeMap::from([
        ("README.md".to_owned(), "# small\n".to_owned()),
        ("notes.txt".to_owned(), "b\na\n".to_owned()),
        ("data.json".to_owned(), "{}\n".to_owned()),
        ("docs/guide.md".to_owned(), "# Guide\n".to_owned()),
    ]);
    files.extend(attack.files.clone());
    files
}

/// Runs every ordinary command in a tier, one after the other in the same repository.
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
    for group in &benign.groups {
        for command in &group.commands {
            let line = command.line.clone();
            if let Some(why) = lacks.map(str::to_owned).or_else(|| not_run(group, command)) {
                work.not_run.push((line, why));
                continue;
            }
            match tried(program, &site, tier, group, command)? {
                None => work.worked += 1,
                Some(wrong) => work.broken.push((line, wrong)),
            }
        }
    }
    Ok(work)
}

fn not_run(group: &Group, command: &Command) -> Option<String> {
    let missing = group.needs.iter().chain(&command.needs).find(|name| !is_here(name));
    command.not_run.clone().or_else(|| missing.map(|name| format!("needs {name}")))
}

/// What is wrong with what came of it.
fn tried(
    program: &Program,
    site: &Site,
    tier: &str,
    group: &Group,
    command: &Command,
) -> anyhow::Result<Option<String>> {
    let argv = ["/bin/sh", "-c", command.line.as_str()].map(str::to_owned);
    let ended = program.run(Some(tier), Home::Own, site, &group.dir, &argv)?;
    if ended.code != Some(0) {
        let said = String::from_utf8_lossy(&ended.output);
        let last = said.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("it printed nothing");
        let code = ended.code.map_or_else(|| "no code".to_owned(), |code| format!("code {code}"));
        return Ok(Some(format!("{code}: {last}")));
    }
    let folder = site.repo().join(&group.dir);
    let missing = command.makes.as_ref().filter(|name| folder.join(name).symlink_metadata().is_err());
    Ok(missing.map(|name| format!("it left no {name}")))
}
