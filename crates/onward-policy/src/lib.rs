//! The rules that decide whether a call may run (seed, section 3).
//!
//! Rules are data ([`Rule`]), written in TOML, from several [`Layer`]s. They have no order: **the strictest match wins**
//! (deny over ask over allow) over all rules, all layers and all parts of a call; what no rule matches is asked about. So
//! a rule can be added anywhere without undoing a stricter one. The format is in `docs/policy.md`.
//!
//! From a call to a decision:
//!
//! 1. `call`: the call is taken apart into what rules are about: commands, those inside of wrappers, files that are read
//!    or changed. `shell` reads scripts, `resolve` finds out what words mean on this machine.
//! 2. `matching`: which rules are about a part, with `pattern`, `globs` and `wild`.
//! 3. `judge`: the verdict on each part, with `modes`, `unmatched` and `grant`.
//! 4. `decide`: the parts together, with `reach`, `files`, `words` and `propose`.
//!
//! `list` and `explain` show rules and decisions to people. What time it is comes with each call.
//!
//! The library reads the files that calls name and the files of rules that it is told of, and nothing else of its
//! surroundings. Program deny-lists are a convenience; the boundary is the sandbox.

mod builtin;
mod call;
mod decide;
mod doubt;
mod escapes;
mod explain;
mod files;
mod globs;
mod grant;
mod judge;
mod layer;
mod list;
mod load;
mod matching;
mod mentions;
mod modes;
mod moment;
mod pattern;
mod policy;
mod propose;
mod protected;
mod reach;
mod resolve;
mod rule;
mod save;
mod shell;
mod suggest;
mod tools;
mod unmatched;
mod wild;
mod words;

pub use explain::{ExplainedPart, Explanation, plan_of_command};
pub use files::{MAX_FILE_BYTES, MAX_FILES};
pub use globs::PathGlobs;
pub use grant::{Grant, GrantSubject};
pub use layer::{Layer, Origin};
pub use list::{GrantLine, RuleLine};
pub use load::{LayerFile, LayerText, LoadError, LoadErrors};
pub use moment::moment;
pub use pattern::{ArgvPattern, Token};
pub use policy::LayeredPolicy;
pub use rule::{Rule, RuleSandbox, Special, ToolPattern};
pub use save::{valid_until, with_grant};
pub use shell::{Analysis, Redirect, Simple, Unwrapped, analyse, harmless, unwrap};
pub use suggest::suggestion;
pub use tools::tool_names;
pub use unmatched::UNMATCHED_IDS;
