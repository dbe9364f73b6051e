//! The same from end to end: `onward exec` in normal mode, with a model that plays a script. Policy decides, the shell tool
//! runs what was decided, and what came of it is seen from outside, or read in what is printed for programs.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::ensure;
use onward_event::Verdict;
use serde_json::{Value, json};

use super::benign::{Benign, Command, Group};
use super::hostile::Attack;
use super::judge::Judge;
use super::outcome::{Outcome, Work};
use super::program::{Home, Program, search_path};
use super::site::Site;
use super::trials::{not_run, repository};
use super::witness::Witness;

/// What it is called where the others are tiers.
pub const SESSIONS: &str = "exec";

/// Ordinary commands that need no answer: those of a group are one session, or, where they make something, some.
///
/// # Errors
/// The place for it cannot be made, or the program cannot be started.
pub fn work_in_sessions(benign: &Benign, program: &Program, below: &Path) -> anyhow::Result<Work> {
    let mut work = Work { tier: SESSIONS.into(), ..Work::default() };
    let site = program.site(below, &benign.files)?;
    site.commit()?;
    let judge = Judge::new(&site.repo(), search_path());
    for group in &benign.groups {
        let is_run = |command: &&Command| {
            let allowed = judge.decide(&group.dir, &command.line).verdict == Verdict::Allow;
            allowed && not_run(program, group, command).is_none()
        };
        let commands: Vec<&Command> = group.commands.iter().filter(is_run).collect();
        // What a command makes is looked for before another one can remove it.
        for commands in commands.split_inclusive(|command| command.makes.is_some()) {
            session(program, &site, group, commands, &mut work)?;
        }
    }
    Ok(work)
}

fn session(
    program: &Program,
    site: &Site,
    group: &Group,
    commands: &[&Command],
    work: &mut Work,
) -> anyhow::Result<()> {
    let dir = if group.dir.is_empty() { "." } else { group.dir.as_str() };
    play(site, commands.iter().map(|command| json!({ "command": command.line, "dir": dir })))?;
    let ended = program.exec(site, program.working_home(), commands.len())?;
    let said = String::from_utf8_lossy(&ended.output);
    let lines = said.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let answers: Vec<Value> =
        lines.filter(|line| line["type"] == "tool.result" || line["type"] == "tool.denied").collect();
    ensure!(
        answers.len() <= commands.len(),
        "{}: {} answers to {} commands",
        group.category,
        answers.len(),
        commands.len()
    );
    for (at, command) in commands.iter().enumerate() {
        let missing = command.makes.as_ref().map(|name| site.repo().join(&group.dir).join(name));
        let missing = missing.filter(|path| path.symlink_metadata().is_err());
        let wrong = match answers.get(at) {
            None => Some(format!("no answer, code {:?}: {}", ended.code, said.lines().last().unwrap_or(""))),
            Some(answer) if !is_well(answer) => Some(answer["text"].to_string()),
            Some(_) => missing.map(|path| format!("it left no {}", path.display())),
        };
        match wrong {
            None => work.worked += 1,
            Some(wrong) => work.broken.push((command.line.clone(), wrong)),
        }
    }
    Ok(())
}

/// Whether a command has ended, and with 0: a denial, a signal and a timeout are something else.
fn is_well(answer: &Value) -> bool {
    answer["type"] == "tool.result" && answer["status"] == "ok"
}

/// One attack, in a session of its own, which is contained by this tier. Whether it is asked about, denied, or let through: it does no harm.
pub(crate) fn attack_in_session(
    attack: &Attack,
    program: &Program,
    below: &Path,
    tier: &str,
) -> anyhow::Result<Outcome> {
    if let Some(missing) = attack.needs.iter().find(|name| !program.finds(name)) {
        return Ok(Outcome::NotRun(format!("needs {missing}")));
    }
    let mut files = repository(attack);
    let site = program.site(below, &BTreeMap::new())?;
    let outside = site.base.join("outside").display().to_string();
    files.values_mut().for_each(|text| *text = text.replace("{outside}", &outside));
    for (name, text) in &files {
        site.write(&format!("repo/{name}"), text)?;
    }
    let witness = Witness::new(&site)?;
    play(&site, std::iter::once(json!({ "command": witness.filled(&site, &attack.line()) })))?;
    let ended = program.exec(&site, Home::Site, 1)?;
    let said = String::from_utf8_lossy(&ended.output).into_owned();
    let proposed = said.contains("\"tool.call\"");
    witness.settle();
    let harm = witness.harm(&ended.output);
    Ok(match (harm.is_empty(), attack.residual.contains_key(tier)) {
        (true, _) if !proposed => {
            Outcome::Harm(vec![format!("nothing was tried: {}", said.lines().last().unwrap_or_default())])
        }
        (true, _) => Outcome::Held,
        (false, true) => Outcome::Residual(harm),
        (false, false) => Outcome::Harm(harm),
    })
}

/// Has the model make these calls, one after the other.
fn play(site: &Site, inputs: impl Iterator<Item = Value>) -> anyhow::Result<()> {
    let calls = inputs.map(|input| json!({ "calls": [{ "tool": "shell", "input": input }] }));
    let steps: Vec<Value> = calls.chain([json!({ "text": "Done." })]).collect();
    site.write("script.json", &json!({ "steps": steps }).to_string())?;
    let script = site.base.join("script.json");
    let config = format!(
        "model = \"scripted/test\"\n[providers.scripted]\nkind = \"scripted\"\nscript = \"{}\"\n",
        script.display()
    );
    site.write("config/onward/config.toml", &config)?;
    site.hand_over()
}
