//! Shell analysis at its boundary: cases from data files, generated scripts against real shells, hostile texts.

#![expect(clippy::unwrap_used, reason = "a test says what it expects in the shortest way")]

mod cases;
mod hostile;
mod same_meaning;
