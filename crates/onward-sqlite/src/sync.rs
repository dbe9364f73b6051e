//! A mutex whose poison is ignored.
//!
//! Nothing here leaves its data half changed while it could panic, so a poisoned lock says nothing about the data.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks, whatever happened to an earlier holder.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
