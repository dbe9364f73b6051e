//! A step of setting up that failed. Nothing is run then.

use std::fmt::Display;
use std::io;

/// What failed, and with which error of the system.
#[derive(Debug)]
pub(super) struct Failure(String);

impl Failure {
    /// The words for a person.
    pub(super) fn words(&self) -> String {
        self.0.clone()
    }

    pub(super) fn new(what: impl Into<String>) -> Self {
        Self(what.into())
    }
}

/// Names the step that an error belongs to.
pub(super) trait Step<T> {
    /// `step` goes on from "the sandbox could not".
    fn step(self, step: impl Display) -> Result<T, Failure>;
}

impl<T, E: Into<io::Error>> Step<T> for Result<T, E> {
    fn step(self, step: impl Display) -> Result<T, Failure> {
        self.map_err(|error| Failure(format!("the sandbox could not {step}: {}", error.into())))
    }
}
