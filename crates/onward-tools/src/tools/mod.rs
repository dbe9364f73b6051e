//! The tools, one file or folder each.

mod edit;
mod glob;
mod grep;
mod jobs;
mod list;
mod plans;
mod read;
mod read_artifact;
mod shell;
mod write;

pub(crate) use edit::Edit;
pub(crate) use glob::Glob;
pub(crate) use grep::Grep;
pub(crate) use jobs::{JobCancel, JobList, JobOutput, JobWait};
pub(crate) use list::List;
pub(crate) use read::Read;
pub(crate) use read_artifact::ReadArtifact;
pub(crate) use shell::Shell;
pub(crate) use write::Write;
