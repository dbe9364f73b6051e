//! The loopback device of an empty network namespace: many tests speak to themselves.

use std::io;

use rustix::net::netlink::SocketAddrNetlink;
use rustix::net::{AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, recv, sendto, socket_with};

/// The index of the loopback device in every network namespace.
const LOOPBACK: i32 = 1;
const RTM_NEWLINK: u16 = 16;
const NLM_F_REQUEST_ACK: u16 = 0x05;
const NLMSG_ERROR: u16 = 2;
const IFF_UP: u32 = 1;

/// Switches the loopback device on; its addresses come with it.
pub(super) fn up() -> io::Result<()> {
    // No protocol is the one for routes and devices.
    let socket = socket_with(AddressFamily::NETLINK, SocketType::RAW, SocketFlags::CLOEXEC, None)?;
    sendto(&socket, &request(), SendFlags::empty(), &SocketAddrNetlink::new(0, 0))?;
    let mut answer = [0_u8; 256];
    let (length, _) = recv(&socket, &mut answer[..], RecvFlags::empty())?;
    // A header of 16 bytes, in it the kind at 4; then the negated error number, 0 for none.
    let word =
        |at: usize| answer.get(at..at + 4).and_then(|bytes| bytes.try_into().ok()).map(i32::from_ne_bytes);
    let kind = u16::from_ne_bytes([answer[4], answer[5]]);
    match (kind, word(16)) {
        (NLMSG_ERROR, Some(0)) if length >= 20 => Ok(()),
        (NLMSG_ERROR, Some(error)) if length >= 20 => Err(io::Error::from_raw_os_error(-error)),
        _ => Err(io::Error::new(io::ErrorKind::InvalidData, "the kernel gave no answer")),
    }
}

/// `struct nlmsghdr` and `struct ifinfomsg`.
fn request() -> [u8; 32] {
    let mut bytes = [0; 32];
    let mut put = |at: usize, part: &[u8]| bytes[at..at + part.len()].copy_from_slice(part);
    put(0, &32_u32.to_ne_bytes());
    put(4, &RTM_NEWLINK.to_ne_bytes());
    put(6, &NLM_F_REQUEST_ACK.to_ne_bytes());
    put(8, &1_u32.to_ne_bytes());
    put(20, &LOOPBACK.to_ne_bytes());
    put(24, &IFF_UP.to_ne_bytes());
    put(28, &IFF_UP.to_ne_bytes());
    bytes
}
