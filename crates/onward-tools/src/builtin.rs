//! Puts the built-in tools of one session together.

use std::sync::Arc;

use onward_event::Workspace;
use onward_port::{Tool, ToolSet};

use crate::config::{ToolLimits, ToolsConfig};
use crate::error::ToolsError;
use crate::files::Files;
use crate::tools::{
    Edit, Glob, Grep, JobCancel, JobList, JobOutput, JobWait, List, Read, ReadArtifact, Shell, Write,
};
use crate::typed::{BuiltIn, Typed};

/// What the tools of one session share.
pub(crate) struct Context {
    /// The workspace's files.
    pub(crate) files: Files,
    /// The limits.
    pub(crate) limits: ToolLimits,
}

/// The names of the built-in tools, in the order in which a model is shown them.
pub fn builtin_names() -> Vec<&'static str> {
    TOOLS.iter().map(|(name, _)| *name).collect()
}

/// The built-in tools, bound to one workspace, in the order of their names.
///
/// The workspace's folder is opened here, once: whatever its name refers to later, files are read and changed in that
/// very folder.
///
/// # Errors
/// [`ToolsError`] when the workspace's paths are not absolute, do not contain each other, or cannot be opened.
pub fn builtin(config: ToolsConfig, workspace: &Workspace) -> Result<ToolSet, ToolsError> {
    let files = Files::open(workspace)?;
    let context = Arc::new(Context { files, limits: config.limits.clone() });
    let parts = Parts { context, config };
    Ok(ToolSet::new(TOOLS.iter().map(|(_, make)| make(&parts))))
}

/// What a tool is made of.
struct Parts {
    context: Arc<Context>,
    config: ToolsConfig,
}

type Make = fn(&Parts) -> Arc<dyn Tool>;

/// Every tool there is.
const TOOLS: [(&str, Make); 12] = [
    (Read::NAME, |of| tool(Read::new(&of.context))),
    (List::NAME, |of| tool(List::new(&of.context))),
    (Glob::NAME, |of| tool(Glob::new(&of.context))),
    (Grep::NAME, |of| tool(Grep::new(&of.context))),
    (Write::NAME, |of| tool(Write::new(&of.context))),
    (Edit::NAME, |of| tool(Edit::new(&of.context))),
    (Shell::NAME, |of| tool(shell(of))),
    (ReadArtifact::NAME, |of| tool(ReadArtifact::new(&of.context))),
    (JobList::NAME, |_| tool(JobList)),
    (JobOutput::NAME, |of| tool(JobOutput::new(&of.context, of.config.executor.clone()))),
    (JobWait::NAME, |of| tool(JobWait::new(&of.context))),
    (JobCancel::NAME, |_| tool(JobCancel)),
];

fn shell(of: &Parts) -> Shell {
    let ToolsConfig { shell, environment, executor, .. } = of.config.clone();
    Shell::new(&of.context, shell, environment, executor)
}

fn tool<T: BuiltIn>(inner: T) -> Arc<dyn Tool> {
    Arc::new(Typed::new(inner))
}
