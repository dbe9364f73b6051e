//! The commands inside wrappers: what `sudo env A=b sh -c '..'` runs in the end.

mod awk;
mod engine;
mod env;
mod find;
mod git;
mod interpreter;
mod make;
mod shells;
mod step;
mod table;
mod wrapper;

pub use engine::{Unwrapped, unwrap};
