//! What `cargo xtask security` starts: runs attacks and ordinary work, prints what came of both, and ends with 1 when that
//! is not good enough.
//!
//! `security PROGRAM FOLDER [--json]`: the program under test, and a folder for everything that is written.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use onward_test::security::{
    Benign, Hostile, Judge, Program, Report, Work, attacks, rates, work, work_in_sessions,
};

/// An ordinary user without a name.
const NOBODY: u32 = 65_534;

fn main() -> anyhow::Result<ExitCode> {
    let mut words = std::env::args_os().skip(1);
    let mut next = |what| words.next().map(PathBuf::from).with_context(|| format!("{what} has to be named"));
    let (binary, below) = (next("the program")?, next("a folder")?);
    let json = words.any(|word| word == "--json");
    let program = Program::new(binary.canonicalize()?);
    let data = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("security");
    let benign = Benign::load(&data.join("benign.toml"))?;
    let hostile = Hostile::load(&data.join("hostile.toml"))?;
    std::fs::create_dir_all(&below)?;
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::split_paths(&path).map(|folder| folder.display().to_string()).collect();
    let rates = rates(&benign, &Judge::new(&below.canonicalize()?, path));
    let mut users = vec![("this user", program.clone())];
    if rustix::process::geteuid().is_root() {
        users = vec![("root", program.clone()), ("an ordinary user", program.as_user(NOBODY))];
    }
    let mut rows = BTreeMap::new();
    for (name, program) in &users {
        rows.insert((*name).to_owned(), attacks(&hostile, program, &below, &tiers(program, &below)?)?);
    }
    let mut works = Vec::new();
    for (name, program) in &users {
        let tiers = tiers(program, &below)?;
        let mut done = Vec::new();
        for (tier, lacks) in &tiers {
            done.push(work(&benign, program, &below, tier, lacks.as_deref())?);
        }
        if tiers.values().any(Option::is_none) {
            done.push(work_in_sessions(&benign, program, &below)?);
        }
        works.extend(done.into_iter().map(|work| Work { user: (*name).to_owned(), ..work }));
    }
    let report = Report::new(rates, works, rows);
    if json {
        println!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        print!("{report}");
    }
    Ok(if report.is_good() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The tiers that contain, and why this machine lacks one.
fn tiers(program: &Program, below: &Path) -> anyhow::Result<BTreeMap<String, Option<String>>> {
    let mut tiers = BTreeMap::new();
    for tier in ["namespaces", "landlock"] {
        tiers.insert(tier.to_owned(), program.lacks(tier, below)?);
    }
    Ok(tiers)
}
