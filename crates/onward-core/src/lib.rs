//! The pure heart: fold, decide, due, and the log checker.
