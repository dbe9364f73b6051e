//! Who a rule is from, and where it stands.

use std::fmt;

/// Who wrote a rule. A layer never overrides another: the strictest rule of all layers counts (seed, section 3). What a
/// layer may say differs, though: a project's rules can only tighten.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layer {
    /// The program itself.
    BuiltIn,
    /// Whoever looks after the machine. What this layer asks is answered by no saved grant unless it says so.
    Administrator,
    /// The person.
    User,
    /// The folder that is worked on, when it is trusted.
    Project,
}

/// Where a rule stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// Whose it is.
    pub layer: Layer,
    /// The file, as it was named when it was loaded.
    pub file: String,
    /// The line of its header, from 1.
    pub line: usize,
}

impl Layer {
    /// The word for it in every view.
    pub fn name(self) -> &'static str {
        match self {
            Self::BuiltIn => "built-in",
            Self::Administrator => "administrator",
            Self::User => "user",
            Self::Project => "project",
        }
    }

    /// Whether it may only ask and deny.
    pub fn only_tightens(self) -> bool {
        self == Self::Project
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.layer {
            Layer::BuiltIn => f.write_str("built-in"),
            _ => write!(f, "{}:{}", self.file, self.line),
        }
    }
}
