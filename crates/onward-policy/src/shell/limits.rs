//! How much of a script is looked at. Beyond a limit a script is opaque, and never judged more mildly for it.

/// Bytes of a script that may be plain. What a person can read before agreeing is far shorter.
pub(super) const PLAIN_BYTES: usize = 64 * 1024;

/// Commands of a script that may be plain.
pub(super) const PLAIN_COMMANDS: usize = 256;

/// Bytes of an opaque script in which commands are looked for.
pub(super) const SCAN_BYTES: usize = 256 * 1024;

/// Bytes that are read in all: the inside of backquotes and of here-documents is read more than once.
pub(super) const SCAN_WORK: usize = 8 * SCAN_BYTES;

/// Commands that are looked for in an opaque script.
pub(super) const SCAN_COMMANDS: usize = 16 * 1024;

/// Levels of substitutions, subshells and expansions. Beyond it a script is cut at every character that means
/// something to a shell, which needs no recursion.
pub(super) const SCAN_DEPTH: usize = 24;

/// Wrappers around one command (`sudo env nice sh -c ..`) that are opened.
pub(super) const WRAPPERS: usize = 4;

/// Commands that are found inside the wrappers of one command.
pub(super) const WRAPPED_COMMANDS: usize = 256;

/// Places at which a command may start behind options that are not known, all of which are tried.
pub(super) const GUESSES: usize = 16;
