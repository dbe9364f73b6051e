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

/// The built-in tools, bound to one workspace, in the order in which a model is shown them.
///
/// The workspace's folder is opened here, once: whatever its name refers to later, files are read and changed in that
/// very folder.
///
/// # Errors
/// [`ToolsError`] when the workspace's paths are not absolute, do not contain each other, or cannot be opened.
pub fn builtin(config: ToolsConfig, workspace: &Workspace) -> Result<ToolSet, ToolsError> {
    let files = Files::open(workspace)?;
    let context = Arc::new(Context { files, limits: config.limits });
    let executor = config.executor.clone();
    let tools: [Arc<dyn Tool>; 12] = [
        tool(Read::new(&context)),
        tool(List::new(&context)),
        tool(Glob::new(&context)),
        tool(Grep::new(&context)),
        tool(Write::new(&context)),
        tool(Edit::new(&context)),
        tool(Shell::new(&context, config.shell, config.environment, config.executor)),
        tool(ReadArtifact::new(&context)),
        tool(JobList),
        tool(JobOutput::new(&context, executor)),
        tool(JobWait::new(&context)),
        tool(JobCancel),
    ];
    Ok(ToolSet::new(tools))
}

fn tool<T: BuiltIn>(inner: T) -> Arc<dyn Tool> {
    Arc::new(Typed::new(inner))
}
