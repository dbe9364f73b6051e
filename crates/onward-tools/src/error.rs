//! Why the tools of a session cannot be set up. What goes wrong later, in a call, is a [`onward_port::ToolFault`].

/// The workspace is not one that tools can work in.
#[derive(Debug, thiserror::Error)]
pub enum ToolsError {
    /// A path of the workspace is relative.
    #[error("the workspace's {what} `{path}` is not an absolute path; no tool was set up")]
    NotAbsolute {
        /// `root` or `dir`.
        what: &'static str,
        /// As given.
        path: String,
    },
    /// Commands would run where file tools cannot look.
    #[error("the working folder `{dir}` is not inside the workspace `{root}`; no tool was set up")]
    DirOutsideRoot {
        /// The working folder.
        dir: String,
        /// The workspace.
        root: String,
    },
    /// The root is missing, no folder, or closed to this user.
    #[error("cannot open the workspace `{root}`: {source}; no tool was set up")]
    Root {
        /// The workspace.
        root: String,
        /// What the operating system says.
        #[source]
        source: std::io::Error,
    },
}
