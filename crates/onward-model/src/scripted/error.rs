//! What can be wrong with a script.

/// A script that cannot be played. Every message names the place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScriptError {
    /// Nothing but white space and comments.
    #[error("the script is empty; the shortest one is `final = \"hello\"`")]
    Empty,
    /// Not TOML or not JSON, an unknown key, a value of the wrong type.
    #[error("line {line} of the script: {message}")]
    Syntax {
        /// Counted from 1.
        line: usize,
        /// What is wrong, and for a key what would be right.
        message: String,
    },
    /// A step that is well-formed and makes no sense.
    #[error("step {step} of the script: {message}")]
    Step {
        /// Counted from 1, without repetitions.
        step: usize,
        /// What is wrong and what would be right.
        message: String,
    },
    /// One of the above, in a file.
    #[error("{path}: {error}")]
    InFile {
        /// As it was given.
        path: String,
        /// What is wrong.
        error: Box<ScriptError>,
    },
}
