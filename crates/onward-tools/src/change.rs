//! A change of one file, as `write` and `edit` make it: planned by content, recorded, made only on the content that
//! it was planned on, and found again after a crash by its content alone.

use std::path::Path;

use onward_event::{Digest, Recovery, Risk, Semantics, ToolStart};
use onward_port::{PlannedEffects, Reconciliation, ToolFault, ToolOutcome, ToolPlan, ToolReport, digest};
use serde::{Deserialize, Serialize};

use crate::config::ToolLimits;
use crate::files::{Files, Place, ReplaceError, Replacement, Target, changed_meanwhile};
use crate::preview;
use crate::text;
use crate::typed::unknown;

/// What `tool/start` records about a change: all that a later process needs to find out whether it happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Change {
    /// The file, relative to the workspace's root, without symbolic links.
    path: String,
    /// The content's digest before; null when there was no file.
    before: Option<Digest>,
    /// The content's digest after.
    after: Digest,
    /// The permission bits that the file keeps; absent for a new file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mode: Option<u32>,
    /// What the model is told when it is done.
    report: String,
}

/// A change that was worked out and not made.
pub(crate) struct Proposal {
    /// Where.
    pub(crate) target: Target,
    /// The new content.
    pub(crate) after: Vec<u8>,
    /// What the model is told when it is done.
    pub(crate) report: String,
}

impl Proposal {
    /// The plan of the call.
    ///
    /// # Errors
    /// `unsupported_name`, for a file that a record cannot name.
    pub(crate) fn plan(
        &self,
        files: &Files,
        place: &Place,
        limits: &ToolLimits,
    ) -> Result<ToolPlan, ToolFault> {
        let change = self.change(place)?;
        let recovery =
            serde_json::to_value(&change).map_err(|error| ToolFault::new("internal", error.to_string()))?;
        let path = files.paths().absolute(&self.target.real);
        let effects = PlannedEffects { writes: vec![path.clone()], ..PlannedEffects::default() };
        Ok(ToolPlan {
            risk: Risk::Write,
            semantics: Semantics::Possible(Recovery::Reconcile(recovery)),
            resources: vec![path],
            effects,
            preview: preview::of_change(files, place, self, limits.max_preview_bytes),
        })
    }

    fn change(&self, place: &Place) -> Result<Change, ToolFault> {
        let Some(path) = self.target.real.to_str() else {
            let message = format!("`{}` leads to a file whose name is not UTF-8; use a command", place.shown);
            return Err(ToolFault::new("unsupported_name", message));
        };
        Ok(Change {
            path: path.into(),
            before: self.target.hash(),
            after: digest(&self.after),
            mode: self.target.current.as_ref().map(|current| current.mode),
            report: self.report.clone(),
        })
    }
}

/// Makes the change that `start` records. `after` works the new content out again, from the file as it is.
pub(crate) fn run(
    files: &Files,
    place: &Place,
    start: &ToolStart,
    limits: &ToolLimits,
    after: impl FnOnce(&Target) -> Result<Vec<u8>, ToolFault>,
) -> ToolOutcome {
    match try_run(files, place, start, limits, after) {
        Ok(report) => ToolOutcome::Finished(ToolReport::ok(report)),
        Err(ReplaceError::Nothing(fault)) => ToolOutcome::Finished(ToolReport::fault(fault)),
        Err(ReplaceError::Unclear(content)) => ToolOutcome::Unknown { content },
    }
}

/// Finds out whether the change that `start` records was made.
pub(crate) fn reconcile(
    files: &Files,
    place: &Place,
    start: &ToolStart,
    limits: &ToolLimits,
) -> Reconciliation {
    let found = recorded(start).and_then(|change| Ok((files.target(place, limits.max_write_bytes)?, change)));
    let (target, change) = match found {
        Ok(found) => found,
        Err(fault) => return unknown(format!("the file cannot be compared: {}", fault.message)),
    };
    if target.real != Path::new(&change.path) {
        return unknown(format!("`{}` led to `{}` and now leads elsewhere", place.shown, change.path));
    }
    if let Err(error) = files.settle(&target.real, start.call) {
        return unknown(format!("`{}` cannot be put on disk: {error}", place.shown));
    }
    judge(place, &target, change)
}

fn judge(place: &Place, target: &Target, change: Change) -> Reconciliation {
    let shown = &place.shown;
    let (before, after) = (said(change.before), said(Some(change.after)));
    let now = target.hash();
    if now == Some(change.after) {
        return Reconciliation::Applied {
            evidence: format!(
                "`{shown}` has the content that the call was to give it: {after} (before: {before})"
            ),
            report: ToolReport::ok(change.report),
        };
    }
    if now == change.before {
        return Reconciliation::NotApplied {
            evidence: format!(
                "`{shown}` is as it was before the call: {before} (the call would have made it {after})"
            ),
        };
    }
    let size = target
        .current
        .as_ref()
        .map_or(String::new(), |now| format!(", {}", text::size(now.bytes.len() as u64)));
    unknown(format!(
        "`{shown}` is neither as before the call ({before}) nor as after it ({after}): it is {}{size}; somebody else \
         changed it",
        said(now)
    ))
}

fn try_run(
    files: &Files,
    place: &Place,
    start: &ToolStart,
    limits: &ToolLimits,
    after: impl FnOnce(&Target) -> Result<Vec<u8>, ToolFault>,
) -> Result<String, ReplaceError> {
    let change = recorded(start).map_err(ReplaceError::Nothing)?;
    let target = files.target(place, limits.max_write_bytes).map_err(ReplaceError::Nothing)?;
    let moved = target.real != Path::new(&change.path);
    if moved || target.hash() != change.before {
        return Err(ReplaceError::Nothing(changed_meanwhile(place, change.before, target.hash())));
    }
    let bytes = after(&target).map_err(ReplaceError::Nothing)?;
    if digest(&bytes) != change.after {
        let message =
            format!("`{}` would get another content than was planned; nothing was written", place.shown);
        return Err(ReplaceError::Nothing(ToolFault::new("internal", message)));
    }
    if change.before != Some(change.after) {
        files.replace(&Replacement {
            place,
            real: &target.real,
            call: start.call,
            before: change.before,
            bytes: &bytes,
            mode: change.mode,
            max_bytes: limits.max_write_bytes,
        })?;
    }
    Ok(change.report)
}

fn recorded(start: &ToolStart) -> Result<Change, ToolFault> {
    let missing =
        |why: &str| ToolFault::new("internal", format!("the start of this call records no change: {why}"));
    match &start.semantics {
        Semantics::Possible(Recovery::Reconcile(value)) => {
            Change::deserialize(value).map_err(|error| missing(&error.to_string()))
        }
        _ => Err(missing("its recovery is of another kind")),
    }
}

fn said(hash: Option<Digest>) -> String {
    hash.map_or("no file".into(), |hash| hash.short())
}
