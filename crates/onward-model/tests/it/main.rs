//! The chat adapter against real sockets: a server in the test sends exactly the bytes that a scenario calls for, in
//! the pieces and with the ends that real servers and networks produce. Loopback only.
//!
//! The modules say `cfg(test)`, which is always so here, because clippy knows test code by that.

#[cfg(test)]
mod errors;
#[cfg(test)]
mod requests;
#[cfg(test)]
mod server;
#[cfg(test)]
mod streams;
#[cfg(test)]
mod support;
