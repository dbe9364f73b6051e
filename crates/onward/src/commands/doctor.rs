//! `onward doctor`: what this machine offers, found out by trying it.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

use onward_event::Tier;
use onward_port::Executor as _;
use onward_sandbox::{Offer, Probe, Reach, SandboxSetup, SupervisedExecutor, probe, reach};

use super::links;
use super::start::Start;
use crate::args::DoctorArgs;
use crate::compose::{SELF, SUPERVISOR, sandbox_setup};
use crate::config::{Config, network_name};
use crate::error::CliError;
use crate::exit::ExitCode;

pub(super) fn run(start: &Start, args: &DoctorArgs) -> Result<ExitCode, CliError> {
    let workspace = start.workspace()?;
    let config = start.config(&args.settings())?;
    let setup = sandbox_setup(&config, &start.environment)?;
    let data = config.data_dir()?.clone();
    let executor =
        SupervisedExecutor::new(data.join("executions"), SELF.into(), vec![SUPERVISOR.into()], setup.clone());
    let offered = executor.containment();
    let probe = probe(SELF.as_ref());
    let mut report = Report::default();
    report.line(
        "sandbox",
        match &offered {
            Ok(offered) if offered.tier == Tier::None => {
                "none: waived. A command can do what you can do".into()
            }
            Ok(offered) => format!("{}, network {}", offered.tier.name(), network_name(offered.network)),
            Err(why) => why.clone(),
        },
    );
    tiers(&mut report, &probe);
    system(&mut report, &probe);
    report.line("data folder", folder(&data));
    report.line("shell", program(&config.shell.program.value));
    report.line("git", on_path(start, "git"));
    report.line("protected", protected(workspace.root.as_ref(), &setup));
    report.line("linked files", links::report(workspace.root.as_ref()));
    writable(&mut report, &config);
    // A reader that is gone wants no more.
    let _ = crate::render::out::stdout().write_all(report.0.as_bytes());
    Ok(if offered.is_ok() { ExitCode::Completed } else { ExitCode::Error })
}

/// Lines of a name and what there is to say about it.
#[derive(Default)]
struct Report(String);

impl Report {
    fn line(&mut self, name: &str, what: String) {
        let _ = writeln!(self.0, "{name:14} {what}");
    }
}

fn tiers(report: &mut Report, probe: &Probe) {
    for tier in [Tier::Namespaces, Tier::Landlock] {
        let what = match probe.offer(tier) {
            Offer::Available(missing) if missing.is_empty() => "available".to_owned(),
            Offer::Available(missing) => format!("available; missing: {}", missing.join("; ")),
            Offer::Refused(why) => format!("not available: {why}"),
        };
        report.line(&format!("  {}", tier.name()), what);
    }
}

fn system(report: &mut Report, probe: &Probe) {
    let read = |path: &str| std::fs::read_to_string(path).map(|text| text.trim().to_owned());
    report.line("kernel", read("/proc/sys/kernel/osrelease").unwrap_or_else(|error| error.to_string()));
    report.line(
        "landlock",
        match probe.landlock_version {
            Some(version) => format!("version {version}"),
            None => "none".into(),
        },
    );
    let groups = match Path::new("/sys/fs/cgroup/cgroup.controllers").exists() {
        true => "version 2; not used: no limit is on the sum of a command's processes",
        false => "not version 2; not used: no limit is on the sum of a command's processes",
    };
    report.line("cgroups", groups.into());
}

fn folder(path: &Path) -> String {
    match path.metadata() {
        Ok(meta) if meta.permissions().readonly() => format!("{} (read-only)", path.display()),
        Ok(meta) if meta.is_dir() => path.display().to_string(),
        Ok(_) => format!("{} is no folder", path.display()),
        Err(error) => format!("{} is not there yet: {error}", path.display()),
    }
}

fn program(path: &Path) -> String {
    match path.is_file() {
        true => path.display().to_string(),
        false => format!("{} is not there: set `shell.program`", path.display()),
    }
}

fn on_path(start: &Start, name: &str) -> String {
    let folders = start.environment.var("PATH").unwrap_or_default().split(':');
    let found = folders.map(|folder| Path::new(folder).join(name)).find(|path| path.is_file());
    found.map_or_else(|| format!("`{name}` is not on the PATH"), |path| path.display().to_string())
}

/// How far the names that no command may change are looked for in the folders of the workspace.
fn protected(workspace: &Path, setup: &SandboxSetup) -> String {
    let Reach { folders, holders, is_complete } = reach(workspace, setup);
    match is_complete {
        true => format!(
            "names in {holders} folders of the workspace, beside its own; all {folders} were looked through"
        ),
        false => format!(
            "names in {holders} folders of the workspace, beside its own, of {folders} that were looked through: it has more \
             than are looked after, and commands can change the names in those"
        ),
    }
}

fn writable(report: &mut Report, config: &Config) {
    for path in &config.sandbox.writable.value {
        let what = if path.exists() { "" } else { " (not there: ignored)" };
        report.line("writable", format!("{}{what}", path.display()));
    }
}
