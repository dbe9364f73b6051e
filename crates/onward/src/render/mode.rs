//! A mode, as every view names it.

use onward_event::Mode;

/// The mode's name; of the one in which nothing is asked, what that means.
pub(crate) fn mode_words(mode: Mode) -> &'static str {
    match mode {
        Mode::Bypass => "bypass: nothing is asked about, whatever it is; only what a rule denies is denied",
        other => other.name(),
    }
}
