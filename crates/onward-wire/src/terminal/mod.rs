//! Untrusted text, made safe for a terminal: the one place for every front.
//!
//! A terminal takes orders from what it prints: control characters, the sequences of ECMA-48 and of the VT500 in their
//! 7-bit and 8-bit forms, and characters that cannot be seen or that turn the direction of a line. What comes out of
//! here holds no control but the end of a line and the tab, so there is nothing left to obey. What is taken out is shown
//! as a symbol, because who is shown less than there is can be deceived; only colours of output go without a trace.
//!
//! Text may come in pieces: together they give what the whole would have given. Made safe twice, it stays as it is.

mod chars;
mod filter;
mod json;
mod machine;
mod utf8;

pub use filter::{Filter, Manner, exact, output, prose};
pub use json::escaped;
