//! The fork server: a process that has started as a supervisor would, and makes copies of itself that become supervisors.
//!
//! To start a program costs more than all that a supervisor does before its command runs: loading it, relocating it, and
//! touching its memory for the first time. A copy has all that behind it.
//!
//! Whoever asks for one sends the end of the line that the supervisor will hear from, and gets a descriptor of its process
//! back. The server collects what it has made, and ends when nobody can ask any more; the supervisors live on.

use std::fs::File;
use std::io::{IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
    SendFlags, recvmsg, sendmsg,
};
use rustix::process::{Pid, PidfdFlags, WaitOptions, pidfd_open, waitpid};

use crate::sys;

/// A message carries one descriptor, and for that it must have a byte.
const MESSAGE: u8 = b'f';
/// Room for one descriptor.
const ROOM: usize = rustix::cmsg_space!(ScmRights(1));

/// Sends a descriptor.
///
/// # Errors
/// When nobody is at the other end.
pub(crate) fn send(line: BorrowedFd<'_>, descriptor: BorrowedFd<'_>) -> Result<(), Errno> {
    let mut room = [MaybeUninit::uninit(); ROOM];
    let mut ancillary = SendAncillaryBuffer::new(&mut room);
    let descriptors = [descriptor];
    if !ancillary.push(SendAncillaryMessage::ScmRights(&descriptors)) {
        return Err(Errno::NOBUFS);
    }
    sendmsg(line, &[IoSlice::new(&[MESSAGE])], &mut ancillary, SendFlags::NOSIGNAL).map(drop)
}

/// The descriptor that was sent; `None` at the end of the line.
///
/// # Errors
/// When the line cannot be read, or nothing is said for as long as was set for it.
pub(crate) fn receive(line: BorrowedFd<'_>) -> Result<Option<OwnedFd>, Errno> {
    let mut room = [MaybeUninit::uninit(); ROOM];
    let mut ancillary = RecvAncillaryBuffer::new(&mut room);
    let mut message = [0];
    recvmsg(line, &mut [IoSliceMut::new(&mut message)], &mut ancillary, RecvFlags::CMSG_CLOEXEC)?;
    Ok(ancillary.drain().find_map(|part| match part {
        RecvAncillaryMessage::ScmRights(mut descriptors) => descriptors.next(),
        _ => None,
    }))
}

/// Makes a copy of this process whenever one is asked for. Returns in each copy, with its line, and in the server itself
/// with nothing, when it is to end.
pub(super) fn serve(line: File) -> Option<File> {
    let mut made = Vec::new();
    loop {
        collect_until_asked(&line, &mut made)?;
        let theirs = receive(line.as_fd()).ok()??;
        match sys::fork().ok()? {
            None => return Some(File::from(theirs)),
            Some(pid) => {
                // Not collected yet, so that the number is still its own.
                let process = pidfd_open(pid, PidfdFlags::empty()).ok()?;
                send(line.as_fd(), process.as_fd()).ok()?;
                made.push((pid, process));
            }
        }
    }
}

/// Collects the copies that end, until there is something to read from the line.
fn collect_until_asked(line: &File, made: &mut Vec<(Pid, OwnedFd)>) -> Option<()> {
    loop {
        let processes = made.iter().map(|(_, process)| PollFd::new(process, PollFlags::IN));
        let mut all: Vec<PollFd<'_>> =
            std::iter::once(PollFd::new(line, PollFlags::IN)).chain(processes).collect();
        match poll(&mut all, None) {
            Ok(_) => {}
            Err(Errno::INTR) => continue,
            Err(_) => return None,
        }
        let ready: Vec<bool> = all.iter().map(|fd| !fd.revents().is_empty()).collect();
        let mut ended = ready.iter().skip(1).copied();
        made.retain(|(pid, _)| {
            let ended = ended.next().unwrap_or(false);
            if ended {
                let _ = waitpid(Some(*pid), WaitOptions::empty());
            }
            !ended
        });
        if ready.first() == Some(&true) {
            return Some(());
        }
    }
}
