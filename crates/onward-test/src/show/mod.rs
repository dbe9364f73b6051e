//! A run as text, for snapshots: the events, what the model sees, and what a client sees.

mod event;
mod normal;
mod text;

pub use text::{events, history, screen};
