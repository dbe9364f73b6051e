//! The stream as a client sees it: every line by snapshot, and what holds for all of them.

mod lines;
mod samples;
mod schema;
mod terminal;
