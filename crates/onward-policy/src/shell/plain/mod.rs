//! Plain scripts: the strict reader, the second opinion, and what runs in place of the text.

mod lexer;
mod read;
mod render;
mod second;
mod step;

pub(super) use read::read;
pub(super) use render::render;
pub(super) use second::second;
pub(super) use step::{Reader, Step};
