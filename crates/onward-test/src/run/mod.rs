//! Runs a scenario: one life of the process after the other, until nothing is left to do.

mod documents;
mod life;
mod outcome;
mod person;
mod speaking;
mod speaking_model;
mod verify;
mod world;

pub use outcome::{End, Run};
pub use verify::verify;
pub use world::{World, run};
