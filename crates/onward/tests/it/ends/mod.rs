//! Ends: signals, interrupts, terminals that go away, and what people see of them.

mod hangup;
mod kept;
mod streamed;
mod term;
mod told;
mod trees;
