//! `onward trust`: shows a folder's own configuration, and lets it take effect when the person agrees.

use std::io::{BufRead as _, IsTerminal as _};

use super::start::Start;
use crate::args::{SettingArgs, TrustArgs};
use crate::error::{CliError, ErrorKind};
use crate::exit::ExitCode;
use crate::render::{printable, prompt, say};
use crate::trust::{ProjectFiles, TrustRecord};

pub(super) fn run(start: &Start, args: TrustArgs) -> Result<ExitCode, CliError> {
    let folder = start.workspace()?.root;
    let data = start.own_config(&SettingArgs::default())?.data_dir()?.clone();
    let record = TrustRecord::read(&data)?;
    if args.revoke {
        match record.revoke(&data, &folder)? {
            true => say!("the configuration of {} has no effect any more", printable(&folder)),
            false => say!("{} was not trusted, and nothing changed", printable(&folder)),
        }
        return Ok(ExitCode::Completed);
    }
    let Some(files) = ProjectFiles::read(folder.as_ref())? else {
        say!("{} has no configuration of its own, so there is nothing to trust", printable(&folder));
        return Ok(ExitCode::Completed);
    };
    if record.trusts(&folder, &files) {
        say!("trusted already: {} of {}", files.names(), printable(&folder));
        return Ok(ExitCode::Completed);
    }
    show(&files);
    start.could_trust(&files)?;
    if !args.yes && !agreed()? {
        say!("nothing changed, and what is shown has no effect");
        return Ok(ExitCode::Completed);
    }
    record.trust(&data, &folder, &files)?;
    say!("trusted from now on: {} of {}", files.names(), printable(&folder));
    Ok(ExitCode::Completed)
}

/// The files as they are, with everything visible that a terminal would hide.
pub(super) fn show(files: &ProjectFiles) {
    for (path, text) in files.texts() {
        say!("{}:", printable(&path.to_string_lossy()));
        for line in text.lines() {
            say!("  {}", printable(line));
        }
    }
}

fn agreed() -> Result<bool, CliError> {
    if !std::io::stdin().is_terminal() {
        return Err(CliError::new(ErrorKind::Usage, "nobody is there to agree, so nothing changed")
            .with_hint("`onward trust --yes` agrees without being asked"));
    }
    prompt!("let this take effect? [y/N] ");
    let mut line = String::new();
    // Whatever goes wrong here is no agreement.
    let _ = std::io::stdin().lock().read_line(&mut line);
    Ok(matches!(line.trim(), "y" | "Y" | "yes"))
}
