//! What a shell script does, as far as its text tells: the commands in it, and whether it is *plain*.
//!
//! ```text
//! text ─▶ plain::read ──agrees with plain::second──▶ Plain: vectors, and what runs in place of the text
//!    └──▶ scan::commands ─────────────────────────▶ Opaque: every command that could be found, for denials
//! ```
//!
//! Plain is a short list of what is understood completely; two parsers that share no code have to read the same
//! words out of it, and the text that runs is written anew from them, with every word quoted. So what was judged is
//! what runs, and not what a shell makes of the original. Everything else is opaque. An opaque script is never
//! allowed for what was found in it; it is only ever refused for that, which is why the scan may find commands that
//! would not run but must not lose one in a construct that it does not know.
//!
//! Nothing here looks at files, at the environment or at the clock, and no input makes it panic, recurse beyond a
//! limit or take more than a multiple of its length in time ([`limits`]).

mod analysis;
mod chars;
mod harmless;
mod limits;
mod names;
mod options;
mod outputs;
mod plain;
mod scan;
mod sed;
mod unwrap;

pub use analysis::{Analysis, Redirect, Simple, analyse};
pub use harmless::harmless;
pub(crate) use outputs::outputs;
pub use unwrap::{Unwrapped, unwrap};
