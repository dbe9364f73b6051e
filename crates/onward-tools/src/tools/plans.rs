//! What the tools that only look have in common.

use std::sync::Arc;

use onward_event::{Access, AccessKind, Retry, Risk, Semantics};
use onward_port::{PlannedEffects, ToolFault, ToolPlan};

use crate::blocking::blocking;
use crate::builtin::Context;
use crate::files::{Found, Paths};

/// Brings the path of an input into canonical form, and says that it is read.
///
/// # Errors
/// A sentence, when it is not a path.
pub(super) fn check_read(paths: &Paths, path: &mut String) -> Result<Vec<Access>, Vec<String>> {
    let place = paths.place(path).map_err(|why| vec![format!("`path`: {why}")])?;
    *path = place.shown;
    Ok(vec![Access { kind: AccessKind::Read, resource: place.absolute }])
}

/// As [`check_read`], for a path that may be left out: the working folder, then and when it is named.
pub(super) fn check_read_below(paths: &Paths, path: &mut Option<String>) -> Result<Vec<Access>, Vec<String>> {
    let mut named = path.take().unwrap_or_else(|| HERE.into());
    let accesses = check_read(paths, &mut named)?;
    *path = (named != HERE).then_some(named);
    Ok(accesses)
}

/// The working folder.
pub(super) const HERE: &str = ".";

/// The plan of a call that only looks at what is at `path`.
///
/// # Errors
/// When there is nothing, or not what `accept` wants.
pub(super) async fn plan_read(
    context: &Arc<Context>,
    path: String,
    preview: String,
    accept: impl FnOnce(&str, &Found) -> Result<(), ToolFault> + Send + 'static,
) -> Result<ToolPlan, ToolFault> {
    let context = Arc::clone(context);
    let resource = blocking(move || {
        let place =
            context.files.paths().place(&path).map_err(|why| ToolFault::new("invalid_arguments", why))?;
        let found = context.files.find(&place)?;
        accept(&place.shown, &found)?;
        Ok(context.files.paths().absolute(&found.real))
    });
    let path = resource.await?;
    let effects = PlannedEffects { reads: vec![path.clone()], ..PlannedEffects::default() };
    Ok(ToolPlan { effects, ..looks_at(vec![path], preview) })
}

/// The plan of a call that only looks at these resources, which are no files.
pub(super) fn looks_at(resources: Vec<String>, preview: String) -> ToolPlan {
    let effects = PlannedEffects::default();
    ToolPlan { risk: Risk::Read, semantics: Semantics::None(Retry::Allowed), resources, preview, effects }
}

/// For a tool that looks into folders.
pub(super) fn folder_only(shown: &str, found: &Found) -> Result<(), ToolFault> {
    if found.meta.is_dir() {
        return Ok(());
    }
    Err(ToolFault::new("not_a_directory", format!("`{shown}` is no folder; use `read` to see what is in it")))
}
