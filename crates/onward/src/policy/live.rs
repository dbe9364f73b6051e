//! The rules in force, which follow their files: what is saved by this process or another counts from the next decision
//! on.
//!
//! Before each decision the files are looked at, not read: a file that is the same by device, number, size and times says
//! what it said. When one has changed, all are loaded again. A file that has become wrong meanwhile opens nothing: what
//! the rules of before deny stays denied, and everything else is asked about until the file is right again.

use std::io::ErrorKind as Io;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};

use onward_event::{Digest, Verdict};
use onward_policy::{Layer, LayerFile, LayerText, LayeredPolicy, LoadErrors};
use onward_port::{Policy, PolicyDecision, PolicyRequest, digest};

use crate::error::{CliError, ErrorKind};

/// What asks while a file of rules is wrong.
const BROKEN: &str = "rules-unusable";

/// A layer that is not read again: what was trusted is what counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OwnedLayer {
    pub(crate) layer: Layer,
    /// What it is called in errors and reasons.
    pub(crate) name: String,
    pub(crate) text: String,
}

/// The rules of files and of texts, up to date.
pub(crate) struct LivePolicy {
    files: Vec<LayerFile>,
    texts: Vec<OwnedLayer>,
    in_force: RwLock<Arc<InForce>>,
}

/// Rules, and the state of the files that they are from.
struct InForce {
    stamps: Vec<Stamp>,
    rules: Arc<LayeredPolicy>,
    /// What is wrong with the files as they are now; then the rules are those of before.
    broken: Option<Broken>,
}

/// Files that cannot be used.
struct Broken {
    why: String,
    digest: Digest,
}

/// A file's state: device, number, size, time of change of its content and of its entry.
type Stamp = Result<[i64; 7], Io>;

impl LivePolicy {
    /// Loads all layers.
    ///
    /// # Errors
    /// All that is wrong with any of them; then nothing is to be started.
    pub(crate) fn load(files: Vec<LayerFile>, texts: Vec<OwnedLayer>) -> Result<Self, LoadErrors> {
        // Before reading: what changes meanwhile is seen at the next look.
        let stamps = stamps(&files);
        let rules = Arc::new(read(&files, &texts)?);
        let in_force = RwLock::new(Arc::new(InForce { stamps, rules, broken: None }));
        Ok(Self { files, texts, in_force })
    }

    /// As [`LivePolicy::load`], for what only stops things: where a file is wrong, denials that can be read hold, and
    /// everything else is asked about until it is right.
    pub(crate) fn load_to_stop(files: Vec<LayerFile>, texts: Vec<OwnedLayer>) -> Self {
        let stamps = stamps(&files);
        let (rules, broken) = match read(&files, &texts) {
            Ok(rules) => (rules, None),
            Err(errors) => (what_can_be_read(&files, &texts), Some(Broken::of(&errors))),
        };
        let in_force = RwLock::new(Arc::new(InForce { stamps, rules: Arc::new(rules), broken }));
        Self { files, texts, in_force }
    }

    /// The rules, as their files are now.
    pub(crate) fn rules(&self) -> Arc<LayeredPolicy> {
        self.now().rules.clone()
    }

    fn now(&self) -> Arc<InForce> {
        let kept = self.in_force.read().unwrap_or_else(PoisonError::into_inner).clone();
        let stamps = stamps(&self.files);
        if kept.stamps == stamps {
            return kept;
        }
        let next = Arc::new(match read(&self.files, &self.texts) {
            Ok(rules) => InForce { stamps, rules: Arc::new(rules), broken: None },
            Err(errors) => InForce { stamps, rules: kept.rules.clone(), broken: Some(Broken::of(&errors)) },
        });
        *self.in_force.write().unwrap_or_else(PoisonError::into_inner) = next.clone();
        next
    }
}

impl Policy for LivePolicy {
    fn revision(&self) -> u64 {
        let now = self.now();
        match &now.broken {
            None => now.rules.revision(),
            // Another number than that of the rules alone, and as small: exact in every JSON reader.
            Some(broken) => {
                let first = broken.digest.0.iter().take(4).fold(0, |n, byte| (n << 8) | u64::from(*byte));
                now.rules.revision() ^ first
            }
        }
    }

