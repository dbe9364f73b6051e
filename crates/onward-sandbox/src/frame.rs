//! Messages on a line: each is its length and then itself, as JSON.
//!
//! Half a message is none: who was cut off while it spoke has said nothing.

use std::io::{self, ErrorKind, Read};

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Bytes of the longest message: what a command line and an environment can be, as JSON.
const MAX_BYTES: u32 = 64 << 20;

/// The bytes of a message.
///
/// # Errors
/// When it is too long.
pub(crate) fn encode(message: &impl Serialize) -> io::Result<Vec<u8>> {
    let text = serde_json::to_vec(message).map_err(io::Error::other)?;
    let length = u32::try_from(text.len()).ok().filter(|length| *length <= MAX_BYTES);
    let length = length.ok_or_else(|| io::Error::new(ErrorKind::InvalidInput, "the command is too long"))?;
    Ok([length.to_le_bytes().as_slice(), &text].concat())
}

/// The next message. Takes nothing of what follows it.
///
/// # Errors
/// At the end, when that comes first or in the middle, and when it is not what is expected.
pub(crate) fn read<T: DeserializeOwned>(from: &mut impl Read) -> io::Result<T> {
    let mut length = [0; 4];
    from.read_exact(&mut length)?;
    let length = u32::from_le_bytes(length);
    if length > MAX_BYTES {
        return Err(io::Error::new(ErrorKind::InvalidData, "the message is too long"));
    }
    let mut text = Vec::new();
    from.take(length.into()).read_to_end(&mut text)?;
    if text.len() < length as usize {
        return Err(ErrorKind::UnexpectedEof.into());
    }
    serde_json::from_slice(&text).map_err(io::Error::other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_follow_each_other() {
        let mut line = encode(&"one").unwrap();
        line.extend(encode(&vec![2_u32, 3]).unwrap());
        let mut line = line.as_slice();
        assert_eq!(read::<String>(&mut line).unwrap(), "one");
        assert_eq!(read::<Vec<u32>>(&mut line).unwrap(), [2, 3]);
        assert_eq!(read::<String>(&mut line).unwrap_err().kind(), ErrorKind::UnexpectedEof);
    }

    #[test]
    fn a_message_that_was_cut_off_says_nothing() {
        let whole = encode(&"a message").unwrap();
        for length in 0..whole.len() {
            assert!(read::<String>(&mut &whole[..length]).is_err(), "{length}");
        }
        // A length alone reserves nothing, and one beyond the limit is refused.
        assert!(read::<String>(&mut [0xff; 64].as_slice()).is_err());
    }
}
