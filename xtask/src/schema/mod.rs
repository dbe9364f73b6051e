//! `cargo xtask schema`: writes what follows from the types and is committed all the same, because people read it.
//!
//! - `docs/events.md`: the vocabulary of the log, from `onward-event`.
//! - `docs/wire.schema.json`: the JSON Schema of the stream behind `--json`, from `onward-wire`.
//!
//! The same types always give the same bytes, so continuous integration makes both again and fails on a difference.

mod definition;
mod events;
mod prose;
mod words;

use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;

/// Nothing to choose.
#[derive(clap::Args)]
pub(crate) struct Args {}

pub(crate) fn run(root: &Path, _args: &Args) -> anyhow::Result<ExitCode> {
    write(&root.join("docs/events.md"), &events::page())?;
    let mut wire = serde_json::to_string_pretty(&onward_wire::wire_schema())?;
    wire.push('\n');
    write(&root.join("docs/wire.schema.json"), &wire)?;
    Ok(ExitCode::SUCCESS)
}

/// Leaves a file alone that is as it should be, so that nothing that watches it is woken.
fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    if std::fs::read_to_string(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("{} cannot be made, nothing was written", folder.display()))?;
    }
    std::fs::write(path, text).with_context(|| format!("{} cannot be written", path.display()))?;
    eprintln!("schema: wrote {}", path.display());
    Ok(())
}
