//! Real processes in real sandboxes. What this machine does not let be tested is said by name, by each test.
//!
//! What a command could do is observed from outside of it: files, processes, sockets.

#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests are tests, too")]

mod desk;
mod environment;
mod files;
mod kernel;
mod nested;
mod network;
mod ordinary;
mod output;
mod protected;
mod tree;
mod user;
mod warm;
