//! No file that lends its owner's or its group's identity to whoever runs it: the mode bits that ask for it are refused.

use libc::{ENOSYS, O_CREAT, O_TMPFILE, c_long};

use super::bpf::{Answer, If, Program, Word};
use super::{REFUSE, is};

/// Newer than the tables of the C library.
pub(super) const FCHMODAT2: c_long = 452;
/// The bits of a mode that lend an identity.
const LENDING: u32 = 0o6000;

/// Calls that give a file a mode, and which argument that is. `mkdir` needs no entry: the kernel drops the bits there.
const GIVE: &[(c_long, u8)] = &[
    (libc::SYS_fchmod, 1),
    (libc::SYS_fchmodat, 2),
    (FCHMODAT2, 2),
    (libc::SYS_mknodat, 2),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_chmod, 1),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_creat, 1),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_mknod, 1),
];

/// Calls that may make a file, and which argument holds the flags; the mode is the next one.
const OPEN: &[(c_long, u8)] = &[
    (libc::SYS_openat, 2),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_open, 1),
];

/// Refuses the bits, wherever a filter can see them. On folders too: it cannot tell which they are.
pub(super) fn keep_plain(program: &mut Program) {
    // Its mode is in memory, where a filter cannot look. Programs then use `openat`.
    program.answer_if(is(libc::SYS_openat2), Answer::Fail(ENOSYS));
    for (call, mode) in GIVE {
        program.block_if(is(*call), |program| check(program, *mode));
    }
    for (call, flags) in OPEN {
        program.block_if(is(*call), |program| {
            program.load(Word::Argument(*flags));
            // Without these flags there is no mode, and anything may be in its place.
            let makes = O_CREAT | (O_TMPFILE & !libc::O_DIRECTORY);
            program.block_if(If::AnyBitOf(makes.cast_unsigned()), |program| check(program, flags + 1));
            program.answer(Answer::Allow);
        });
    }
}

fn check(program: &mut Program, mode: u8) {
    program.load(Word::Argument(mode));
    program.answer_if(If::AnyBitOf(LENDING), REFUSE);
    program.answer(Answer::Allow);
}
