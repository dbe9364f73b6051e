//! The filter on system calls: a list of what is refused, written as one program for the kernel.
//!
//! The file system and the network are contained by other means. The filter keeps commands from undoing these (new
//! namespaces, mounts, requests that pass filters by), from the parts of the kernel that are attacked most, and from the
//! kinds of sockets that nothing else contains.

mod bpf;
mod calls;
mod modes;

use std::io;

use bpf::{Answer, If, Program, Word};
use libc::{EPERM, c_int, c_long};

use super::failure::{Failure, Step as _};

/// Which kinds of sockets there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sockets {
    /// Local ones, those of the internet, and the one that lists network devices: where they reach nothing that they
    /// should not, or may reach everything.
    Usual,
    /// Those of the internet, but no local ones that could reach a service of this machine.
    Internet,
    /// Pairs only, which reach nobody.
    Pairs,
}

#[cfg(target_arch = "x86_64")]
const ARCHITECTURE: u32 = 0xc000_003e;
#[cfg(target_arch = "aarch64")]
const ARCHITECTURE: u32 = 0xc000_00b7;
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
compile_error!("the filter on system calls is written for x86_64 and aarch64");

/// From here on the numbers of x86_64 mean another way to call, with 32 bits.
#[cfg(target_arch = "x86_64")]
const FOREIGN_NUMBERS: u32 = 0x4000_0000;

/// All flags that ask `clone` for a namespace.
const NAMESPACES: c_int = libc::CLONE_NEWNS
    | libc::CLONE_NEWCGROUP
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET;

/// Puts words into a terminal's input.
const TIOCSTI: u32 = 0x5412;
/// The same for a console.
const TIOCLINUX: u32 = 0x541c;
/// Asks for the present personality.
const ASK_PERSONALITY: u32 = 0xffff_ffff;
/// The kind of a socket, without its flags.
const SOCKET_KIND: u32 = 0xf;

const REFUSE: Answer = Answer::Fail(EPERM);

/// Applies the filter to this process and all that it starts, for ever.
pub(super) fn apply(sockets: Sockets) -> Result<(), Failure> {
    seccompiler::apply_filter(&program(sockets))
        .map_err(io::Error::other)
        .step("apply the filter on system calls")
}

fn program(sockets: Sockets) -> Vec<seccompiler::sock_filter> {
    let mut program = Program::default();
    program.load(Word::Architecture);
    program.block_if(If::Is(ARCHITECTURE), |program| {
        program.load(Word::Number);
        #[cfg(target_arch = "x86_64")]
        program.answer_if(If::AtLeast(FOREIGN_NUMBERS), Answer::Kill);
        for call in calls::REFUSED {
            program.answer_if(is(*call), REFUSE);
        }
        // Its flags are in memory, where a filter cannot look. Programs then use `clone`.
        program.answer_if(is(libc::SYS_clone3), Answer::Fail(libc::ENOSYS));
        by_arguments(program);
        modes::keep_plain(program);
        program.block_if(is(libc::SYS_socket), |program| socket(program, sockets));
        program.block_if(is(libc::SYS_socketpair), |program| pair(program, sockets));
        program.answer(Answer::Allow);
    });
    program.answer(Answer::Kill);
    program.finish()
}

fn by_arguments(program: &mut Program) {
    program.block_if(is(libc::SYS_clone), |program| {
        program.load(Word::Argument(0));
        program.answer_if(If::AnyBitOf(NAMESPACES.cast_unsigned()), REFUSE);
        program.answer(Answer::Allow);
    });
    program.block_if(is(libc::SYS_ioctl), |program| {
        program.load(Word::Argument(1));
        program.answer_if(If::Is(TIOCSTI), REFUSE);
        program.answer_if(If::Is(TIOCLINUX), REFUSE);
        program.answer(Answer::Allow);
    });
    program.block_if(is(libc::SYS_personality), |program| {
        program.load(Word::Argument(0));
        program.answer_if(If::Is(ASK_PERSONALITY), Answer::Allow);
        program.answer_if(If::Is(0), Answer::Allow);
        program.answer(REFUSE);
    });
}

