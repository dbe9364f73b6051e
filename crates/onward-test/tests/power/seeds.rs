//! Which seeds are tried, on how many threads.

use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context, Result};
use onward_test::power::Machine;
use tokio::runtime::Runtime;

/// What each seed is tried on: machines are used again, because the folder is not what is tested.
pub(crate) struct Bench {
    pub(crate) machine: Machine,
    pub(crate) runtime: Runtime,
}

impl Bench {
    pub(crate) fn new() -> Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread().build()?;
        Ok(Self { machine: Machine::new()?, runtime })
    }
}

/// How many seeds a test tries that by itself would try `usual`.
pub(crate) fn count(usual: u64) -> u64 {
    std::env::var("ONWARD_POWER_SEEDS").ok().and_then(|n| n.parse().ok()).unwrap_or(usual)
}

/// Tries each seed from 0 on; fails with the first failure that was met, and its seed.
pub(crate) fn each(count: u64, one: impl Fn(&mut Bench, u64) -> Result<()> + Sync) {
    let next = AtomicU64::new(0);
    let failed = Mutex::new(None);
    let work = || -> Result<()> {
        let mut bench = Bench::new()?;
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= count {
                return Ok(());
            }
            one(&mut bench, seed).with_context(|| format!("seed {seed}"))?;
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, NonZero::get) {
            scope.spawn(|| {
                if let Err(error) = work() {
                    next.store(count, Ordering::Relaxed);
                    failed.lock().unwrap().get_or_insert(error);
                }
            });
        }
    });
    if let Some(error) = failed.into_inner().unwrap() {
        panic!("{error:?}");
    }
}
