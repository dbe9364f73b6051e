//! The model of a session, made when it is needed.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;
use std::sync::Arc;

use onward_model::{ChatModel, Script, ScriptedModel};
use onward_port::Model;

use crate::config::{Access, Config, Environment};
use crate::demo;
use crate::error::{CliError, ErrorKind};

/// The longest script: whatever is longer is no script, or would not fit into memory.
const MAX_SCRIPT_BYTES: u64 = 16 << 20;

/// The models of one provider, by its name.
///
/// # Errors
/// When the provider is not configured, a secret cannot be read, or a script is wrong.
pub(crate) fn models_of(
    provider: &str,
    config: &Config,
    environment: &Environment,
) -> Result<BTreeMap<String, Arc<dyn Model>>, CliError> {
    if provider == demo::PROVIDER {
        let model =
            demo::demo_model().map_err(|error| CliError::new(ErrorKind::Runtime, error.to_string()))?;
        return Ok(BTreeMap::from([(provider.to_owned(), model)]));
    }
    let model: Arc<dyn Model> = match config.access(provider, environment)? {
        Access::Chat(access) => {
            let model = ChatModel::new(*access);
            Arc::new(model.map_err(|error| CliError::new(ErrorKind::Config, error.to_string()))?)
        }
        Access::Scripted(path) => {
            let name = path.display().to_string();
            let unreadable =
                |error| CliError::new(ErrorKind::Config, format!("cannot read the script {name}: {error}"));
            let content = read_script(&path).map_err(unreadable)?;
            let script = Script::load(&name, &content);
            Arc::new(ScriptedModel::new(
                script.map_err(|error| CliError::new(ErrorKind::Config, error.to_string()))?,
            ))
        }
    };
    Ok(BTreeMap::from([(provider.to_owned(), model)]))
}

fn read_script(path: &Path) -> io::Result<String> {
    let mut content = String::new();
    File::open(path)?.take(MAX_SCRIPT_BYTES + 1).read_to_string(&mut content)?;
    match content.len() as u64 > MAX_SCRIPT_BYTES {
        true => Err(io::Error::other(format!("it is longer than {} MiB", MAX_SCRIPT_BYTES >> 20))),
        false => Ok(content),
    }
}
