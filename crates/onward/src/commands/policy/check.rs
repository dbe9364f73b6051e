//! `onward policy check`: loads rules, and reports every fault.

use std::path::Path;

use onward_policy::{Layer, LayerFile, LayerText, LayeredPolicy, LoadError, LoadErrors};
use serde_json::json;

use super::super::start::Start;
use crate::args::PolicyCheckArgs;
use crate::error::CliError;
use crate::exit::ExitCode;
use crate::policy::PolicyFiles;
use crate::render::{counted, printable, say, tell};

/// A file that was looked at.
struct Looked {
    layer: Layer,
    path: String,
    rules: usize,
    grants: usize,
}

pub(super) fn run(start: &Start, args: &PolicyCheckArgs) -> Result<ExitCode, CliError> {
    let named = !args.files.is_empty();
    let files = if named { given(start, args) } else { standing(start)? };
    let (mut texts, mut faults) = (Vec::new(), Vec::new());
    for file in &files {
        match file.read() {
            Ok(Some(text)) => texts.push((file.layer, file.path.display().to_string(), text)),
            Ok(None) if named => faults.push(missing(&file.path)),
            Ok(None) => {}
            Err(error) => faults.push(error),
        }
    }
    let layers: Vec<LayerText<'_>> =
        texts.iter().map(|(layer, name, text)| LayerText { layer: *layer, name, text }).collect();
    let mut warnings = Vec::new();
    let looked = match LayeredPolicy::from_texts(&layers) {
        Ok(rules) => {
            warnings = rules.warnings();
            layers.iter().map(|layer| look(&rules, layer)).collect()
        }
        Err(LoadErrors(more)) => {
            faults.extend(more);
            Vec::new()
        }
    };
    if args.json {
        report_json(&looked, &faults, &warnings)
    } else {
        report(&looked, &faults, layers.is_empty());
        for warning in &warnings {
            tell!("{}", printable(&format!("warning: {warning}")));
        }
    }
    Ok(if faults.is_empty() { ExitCode::Completed } else { ExitCode::Usage })
}

/// The files that were named, each as whose its name says.
fn given(start: &Start, args: &PolicyCheckArgs) -> Vec<LayerFile> {
    let files = args.files.iter().map(|path| start.environment.cwd.join(path));
    files.map(|path| LayerFile { layer: layer_of(start, &path), path }).collect()
}

/// The files of all layers here, the project's whether it is trusted or not: to check is not to follow.
fn standing(start: &Start) -> Result<Vec<LayerFile>, CliError> {
    let mut files = PolicyFiles::of(&start.environment).layers();
    let path = Path::new(&start.workspace()?.root).join(".onward/policy.toml");
    files.push(LayerFile { layer: Layer::Project, path });
    Ok(files)
}

fn layer_of(start: &Start, path: &Path) -> Layer {
    match path {
        _ if path.ends_with(".onward/policy.toml") => Layer::Project,
        _ if path == PolicyFiles::of(&start.environment).administrator => Layer::Administrator,
        _ => Layer::User,
    }
}

fn look(rules: &LayeredPolicy, layer: &LayerText<'_>) -> Looked {
    Looked {
        layer: layer.layer,
        path: layer.name.to_owned(),
        rules: rules.rules().iter().filter(|rule| rule.origin.file == layer.name).count(),
        grants: rules.grants().iter().filter(|grant| grant.origin.file == layer.name).count(),
    }
}

fn missing(path: &Path) -> LoadError {
    LoadError {
        file: path.display().to_string(),
        line: 0,
        column: 0,
        what: "there is no such file".into(),
        instead: String::new(),
    }
}

fn report(looked: &[Looked], faults: &[LoadError], nothing: bool) {
    for fault in faults {
        tell!("{}", printable(&fault.to_string()));
    }
    match faults.len() {
        0 if nothing => say!("there are no rules but the built-in ones"),
        0 => {}
        n => tell!("{}; none of these rules is in force", counted(n as u64, "fault")),
    }
    for Looked { layer, path, rules, grants } in looked.iter().filter(|_| faults.is_empty()) {
        let (rules, grants) = (counted(*rules as u64, "rule"), counted(*grants as u64, "grant"));
        say!("{} ({}): {rules}, {grants}: right", printable(path), layer.name());
    }
}

fn report_json(looked: &[Looked], faults: &[LoadError], warnings: &[LoadError]) {
    let files: Vec<_> = looked
        .iter()
        .map(|file| {
            let Looked { layer, path, rules, grants } = file;
            json!({ "file": path, "layer": layer.name(), "rules": rules, "grants": grants })
        })
        .collect();
    let told = |found: &[LoadError]| -> Vec<_> {
        let told = |LoadError { file, line, column, what, instead }: &LoadError| json!({ "file": file, "line": line, "column": column, "what": what, "instead": instead });
        found.iter().map(told).collect()
    };
    say!("{}", json!({ "files": files, "faults": told(faults), "warnings": told(warnings) }));
}
