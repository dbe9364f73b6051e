//! How commands are contained: from the configuration to what the executor is set up with.

use std::path::{Path, PathBuf};

use onward_event::Tier;
use onward_sandbox::{Choice, Limits, SECRETS_AT_HOME, SandboxSetup};

use crate::config::{Config, Environment, MIB};
use crate::error::{CliError, ErrorKind};

/// The setup for this configuration.
///
/// # Errors
/// When a path is not text: it could neither be recorded nor shown.
pub(crate) fn sandbox_setup(config: &Config, environment: &Environment) -> Result<SandboxSetup, CliError> {
    let settings = &config.sandbox;
    let mut hidden = vec![config.data_dir()?.clone()];
    if let Some(home) = &environment.home {
        hidden.extend(SECRETS_AT_HOME.iter().map(|name| home.join(name)));
    }
    hidden.extend(config.secret_files());
    hidden.extend(settings.hidden.value.iter().cloned());
    // What is not there yet has no symbolic links on its way that count.
    let real = |path: &PathBuf| path.canonicalize().unwrap_or_else(|_| path.clone());
    Ok(SandboxSetup {
        choice: choice(settings.tier.value),
        network: settings.network.value,
        writable: settings.writable.value.iter().map(|path| text(&real(path))).collect::<Result<_, _>>()?,
        hidden: hidden.iter().map(|path| text(path)).collect::<Result<_, _>>()?,
        home: environment.home.as_ref().map(real).as_deref().map(text).transpose()?,
        limits: Limits {
            memory: settings.memory_mib.value * MIB,
            processes: settings.processes.value,
            file: settings.file_mib.value * MIB,
            open_files: settings.open_files.value,
            temporary: settings.temporary_mib.value * MIB,
        },
        ..SandboxSetup::strict()
    })
}

fn choice(tier: &str) -> Choice {
    match tier {
        "namespaces" => Choice::Exactly(Tier::Namespaces),
        "landlock" => Choice::Exactly(Tier::Landlock),
        "none" => Choice::Waived,
        _ => Choice::Auto,
    }
}

fn text(path: &Path) -> Result<String, CliError> {
    path.to_str().map(str::to_owned).ok_or_else(|| {
        CliError::new(ErrorKind::Config, format!("the path {} is not valid UTF-8", path.display()))
    })
}
