//! The commands of an opaque script, as many as can be found.
//!
//! What is found is for denials only, so every doubt is resolved towards more commands: a `)` that may not close
//! anything separates commands, the body of a here-document is read as a script where a shell might read it. Beyond a
//! limit, or where a construct does not end, the text is cut at every character that could separate commands.

mod commands;
mod crude;
mod heredoc;
mod quotes;
mod redirection;
mod scanner;
mod word;
mod words;

pub(super) use commands::commands;
