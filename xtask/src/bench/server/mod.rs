//! The model that the processes under measurement speak to: a server on loopback that answers at once.
//!
//! It plays *n* steps of one `shell` call, `echo 1`, `echo 2`, …, then a text. Which step a request gets is decided by
//! the request alone (how many answers of tools it holds), so a process that starts after a crash is answered as the
//! old one would have been. It notes when the first byte of each request came and when the last byte of each answer
//! was handed to the kernel; what lies between those two is the model's time, and everything that costs the server
//! something happens there.

mod answer;
mod exchange;
mod http;
mod serve;

pub(crate) use exchange::Exchange;
pub(crate) use serve::{Script, Server};
