//! The count at the end: the ledger against the logs, and what `onward check` says of each.

use std::process::{Command, Output, Stdio};

use anyhow::Context;

use super::count::{Verdict, doubled, lost, untrue};
use super::crowd::Crowd;
use super::log::Told;

/// Counts, and names what is wrong.
pub(super) fn audit(crowd: &Crowd<'_>, hung: usize) -> anyhow::Result<Verdict> {
    let ledger = std::fs::read_to_string(crowd.stage.ledger()).context("the ledger cannot be read")?;
    let mut verdict = Verdict { kills: crowd.kills, hung, ..Verdict::default() };
    for (line, more) in doubled(&ledger) {
        println!("effect {line} happened {} times", more + 1);
        verdict.doubled += more;
    }
    for (number, session) in crowd.sessions.iter().enumerate() {
        let Some(id) = &session.id else { continue };
        let told = Told::from_lines(&said(crowd.stage.onward(number, &["log", id, "--json"]))?.0);
        for (words, fault) in lost(&session.acknowledged, &told) {
            println!("`{words}` was acknowledged by {id} and {fault}");
            verdict.lost += 1;
        }
        for line in untrue(&told, &ledger) {
            println!("{id} tells of the effect {line}, which did not happen");
            verdict.untrue += 1;
        }
        let (checked, good) = said(crowd.stage.onward(number, &["check", id]))?;
        if !good {
            println!("{}", checked.trim_end());
            verdict.broken += 1;
        }
    }
    let inputs: usize = crowd.sessions.iter().map(|session| session.acknowledged.len()).sum();
    println!(
        "{} effects on the ledger, {inputs} inputs acknowledged, {} logs not as they should be, {} effects told and \
         not found",
        ledger.lines().count(),
        verdict.broken,
        verdict.untrue
    );
    Ok(verdict)
}

/// What a command says, and whether it ended well. It only reads, and nothing else runs.
fn said(mut command: Command) -> anyhow::Result<(String, bool)> {
    let Output { status, stdout, stderr } =
        command.stdin(Stdio::null()).output().context("onward cannot be started")?;
    let text = [stdout, stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    Ok((text, status.success()))
}
