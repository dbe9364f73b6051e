//! `onward` alone: a conversation.

use onward_event::{JobsAtEnd, SessionId};

use super::{Named, SettingArgs};

/// A conversation at the terminal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct InteractiveArgs {
    /// Go on in this session; when absent, an interrupted one of this folder is offered.
    pub(crate) session: Option<Named<SessionId>>,
    /// Settings of the work.
    pub(crate) settings: SettingArgs,
    /// What becomes of jobs at the end.
    pub(crate) jobs: Option<JobsAtEnd>,
}
