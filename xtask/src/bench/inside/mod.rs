//! The runtime without processes around it: a model and a tool that take no time, the real store, the real owner. What
//! is left is what onward itself costs.

mod desk;
mod model;
mod tool;

pub(crate) use desk::{Desk, drive};

/// Runs to its end on one thread; the store has its own.
pub(crate) fn block_on<T>(work: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(work)
}

/// Runs to its end on as many threads as there are cores.
pub(crate) fn block_on_all<T>(work: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(work)
}
