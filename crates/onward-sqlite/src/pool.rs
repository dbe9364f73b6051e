//! The threads that read, and that write large content beside the database: what blocks, away from the caller's thread.

use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use onward_port::LogError;
use tokio::sync::oneshot;

use crate::place::Place;
use crate::queue::{Drained, Queue};
use crate::reader::{Access, Reader};
use crate::sync::lock;

/// How many threads there are.
const THREADS: usize = 2;

/// How many tasks may wait for them.
const QUEUE: usize = 256;

type Task = Box<dyn FnOnce(&mut Reader) + Send>;

/// The threads.
pub(crate) struct Pool {
    tasks: Arc<Queue<Task>>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

impl Pool {
    /// Starts them.
    pub(crate) fn start(place: &Place, access: Access) -> std::io::Result<Self> {
        let pool = Self { tasks: Arc::new(Queue::new(QUEUE)), threads: Mutex::default() };
        for _ in 0..THREADS {
            let tasks = pool.tasks.clone();
            let reader = Reader::new(place.clone(), access);
            let thread =
                std::thread::Builder::new().name("onward-read".into()).spawn(move || work(&tasks, reader));
            match thread {
                Ok(thread) => lock(&pool.threads).push(thread),
                Err(error) => {
                    pool.close();
                    return Err(error);
                }
            }
        }
        Ok(pool)
    }

    /// Runs `task` on one of them.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        task: impl FnOnce(&mut Reader) -> Result<T, LogError> + Send + 'static,
    ) -> Result<T, LogError> {
        let (reply, answer) = oneshot::channel();
        let task: Task = Box::new(move |reader| {
            // Whoever asked may have stopped waiting.
            let _ = reply.send(task(reader));
        });
        self.tasks.push(task).await.map_err(|_| closed())?;
        answer.await.map_err(|_| closed())?
    }

    /// Finishes what was begun and ends the threads.
    pub(crate) fn close(&self) {
        self.tasks.close();
        let threads = std::mem::take(&mut *lock(&self.threads));
        for thread in threads {
            // A thread that panicked is as much at its end as any other.
            let _ = thread.join();
        }
    }
}

/// The error for a store that was closed.
pub(crate) fn closed() -> LogError {
    LogError::Io("the store is closed; open it again".into())
}

fn work(tasks: &Queue<Task>, mut reader: Reader) {
    while let Drained::Items(items) = tasks.drain(1, None) {
        for task in items {
            task(&mut reader);
        }
    }
}
