//! What containing a command costs over starting it plainly: the launcher, the tier, and putting things in order.

use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use onward_event::{FileAccess, NetworkAccess, Sandbox, Tier};
use onward_sandbox::{Foreground, Offer, SandboxSetup, probe, run_in_foreground};

use crate::report::Row;
use crate::scene::Scene;
use crate::stats::Sample;

/// A program that does nothing.
const NOTHING: &str = "/bin/true";
/// The tiers, with the milliseconds that each may cost.
const BUDGETS: [(Tier, f64); 2] = [(Tier::Namespaces, 15.0), (Tier::Landlock, 3.0)];

pub(crate) fn measure(scene: &Scene) -> anyhow::Result<Vec<Row>> {
    let workspace = scene.scratch.path().join("sandbox");
    for folder in ["w/.git/hooks", "notes"] {
        std::fs::create_dir_all(workspace.join(folder))?;
    }
    std::fs::write(workspace.join("w/.git/config"), "")?;
    let offers = probe(scene.binary());
    let mut rows = Vec::new();
    for (tier, budget) in BUDGETS {
        if let Offer::Refused(why) = offers.offer(tier) {
            eprintln!("{} is not measured: {why}", tier.name());
            continue;
        }
        let (mut plain, mut contained) = (Vec::new(), Vec::new());
        // One after the other, so that both meet the same machine.
        for _ in 0..scene.pick(200, 40) {
            plain.push(plainly()?);
            contained.push(contain(scene, tier, &workspace)?);
        }
        let (plain, contained) = (Sample::millis(plain), Sample::millis(contained));
        let cost = contained.median() - plain.median();
        rows.push(
            Row::new(
                format!("containing a command by {}, over a plain start", tier.name()),
                format!(
                    "{cost:.1} ms median ({:.1} over {:.1}), {:.1} p95",
                    contained.median(),
                    plain.median(),
                    contained.p95()
                ),
            )
            .at_most(format!("{budget} ms"), &[cost], &[budget]),
        );
    }
    Ok(rows)
}

fn plainly() -> anyhow::Result<Duration> {
    let started = Instant::now();
    let status = Command::new(NOTHING).status().context("a program that does nothing cannot be started")?;
    if !status.success() {
        bail!("{NOTHING} failed");
    }
    Ok(started.elapsed())
}

fn contain(scene: &Scene, tier: Tier, folder: &std::path::Path) -> anyhow::Result<Duration> {
    let setup = SandboxSetup::strict();
    let workspace = folder.join("w").display().to_string();
    let sandbox = Sandbox {
        tier,
        files: FileAccess::WorkspaceWrite,
        network: NetworkAccess::Closed,
        writable: Vec::new(),
    };
    let notes = folder.join("notes");
    let command = Foreground {
        argv: vec![NOTHING.into()],
        environment: Vec::new(),
        dir: workspace.clone(),
        workspace,
        sandbox,
        setup: &setup,
        notes: &notes,
        program: scene.binary(),
    };
    let started = Instant::now();
    let (status, _) = run_in_foreground(command).map_err(anyhow::Error::msg)?;
    let took = started.elapsed();
    if !status.success() {
        bail!("{NOTHING} failed in {}", tier.name());
    }
    Ok(took)
}
