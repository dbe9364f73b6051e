//! A server that reads requests and does with each connection what the test says.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// What the server does after it has read a request.
#[derive(Clone)]
pub(crate) enum Act {
    /// Sends these bytes in one piece.
    Send(Vec<u8>),
    /// Does nothing for a while.
    Wait(Duration),
    /// Closes the connection. Without it the connection waits for the next request.
    Close,
    /// Does nothing until the client leaves.
    Hold,
}

/// A request as it arrived.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    /// Counted from 0.
    pub(crate) connection: usize,
    /// Request line and headers, the names in lower case.
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

#[derive(Default)]
struct State {
    answers: Vec<Vec<Act>>,
    seen: Vec<Seen>,
    /// Connections that the client closed while they were held.
    left: usize,
}

/// A running server; it ends with the test's runtime.
pub(crate) struct Server {
    pub(crate) addr: SocketAddr,
    state: Arc<Mutex<State>>,
}

impl Server {
    /// Answers the n-th request with the n-th list, and every later one by closing.
    pub(crate) async fn start(answers: Vec<Vec<Act>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let addr = listener.local_addr().unwrap();
        let state = Arc::new(Mutex::new(State { answers, ..State::default() }));
        let shared = state.clone();
        tokio::spawn(async move {
            for connection in 0.. {
                let (stream, _) = listener.accept().await.unwrap();
                let state = shared.clone();
                tokio::spawn(async move {
                    // The client may leave at any point; that is not the server's failure.
                    let _ = serve(stream, connection, &state).await;
                });
            }
        });
        Self { addr, state }
    }

    pub(crate) fn base_url(&self) -> String {
        format!("http://{}/v1", self.addr)
    }

    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.state.lock().unwrap().seen.clone()
    }

    /// Returns when the client has closed a held connection.
    pub(crate) async fn client_left(&self) {
        while self.state.lock().unwrap().left == 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}

async fn serve(mut stream: TcpStream, connection: usize, state: &Mutex<State>) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    while let Some(seen) = read_request(&mut stream, connection).await? {
        let acts = {
            let mut state = state.lock().unwrap();
            let n = state.seen.len();
            state.seen.push(seen);
            state.answers.get(n).cloned().unwrap_or_else(|| vec![Act::Close])
        };
        for act in acts {
            match act {
                Act::Send(bytes) => stream.write_all(&bytes).await?,
                Act::Wait(time) => tokio::time::sleep(time).await,
                Act::Close => return stream.shutdown().await,
                Act::Hold => {
                    let left = matches!(stream.read(&mut [0; 64]).await, Ok(0) | Err(_));
                    state.lock().unwrap().left += usize::from(left);
                    return Ok(());
                }
            }
        }
    }
    Ok(())
}

async fn read_request(stream: &mut TcpStream, connection: usize) -> std::io::Result<Option<Seen>> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        match stream.read_u8().await {
            Ok(byte) => head.push(byte),
            Err(_) if head.is_empty() => return Ok(None),
            Err(error) => return Err(error),
        }
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let lower = head.to_ascii_lowercase();
    let length = lower.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap_or("0");
    let mut body = vec![0; length.parse().unwrap()];
    stream.read_exact(&mut body).await?;
    let (line, headers) = head.split_once("\r\n").unwrap();
    let headers = headers.lines().filter_map(|line| line.split_once(": "));
    let headers: String =
        headers.map(|(name, value)| format!("{}: {value}\n", name.to_lowercase())).collect();
    Ok(Some(Seen { connection, head: format!("{line}\n{headers}"), body }))
}
