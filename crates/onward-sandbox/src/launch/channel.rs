//! The one line between a launcher and who started it: a socket that is the launcher's standard input.
//!
//! The order comes down on it, reports go up, and its end tells each side that the other is gone. It is never inherited
//! by the command. Sent this way nothing of the order shows in a list of processes, and no descriptor needs a number.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Write as _};
use std::os::fd::BorrowedFd;
use std::os::unix::net::UnixStream;

use super::order::LaunchOrder;
use crate::frame;

/// Bytes of the longest report of a failure.
const MAX_FAILURE_BYTES: u64 = 4 << 10;

const INSIDE: u8 = b'i';
const FAILED: u8 = b'f';
const STARTED: u8 = b's';
const ENDED: u8 = b'e';

/// What a launcher reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Report {
    /// Process 1 of the namespaces is this one, and nobody waits for it but who made the launcher.
    Inside(i32),
    /// Nothing runs, and nothing ever will: why.
    Failed(String),
    /// The command runs.
    Started,
    /// The command has ended, with this status as the system knows it.
    Ended {
        /// The raw wait status.
        status: i32,
        /// Whether it left processes behind, which were ended.
        left_behind: bool,
    },
}

/// The launcher's end.
pub(super) struct Channel(File);

impl Channel {
    /// Takes the channel from standard input, and puts nothing in its place.
    pub(super) fn take(stdin: BorrowedFd<'_>) -> io::Result<Self> {
        let socket = stdin.try_clone_to_owned()?;
        rustix::stdio::dup2_stdin(File::open("/dev/null")?)?;
        Ok(Self(File::from(socket)))
    }

    /// The order, as soon as it comes.
    ///
    /// # Errors
    /// When there is none: who could give one is gone, or said something else.
    pub(super) fn order(&mut self) -> io::Result<LaunchOrder> {
        frame::read(&mut self.0)
    }

    /// Reports. Nobody who could be told of a failure is left when this fails.
    pub(super) fn report(&mut self, report: &Report) {
        let mut bytes = Vec::with_capacity(8);
        match report {
            Report::Inside(pid) => {
                bytes.push(INSIDE);
                bytes.extend_from_slice(&pid.to_le_bytes());
            }
            Report::Failed(why) => {
                bytes.push(FAILED);
                bytes.extend_from_slice(why.as_bytes());
            }
            Report::Started => bytes.push(STARTED),
            Report::Ended { status, left_behind } => {
                bytes.push(ENDED);
                bytes.extend_from_slice(&status.to_le_bytes());
                bytes.push(u8::from(*left_behind));
            }
        }
        let _ = self.0.write_all(&bytes);
    }

    /// Returns when nobody is left at the other end.
    pub(super) fn wait_for_its_end(&self) {
        let mut byte = [0];
        loop {
            match (&self.0).read(&mut byte) {
                Ok(0) => return,
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return,
            }
        }
    }

    pub(super) fn try_clone(&self) -> io::Result<Self> {
        self.0.try_clone().map(Self)
    }
}

/// Sends an order to a launcher.
pub(crate) fn send(socket: &mut UnixStream, order: &LaunchOrder) -> io::Result<()> {
    socket.write_all(&frame::encode(order)?)
}

/// Reads the next report; none when the launcher's end is closed: it has become the command, or is gone.
pub(crate) fn receive(socket: &mut UnixStream) -> io::Result<Option<Report>> {
    let mut kind = [0];
    match socket.read_exact(&mut kind) {
        Ok(()) => {}
        Err(error) if matches!(error.kind(), ErrorKind::UnexpectedEof | ErrorKind::ConnectionReset) => {
            return Ok(None);
        }
        Err(error) => return Err(error),
    }
    match kind[0] {
        INSIDE => {
            let mut pid = [0; 4];
            socket.read_exact(&mut pid)?;
            Ok(Some(Report::Inside(i32::from_le_bytes(pid))))
        }
        FAILED => {
            let mut why = Vec::new();
            socket.take(MAX_FAILURE_BYTES).read_to_end(&mut why)?;
            Ok(Some(Report::Failed(String::from_utf8_lossy(&why).into_owned())))
        }
        STARTED => Ok(Some(Report::Started)),
        ENDED => {
            let mut rest = [0; 5];
            socket.read_exact(&mut rest)?;
            let [a, b, c, d, left] = rest;
            Ok(Some(Report::Ended { status: i32::from_le_bytes([a, b, c, d]), left_behind: left != 0 }))
        }
        _ => Err(io::Error::new(ErrorKind::InvalidData, "a launcher says what none would say")),
    }
}
