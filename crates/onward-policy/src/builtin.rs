//! The built-in rules: what each mode allows, asks about and refuses.
//!
//! ```text
//!                 read    write   shell   network  dangerous
//! normal          allow   ask     ask     ask      ask
//! accept-edits    allow   allow   ask     ask      ask
//! auto            allow   allow   allow   allow    ask
//! plan, read-only allow   deny    deny    deny     deny
//! ```
//!
//! In every mode, what lies outside the workspace is denied.

use onward_event::Mode::{self, AcceptEdits, Auto, Normal, Plan, ReadOnly};
use onward_event::Risk::{self, Dangerous, Network, Read, Shell, Write};
use onward_event::Verdict::{self, Allow, Ask, Deny};

use crate::{Rule, When};

const EVERY_MODE: &[Mode] = &[Normal, AcceptEdits, Auto, Plan, ReadOnly];
const EVERY_RISK: &[Risk] = &[Read, Write, Shell, Network, Dangerous];

/// The rules that are always in force.
pub const BUILTIN: &[Rule] = &[
    rule("read-in-workspace", Allow, EVERY_MODE, &[Read], When::Effectless, "reading the workspace is free"),
    rule("write-ask", Ask, &[Normal], &[Write], When::Always, "normal mode asks before files change"),
    rule(
        "write-accept-edits",
        Allow,
        &[AcceptEdits],
        &[Write],
        When::Inside,
        "accept-edits mode lets files of the workspace change",
    ),
    rule(
        "write-auto",
        Allow,
        &[Auto],
        &[Write],
        When::Always,
        "auto mode lets files of the workspace change",
    ),
    rule(
        "shell-ask",
        Ask,
        &[Normal, AcceptEdits],
        &[Shell],
        When::Always,
        "a command can do anything that the person can do, so this mode asks before it runs",
    ),
    rule("shell-auto", Allow, &[Auto], &[Shell], When::Always, "auto mode lets commands run"),
    rule(
        "network-ask",
        Ask,
        &[Normal, AcceptEdits],
        &[Network],
        When::Always,
        "this mode asks before other machines are spoken to",
    ),
    rule(
        "network-auto",
        Allow,
        &[Auto],
        &[Network],
        When::Always,
        "auto mode lets other machines be spoken to",
    ),
    rule(
        "dangerous-ask",
        Ask,
        &[Normal, AcceptEdits, Auto],
        &[Dangerous],
        When::Always,
        "this may destroy what cannot be brought back, so every mode asks",
    ),
    rule(
        "outside-workspace",
        Deny,
        EVERY_MODE,
        EVERY_RISK,
        When::Outside,
        "this reaches outside the workspace. Work with paths inside it; if something outside is needed, say in the \
         answer what and why, so that the person can provide it",
    ),
    ceiling(
        "mode-plan",
        &[Plan],
        "plan mode is for reading and thinking: nothing may change and no command may run. Read what is needed and \
         describe the change in the answer (which files, which edits, which commands, how to verify it), so that the \
         person can agree to it and leave plan mode",
    ),
    ceiling(
        "mode-read-only",
        &[ReadOnly],
        "read-only mode lets nothing change and no command run. Answer from what can be read, and describe anything \
         that would have to be changed or run",
    ),
];

const fn rule(
    id: &'static str,
    effect: Verdict,
    modes: &'static [Mode],
    risks: &'static [Risk],
    when: When,
    reason: &'static str,
) -> Rule {
    Rule { id, effect, modes, risks, when, ceiling: false, reason }
}

/// A mode that denies whatever has effects.
const fn ceiling(id: &'static str, modes: &'static [Mode], reason: &'static str) -> Rule {
    Rule { id, effect: Deny, modes, risks: EVERY_RISK, when: When::Effectful, ceiling: true, reason }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_unique_and_every_rule_can_match() {
        for (i, rule) in BUILTIN.iter().enumerate() {
            assert!(BUILTIN.iter().skip(i + 1).all(|other| other.id != rule.id), "{} twice", rule.id);
            assert!(!rule.modes.is_empty() && !rule.risks.is_empty(), "{} matches nothing", rule.id);
            assert!(!rule.reason.is_empty(), "{} gives no reason", rule.id);
        }
    }

    #[test]
    fn only_denials_are_ceilings() {
        for rule in BUILTIN.iter().filter(|rule| rule.ceiling) {
            assert_eq!(rule.effect, Deny, "{}", rule.id);
        }
    }
}
