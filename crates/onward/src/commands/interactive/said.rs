//! What a line means.

use onward_event::{CallId, Mode};

use crate::args::Named;
use crate::config::mode_named;

/// A line, understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Said {
    /// Nothing.
    Nothing,
    /// To leave.
    Leave,
    /// To be told what can be said.
    Help,
    /// Another mode.
    Mode(Mode),
    /// To see the jobs.
    Jobs,
    /// That a command that runs goes on in the background: this one, or the only one.
    Background(Option<Named<CallId>>),
    /// A command that does not exist.
    Wrong(String),
    /// Words for the model.
    Message(String),
}

impl Said {
    /// Understands a line. Only a single line can be a command: what is pasted is words.
    pub(super) fn of(line: &str) -> Self {
        let text = line.trim();
        if text.is_empty() {
            return Self::Nothing;
        }
        if text.contains('\n') || !text.starts_with('/') {
            return Self::Message(text.to_owned());
        }
        match text.split_once(' ').unwrap_or((text, "")) {
            ("/quit" | "/exit", _) => Self::Leave,
            ("/help", _) => Self::Help,
            ("/jobs", _) => Self::Jobs,
            ("/background", call) => match call.trim() {
                "" => Self::Background(None),
                call => call.parse().map_or_else(
                    |why| Self::Wrong(format!("`{call}` names no call: {why}")),
                    |call| Self::Background(Some(call)),
                ),
            },
            ("/mode", name) => match mode_named(name.trim()) {
                Some(mode) => Self::Mode(mode),
                None if name.trim() == Mode::Bypass.name() => Self::Wrong(
                    "the mode bypass is never set by a line: start with `onward --bypass-permissions`".into(),
                ),
                None => Self::Wrong(format!(
                    "there is no mode `{}`: read-only, plan, normal, accept-edits, auto",
                    name.trim()
                )),
            },
            // A path is often the first word of a message.
            (command, _) if command[1..].contains('/') => Self::Message(text.to_owned()),
            (command, _) => Self::Wrong(format!("there is no command `{command}`; /help lists them")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_single_line_is_a_command() {
        assert_eq!(Said::of("  "), Said::Nothing);
        assert_eq!(Said::of("/quit"), Said::Leave);
        assert_eq!(Said::of("/mode auto"), Said::Mode(Mode::Auto));
        assert_eq!(Said::of("/jobs"), Said::Jobs);
        assert_eq!(Said::of("/background"), Said::Background(None));
        let call = CallId::from_bits(9);
        assert_eq!(Said::of(&format!("/background {call}")), Said::Background(Some(call.into())));
        assert!(matches!(Said::of("/background of this"), Said::Wrong(_)));
        assert_eq!(Said::of("/quit\n1"), Said::Message("/quit\n1".into()));
        assert_eq!(Said::of("/etc/hosts is wrong"), Said::Message("/etc/hosts is wrong".into()));
        assert!(matches!(Said::of("/mod auto"), Said::Wrong(_)));
        assert!(matches!(Said::of("/mode bypass"), Said::Wrong(why) if why.contains("--bypass-permissions")));
    }
}