    fn decide(&self, request: &PolicyRequest<'_>) -> PolicyDecision {
        let now = self.now();
        let decision = now.rules.decide(request);
        match &now.broken {
            Some(broken) if decision.verdict != Verdict::Deny => broken.asks(decision),
            _ => decision,
        }
    }
}

impl Broken {
    fn of(errors: &LoadErrors) -> Self {
        let all = errors.to_string();
        let why = errors.0.first().map_or_else(|| all.clone(), ToString::to_string);
        Self { why, digest: digest(all.as_bytes()) }
    }

    /// The decision, with everything asked about.
    fn asks(&self, decision: PolicyDecision) -> PolicyDecision {
        let mut rules = vec![BROKEN.to_owned()];
        if decision.verdict == Verdict::Ask {
            rules.extend(decision.rules);
        }
        PolicyDecision {
            verdict: Verdict::Ask,
            rules,
            reason: format!(
                "a file of rules has become wrong, and until it is right everything is asked about: {}",
                self.why
            ),
            rules_digest: Some(self.digest),
            always: None,
            ..decision
        }
    }
}

/// Whether a project's rules could be used.
///
/// # Errors
/// What is wrong with them, all of it.
pub(crate) fn check_project(name: &str, text: &str) -> Result<(), CliError> {
    let alone = [LayerText { layer: Layer::Project, name, text }];
    LayeredPolicy::from_texts(&alone).map(drop).map_err(|errors| rules_error(&errors))
}

/// What is wrong with files of rules, for people.
pub(crate) fn rules_error(errors: &LoadErrors) -> CliError {
    let message = format!("the rules cannot be used, so nothing was started:\n{errors}");
    CliError::new(ErrorKind::Config, message).with_hint("`onward policy check` looks at them again")
}

/// The layers of which nothing is wrong.
fn what_can_be_read(files: &[LayerFile], texts: &[OwnedLayer]) -> LayeredPolicy {
    let found = files.iter().filter_map(|file| {
        let text = file.read().ok().flatten()?;
        Some(OwnedLayer { layer: file.layer, name: file.path.display().to_string(), text })
    });
    let found: Vec<OwnedLayer> = found.chain(texts.iter().cloned()).collect();
    let layers =
        found.iter().map(|owned| LayerText { layer: owned.layer, name: &owned.name, text: &owned.text });
    let right: Vec<LayerText<'_>> =
        layers.filter(|layer| LayeredPolicy::from_texts(std::slice::from_ref(layer)).is_ok()).collect();
    // Two that are right can be wrong together, by the same id; then the built-in rules are what is left.
    LayeredPolicy::from_texts(&right).unwrap_or_default()
}

/// All layers, read.
fn read(files: &[LayerFile], texts: &[OwnedLayer]) -> Result<LayeredPolicy, LoadErrors> {
    let (mut unreadable, mut found) = (Vec::new(), Vec::new());
    for file in files {
        match file.read() {
            Ok(Some(text)) => {
                found.push(OwnedLayer { layer: file.layer, name: file.path.display().to_string(), text });
            }
            Ok(None) => {}
            Err(error) => unreadable.push(error),
        }
    }
    let all = found.iter().chain(texts);
    let layers: Vec<LayerText<'_>> =
        all.map(|owned| LayerText { layer: owned.layer, name: &owned.name, text: &owned.text }).collect();
    match LayeredPolicy::from_texts(&layers) {
        Ok(rules) if unreadable.is_empty() => Ok(rules),
        Ok(_) => Err(LoadErrors(unreadable)),
        Err(LoadErrors(wrong)) => Err(LoadErrors(unreadable.into_iter().chain(wrong).collect())),
    }
}

fn stamps(files: &[LayerFile]) -> Vec<Stamp> {
    files.iter().map(|file| stamp(&file.path)).collect()
}

fn stamp(path: &Path) -> Stamp {
    let meta = std::fs::metadata(path).map_err(|error| error.kind())?;
    Ok([
        meta.dev().cast_signed(),
        meta.ino().cast_signed(),
        meta.size().cast_signed(),
        meta.mtime(),
        meta.mtime_nsec(),
        meta.ctime(),
        meta.ctime_nsec(),
    ])
}

#[cfg(test)]
mod tests;
