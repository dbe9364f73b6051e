//! What is noted about each request.

use std::time::Instant;

use crate::process::Reading;

/// A request and its answer.
#[derive(Clone, Debug)]
pub(crate) struct Exchange {
    /// When its first byte was read.
    pub(crate) arrived: Instant,
    /// When the last byte of the answer was written; `None` when it was held back.
    pub(crate) answered: Option<Instant>,
    /// How many answers of tools it holds: the number of the steps before it.
    pub(crate) step: usize,
    /// Its size.
    pub(crate) bytes: usize,
    /// Which connection it came on.
    pub(crate) connection: usize,
    /// Whether it begins with the bytes of the request before it, less those that close it.
    pub(crate) extends: bool,
    /// The process that sent it, at every step that is read at.
    pub(crate) process: Option<Reading>,
}
