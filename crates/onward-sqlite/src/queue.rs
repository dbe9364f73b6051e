//! A bounded queue from asynchronous callers to threads.
//!
//! A caller waits for a place without blocking its thread; the consumer takes everything that is there at once, which
//! is what makes a group out of requests that arrive while the previous group is being synced.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex};
use std::time::{Duration, Instant};

use tokio::sync::Semaphore;

use crate::sync::lock;

/// The queue.
pub(crate) struct Queue<T> {
    state: Mutex<State<T>>,
    filled: Condvar,
    places: Semaphore,
    limit: usize,
}

struct State<T> {
    items: VecDeque<T>,
    closed: bool,
}

/// The queue takes nothing more.
#[derive(Debug)]
pub(crate) struct Closed;

/// What a consumer found.
pub(crate) enum Drained<T> {
    /// These, in their order.
    Items(VecDeque<T>),
    /// Nothing until the time was up.
    Nothing,
    /// Nothing, and nothing will come.
    Closed,
}

impl<T> Queue<T> {
    /// At most `limit` items wait in it.
    pub(crate) fn new(limit: usize) -> Self {
        Self {
            state: Mutex::new(State { items: VecDeque::new(), closed: false }),
            filled: Condvar::new(),
            places: Semaphore::new(limit),
            limit,
        }
    }

    /// Waits for a place and takes it.
    pub(crate) async fn push(&self, item: T) -> Result<(), Closed> {
        let place = self.places.acquire().await.map_err(|_| Closed)?;
        let mut state = lock(&self.state);
        if state.closed {
            return Err(Closed);
        }
        // The consumer gives the place back when it takes the item.
        place.forget();
        state.items.push_back(item);
        drop(state);
        self.filled.notify_one();
        Ok(())
    }

    /// Takes up to `most` items; waits at most `patience` for the first, for ever when that is `None`.
    pub(crate) fn drain(&self, most: usize, patience: Option<Duration>) -> Drained<T> {
        let until = patience.map(|patience| Instant::now() + patience);
        let mut state = lock(&self.state);
        while state.items.is_empty() {
            if state.closed {
                return Drained::Closed;
            }
            state = match until.map(|until| until.saturating_duration_since(Instant::now())) {
                None => self.filled.wait(state).unwrap_or_else(std::sync::PoisonError::into_inner),
                Some(Duration::ZERO) => return Drained::Nothing,
                Some(left) => {
                    self.filled.wait_timeout(state, left).unwrap_or_else(std::sync::PoisonError::into_inner).0
                }
            };
        }
        let count = state.items.len().min(most);
        let items: VecDeque<T> = state.items.drain(..count).collect();
        drop(state);
        self.places.add_permits(count.min(self.limit));
        Drained::Items(items)
    }

    /// Takes nothing more. What is in it can still be drained.
    pub(crate) fn close(&self) {
        lock(&self.state).closed = true;
        self.places.close();
        self.filled.notify_all();
    }

    /// Takes nothing more, and drops what is in it: its consumer is gone.
    pub(crate) fn abandon(&self) {
        self.close();
        let items = std::mem::take(&mut lock(&self.state).items);
        drop(items);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[tokio::test]
    async fn a_full_queue_makes_its_callers_wait_and_a_closed_one_turns_them_away() {
        let queue = Arc::new(Queue::new(2));
        queue.push(1).await.unwrap();
        queue.push(2).await.unwrap();
        let third = tokio::spawn({
            let queue = queue.clone();
            async move { queue.push(3).await }
        });
        let Drained::Items(items) = queue.drain(1, None) else { panic!("two items are there") };
        assert_eq!(items, [1]);
        third.await.unwrap().unwrap();
        let fourth = tokio::spawn({
            let queue = queue.clone();
            async move { queue.push(4).await }
        });
        tokio::task::yield_now().await;
        queue.close();
        assert!(fourth.await.unwrap().is_err());
        let Drained::Items(rest) = queue.drain(9, None) else { panic!("what was queued stays") };
        assert_eq!(rest, [2, 3]);
        assert!(matches!(queue.drain(9, None), Drained::Closed));
    }

    #[test]
    fn waiting_has_an_end() {
        let queue = Queue::<u8>::new(1);
        assert!(matches!(queue.drain(1, Some(Duration::from_millis(1))), Drained::Nothing));
    }
}