fn socket(program: &mut Program, sockets: Sockets) {
    program.load(Word::Argument(0));
    program.block_if(family(libc::AF_NETLINK), |program| {
        program.load(Word::Argument(2));
        program.answer_if(family(libc::NETLINK_ROUTE), Answer::Allow);
        program.answer(REFUSE);
    });
    if sockets == Sockets::Usual {
        program.answer_if(family(libc::AF_UNIX), Answer::Allow);
    }
    if sockets != Sockets::Pairs {
        program.answer_if(family(libc::AF_INET), Answer::Allow);
        program.answer_if(family(libc::AF_INET6), Answer::Allow);
    }
    program.answer(REFUSE);
}

/// Of a pair of sockets that takes datagrams each can still send to others by their path.
fn pair(program: &mut Program, sockets: Sockets) {
    program.load(Word::Argument(0));
    program.block_if(family(libc::AF_UNIX), |program| {
        if sockets != Sockets::Usual {
            program.load(Word::Argument(1));
            program.mask(SOCKET_KIND);
            program.answer_if(family(libc::SOCK_DGRAM), REFUSE);
            program.answer_if(family(libc::SOCK_RAW), REFUSE);
        }
        program.answer(Answer::Allow);
    });
    program.answer(REFUSE);
}

fn is(call: c_long) -> If {
    // Numbers of calls are small and positive.
    If::Is(u32::try_from(call).unwrap_or(u32::MAX))
}

