//! The client protocol: the versioned stream behind --json.
