//! `onward config`: the settings in force, and where each comes from.

use std::io::Write as _;

use onward_wire::terminal::escaped;

use super::start::Start;
use crate::args::{ConfigArgs, SettingArgs};
use crate::config::{entries, render};
use crate::error::CliError;
use crate::exit::ExitCode;

pub(super) fn run(start: &Start, args: ConfigArgs) -> Result<ExitCode, CliError> {
    let config = start.config(&SettingArgs::default())?;
    let entries = entries(&config);
    let text = match args.json {
        true => {
            let laid_out = serde_json::to_string_pretty(&entries).unwrap_or_default();
            laid_out.lines().map(|line| escaped(line) + "\n").collect()
        }
        false => render(&entries),
    };
    // A reader that is gone wants no more.
    let _ = crate::render::out::stdout().write_all(text.as_bytes());
    Ok(ExitCode::Completed)
}