fn family(number: c_int) -> If {
    If::Is(number.cast_unsigned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs a filter as the kernel does.
    fn run(program: &[seccompiler::sock_filter], architecture: u32, number: u32, arguments: &[u64]) -> u32 {
        let (mut at, mut word) = (0, 0);
        loop {
            let step = &program[at];
            at += 1;
            let jump = |holds: bool| usize::from(if holds { step.jt } else { step.jf });
            match step.code {
                0x20 => {
                    word = match step.k {
                        0 => number,
                        4 => architecture,
                        k => (arguments.get((k as usize - 16) / 8).unwrap_or(&0) & 0xffff_ffff) as u32,
                    }
                }
                0x15 => at += jump(word == step.k),
                0x35 => at += jump(word >= step.k),
                0x45 => at += jump(word & step.k != 0),
                0x54 => word &= step.k,
                0x06 => return step.k,
                other => panic!("no such instruction: {other:#x}"),
            }
        }
    }

    const ALLOW: u32 = 0x7fff_0000;
    const KILL: u32 = 0x8000_0000;
    const EPERM: u32 = 0x0005_0001;

    fn call<const N: usize>(sockets: Sockets, number: c_long, arguments: [u64; N]) -> u32 {
        run(&program(sockets), ARCHITECTURE, u32::try_from(number).unwrap(), &arguments)
    }

    #[test]
    fn ordinary_calls_pass_and_listed_ones_do_not() {
        for number in
            [libc::SYS_read, libc::SYS_openat, libc::SYS_execve, libc::SYS_connect, libc::SYS_seccomp]
        {
            assert_eq!(call(Sockets::Pairs, number, [0; 3]), ALLOW, "{number}");
        }
        for number in calls::REFUSED {
            assert_eq!(call(Sockets::Usual, *number, [0; 3]), EPERM, "{number}");
        }
        assert_eq!(
            call(Sockets::Usual, libc::SYS_clone3, [0; 3]),
            0x0005_0000 | libc::ENOSYS.cast_unsigned()
        );
    }

    #[test]
    fn another_architecture_or_way_to_call_is_killed() {
        let program = program(Sockets::Usual);
        assert_eq!(run(&program, 0x4000_0003, 1, &[]), KILL);
        #[cfg(target_arch = "x86_64")]
        assert_eq!(run(&program, ARCHITECTURE, FOREIGN_NUMBERS | 1, &[]), KILL);
    }

    #[test]
    fn the_upper_half_of_an_argument_passes_nothing_by() {
        let high = 1_u64 << 40;
        for (number, at, value) in [
            (libc::SYS_ioctl, 1, u64::from(TIOCSTI)),
            (libc::SYS_ioctl, 1, u64::from(TIOCLINUX)),
            (libc::SYS_clone, 0, 0x1000_0000),
            (libc::SYS_socket, 0, 16 + 22),
        ] {
            let mut arguments = [0; 3];
            arguments[at] = value;
            assert_eq!(call(Sockets::Usual, number, arguments), EPERM);
            arguments[at] |= high;
            assert_eq!(call(Sockets::Usual, number, arguments), EPERM);
        }
        assert_eq!(call(Sockets::Usual, libc::SYS_ioctl, [0, 0x5401, 0]), ALLOW);
        assert_eq!(call(Sockets::Usual, libc::SYS_clone, [0x0120_0011, 0, 0]), ALLOW);
    }

    #[test]
    fn sockets_are_as_the_tier_says() {
        let (unix, inet, inet6, netlink, packet) = (1, 2, 10, 16, 17);
        let socket =
            |sockets, family, protocol| call(sockets, libc::SYS_socket, [family, 1, protocol]) == ALLOW;
        assert!(socket(Sockets::Usual, unix, 0) && socket(Sockets::Usual, inet6, 0));
        assert!(!socket(Sockets::Usual, packet, 0) && !socket(Sockets::Usual, netlink, 9));
        assert!(socket(Sockets::Internet, inet, 0) && !socket(Sockets::Internet, unix, 0));
        assert!(!socket(Sockets::Pairs, inet, 0) && !socket(Sockets::Pairs, unix, 0));
        assert!(socket(Sockets::Pairs, netlink, 0));
        let pair = |sockets, kind| call(sockets, libc::SYS_socketpair, [unix, kind, 0]) == ALLOW;
        assert!(pair(Sockets::Pairs, 1 | 0o2_000_000) && !pair(Sockets::Pairs, 2 | 0o2_000_000));
        assert!(pair(Sockets::Usual, 2));
    }

    #[test]
    fn no_mode_lends_an_identity() {
        let usual = |number, arguments: [u64; 4]| call(Sockets::Usual, number, arguments);
        let (create, read) = (u64::from(libc::O_CREAT.cast_unsigned()), 0);
        for mode in [0o4755, 0o2755, 0o6000] {
            assert_eq!(usual(libc::SYS_fchmod, [3, mode, 0, 0]), EPERM);
            assert_eq!(usual(libc::SYS_fchmodat, [3, 0, mode | 1 << 40, 0]), EPERM);
            assert_eq!(usual(modes::FCHMODAT2, [3, 0, mode, 0]), EPERM);
            assert_eq!(usual(libc::SYS_mknodat, [3, 0, mode, 0]), EPERM);
            assert_eq!(usual(libc::SYS_openat, [3, 0, create, mode]), EPERM);
            assert_eq!(
                usual(libc::SYS_openat, [3, 0, u64::from(libc::O_TMPFILE.cast_unsigned()), mode]),
                EPERM
            );
            // What makes no file has no mode: anything may be in its place.
            assert_eq!(usual(libc::SYS_openat, [3, 0, read, mode]), ALLOW);
        }
        assert_eq!(usual(libc::SYS_fchmodat, [3, 0, 0o1777, 0]), ALLOW);
        assert_eq!(usual(libc::SYS_openat, [3, 0, create, 0o755]), ALLOW);
        assert_eq!(usual(libc::SYS_openat2, [0; 4]), 0x0005_0000 | libc::ENOSYS.cast_unsigned());
    }
}
