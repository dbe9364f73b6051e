//! The server: one thread that accepts, one for each connection.

use std::io::Write as _;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Context;

use super::exchange::Exchange;
use super::{answer, http};
use crate::process;

/// How an answer to a tool begins in a request; inside a text the quotes would be escaped.
const TOOL: &[u8] = b"{\"role\":\"tool\"";
/// What closes a request.
const CLOSING: usize = b"]}".len();
/// The process is read at every so manieth step.
const READ_EVERY: usize = 50;
/// How long a request that must come may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// What the model does.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Script {
    /// Steps with a call, before the text.
    pub(crate) steps: usize,
    /// Requests with so many answers of tools are never answered.
    pub(crate) hold_at: Option<usize>,
    /// How long it says nothing before each answer, which it then gives at once.
    pub(crate) thinks: Duration,
}

impl Script {
    /// So many steps, each answered at once.
    pub(crate) fn of(steps: usize) -> Self {
        Self { steps, hold_at: None, thinks: Duration::ZERO }
    }
}

/// The running server. It ends with the process.
pub(crate) struct Server {
    shared: Arc<Shared>,
    port: u16,
    held: Receiver<Instant>,
}

struct Shared {
    script: Script,
    exchanges: Mutex<Vec<Exchange>>,
    last_body: Mutex<Vec<u8>>,
    process: AtomicU32,
    connections: AtomicUsize,
    closed: AtomicBool,
    held: SyncSender<Instant>,
}

impl Server {
    /// On any free port of loopback.
    pub(crate) fn start(script: Script) -> anyhow::Result<Self> {
        let listener =
            TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("loopback cannot be listened on")?;
        let port = listener.local_addr().context("the port is not known")?.port();
        let (sender, held) = sync_channel(1);
        let shared = Arc::new(Shared {
            script,
            exchanges: Mutex::default(),
            last_body: Mutex::default(),
            process: AtomicU32::new(0),
            connections: AtomicUsize::new(0),
            closed: AtomicBool::new(false),
            held: sender,
        });
        let accepting = shared.clone();
        std::thread::spawn(move || accepting.accept(&listener));
        Ok(Self { shared, port, held })
    }

    /// Where it listens.
    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// Which process is read while it is answered; 0 for none.
    pub(crate) fn watch(&self, process: u32) {
        self.shared.process.store(process, Ordering::Relaxed);
    }

    /// Everything since it was last asked.
    pub(crate) fn take(&self) -> Vec<Exchange> {
        lock(&self.shared.last_body).clear();
        std::mem::take(&mut *lock(&self.shared.exchanges))
    }

    /// When the request arrived that the script holds back; waits for it.
    pub(crate) fn held(&self) -> anyhow::Result<Instant> {
        self.held.recv_timeout(PATIENCE).context("the request that was waited for did not come")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.closed.store(true, Ordering::Relaxed);
        // Wakes the thread that accepts, which then sees that it is over.
        let _ = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port));
    }
}

impl Shared {
    fn accept(self: &Arc<Self>, listener: &TcpListener) {
        for stream in listener.incoming() {
            if self.closed.load(Ordering::Relaxed) {
                return;
            }
            let Ok(stream) = stream else { continue };
            let shared = self.clone();
            let connection = self.connections.fetch_add(1, Ordering::Relaxed);
            // A connection that breaks is the other side's to complain about.
            std::thread::spawn(move || shared.serve(stream, connection).ok());
        }
    }

    fn serve(&self, mut stream: TcpStream, connection: usize) -> std::io::Result<()> {
        stream.set_nodelay(true)?;
        let mut buffer = Vec::new();
        while let Some(request) = http::read(&mut stream, &mut buffer)? {
            let script = self.script;
            let exchange = self.look_at(&request, connection);
            let step = exchange.step;
            let answer = match step < script.steps {
                true => answer::call(step, request.body.len()),
                false => answer::text(request.body.len()),
            };
            let at = {
                let mut exchanges = lock(&self.exchanges);
                exchanges.push(exchange);
                exchanges.len() - 1
            };
            if script.hold_at == Some(step) {
                // Nobody may be waiting for it.
                let _ = self.held.try_send(request.arrived);
                continue;
            }
            std::thread::sleep(script.thinks);
            stream.write_all(&answer)?;
            let now = Instant::now();
            if let Some(exchange) = lock(&self.exchanges).get_mut(at) {
                exchange.answered = Some(now);
            }
        }
        Ok(())
    }

    fn look_at(&self, request: &http::Request, connection: usize) -> Exchange {
        let body = &request.body;
        let step = body.windows(TOOL.len()).filter(|window| *window == TOOL).count();
        let mut last = lock(&self.last_body);
        let kept = &last[..last.len().saturating_sub(CLOSING)];
        let extends = body.starts_with(kept);
        last.clone_from(body);
        let process = self.process.load(Ordering::Relaxed);
        let read = process != 0 && (step.is_multiple_of(READ_EVERY) || step == self.script.steps);
        Exchange {
            arrived: request.arrived,
            answered: None,
            step,
            bytes: body.len(),
            connection,
            extends,
            process: read.then(|| process::read(process)).flatten(),
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing is left half changed by a panic.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
