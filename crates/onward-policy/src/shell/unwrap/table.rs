//! The wrappers, each with the options that are known to change nothing about what it runs.

use crate::shell::options::Options;

/// How a wrapper runs what it wraps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// The rest is a command.
    Command,
    /// The rest is a command, to which words from elsewhere are added.
    Appending,
    /// The rest is joined by spaces and given to a shell.
    Joined,
    /// The rest is a command, or `-c` and a script.
    Locked,
    /// The rest is a command; without one a shell starts.
    Shell,
    /// `-c` is given to a shell; without it a shell starts.
    Session,
    /// Too many forms: whatever could be a command is tried.
    Unknown,
}

/// One wrapper, or several with the same options.
#[derive(Debug)]
pub(super) struct Wrapper {
    pub(super) names: &'static str,
    pub(super) form: Form,
    pub(super) options: Options,
    /// Words between the options and the command.
    pub(super) operands: usize,
    /// `NAME=value` may stand before the command.
    pub(super) assigns: bool,
    /// Options with which nothing runs.
    pub(super) shows: &'static str,
}

const PLAIN: Wrapper = Wrapper {
    names: "",
    form: Form::Command,
    options: Options::NONE,
    operands: 0,
    assigns: false,
    shows: "help version h V",
};

/// All that are known.
pub(super) const WRAPPERS: &[Wrapper] = &[
    Wrapper {
        names: "nohup builtin busybox toybox noglob nocorrect coproc catchsegv unbuffer eatmydata -",
        ..PLAIN
    },
    Wrapper {
        names: "sudo",
        options: Options {
            flags: "AbBEHkKnNPSlvV",
            valued: "CghprTtuU",
            long: "askpass background bell preserve-env set-home reset-timestamp remove-timestamp non-interactive \
                   no-update preserve-groups stdin list validate version",
            long_valued: "close-from group host prompt role command-timeout type user other-user",
        },
        assigns: true,
        shows: "l list v validate V version K remove-timestamp",
        ..PLAIN
    },
    Wrapper {
        names: "doas",
        options: Options { flags: "Ln", valued: "au", ..Options::NONE },
        shows: "L",
        ..PLAIN
    },
    Wrapper {
        names: "env genv",
        options: Options {
            flags: "i0v",
            valued: "uC",
            long: "ignore-environment null debug help version",
            long_valued: "unset chdir",
        },
        assigns: true,
        ..PLAIN
    },
    Wrapper {
        names: "timeout gtimeout",
        options: Options {
            flags: "fpv",
            valued: "ks",
            long: "foreground preserve-status verbose help version",
            long_valued: "kill-after signal",
        },
        operands: 1,
        ..PLAIN
    },
    Wrapper {
        names: "nice",
        options: Options {
            flags: "0123456789",
            valued: "n",
            long: "help version",
            long_valued: "adjustment",
        },
        ..PLAIN
    },
    Wrapper {
        names: "ionice",
        options: Options {
            flags: "t",
            valued: "cnpPu",
            long: "ignore help version",
            long_valued: "class classdata pid pgid uid",
        },
        shows: "p P u pid pgid uid help version",
        ..PLAIN
    },
    Wrapper {
        names: "chrt",
        options: Options { flags: "abdfiorRv", long: "batch fifo idle other rr verbose", ..Options::NONE },
        operands: 1,
        ..PLAIN
    },
    Wrapper { names: "taskset", options: Options { flags: "c", ..Options::NONE }, operands: 1, ..PLAIN },
    Wrapper {
        names: "setsid",
        options: Options { flags: "cfw", long: "ctty fork wait help version", ..Options::NONE },
        ..PLAIN
    },
    Wrapper {
        names: "stdbuf",
        options: Options {
            flags: "",
            valued: "ioe",
            long: "help version",
            long_valued: "input output error",
        },
        ..PLAIN
    },
    Wrapper { names: "time", options: Options { flags: "pv", long: "verbose", ..Options::NONE }, ..PLAIN },
    Wrapper { names: "command", options: Options { flags: "pvV", ..Options::NONE }, shows: "v V", ..PLAIN },
    Wrapper {
        names: "exec",
        options: Options { flags: "cl", valued: "a", ..Options::NONE },
        shows: "",
        ..PLAIN
    },
    Wrapper {
        names: "watch",
        form: Form::Joined,
        options: Options {
            flags: "bcdegptwC",
            valued: "nq",
            long: "beep color no-color differences errexit chgexit precise no-title no-wrap help version",
            long_valued: "interval equexit",
        },
        ..PLAIN
    },
    Wrapper {
        names: "xargs gxargs",
        form: Form::Appending,
        options: Options {
            flags: "0prtxo",
            valued: "adEILnPs",
            long: "null interactive no-run-if-empty verbose exit open-tty help version",
            long_valued: "arg-file delimiter max-lines max-args max-procs max-chars process-slot-var",
        },
        ..PLAIN
    },
    Wrapper {
        names: "ssh",
        form: Form::Joined,
        options: Options { flags: "46AaCfGgKkMNnqsTtVvXxYy", valued: "BbcDEeIiJLlmOpQRSWw", ..Options::NONE },
        operands: 1,
        shows: "V Q",
        ..PLAIN
    },
    Wrapper {
        names: "chroot",
        form: Form::Shell,
        options: Options { flags: "", valued: "", long: "skip-chdir", long_valued: "groups userspec" },
        operands: 1,
        ..PLAIN
    },
    Wrapper {
        names: "unshare",
        form: Form::Shell,
        options: Options {
            flags: "imnpuUCTfrc",
            valued: "SGRw",
            long: "mount uts ipc net pid user cgroup time fork map-root-user map-current-user mount-proc kill-child \
                   keep-caps",
            long_valued: "setuid setgid root wd propagation setgroups map-user map-group",
        },
        ..PLAIN
    },
    Wrapper {
        names: "nsenter",
        form: Form::Shell,
        options: Options {
            flags: "amuinpCUTFZe",
            valued: "tSG",
            long: "all mount uts ipc net pid user cgroup time no-fork preserve-credentials root wd wdns env",
            long_valued: "target setuid setgid",
        },
        ..PLAIN
    },
    Wrapper {
        names: "flock",
        form: Form::Locked,
        options: Options {
            flags: "sxeunoF",
            valued: "wE",
            long: "shared exclusive unlock nonblock nb close no-fork verbose help version",
            long_valued: "wait timeout conflict-exit-code",
        },
        operands: 1,
        ..PLAIN
    },
    Wrapper {
        names: "script su",
        form: Form::Session,
        options: Options {
            flags: "aefqlmp",
            valued: "cEosg",
            long: "append return flush quiet login preserve-environment help version",
            long_valued: "command echo output-limit shell group",
        },
        ..PLAIN
    },
    Wrapper {
        names: "strace",
        options: Options {
            flags: "cCdfFhiknqrtTvVwxyYzZ",
            valued: "abeIOpPsSuX",
            long: "follow-forks help version",
            long_valued: "",
        },
        shows: "p h V help version",
        ..PLAIN
    },
    Wrapper {
        names: "parallel runuser pkexec systemd-run bwrap firejail fakeroot proot torsocks proxychains4 xvfb-run gdb \
                ltrace perf valgrind entr screen tmux at batch start-stop-daemon dbus-run-session setpriv capsh \
                setarch linux64 linux32 i386 x86_64 gosu su-exec faketime prlimit numactl cgexec daemonize rlwrap \
                socat tsocks watchexec hyperfine repeat",
        form: Form::Unknown,
        ..PLAIN
    },
];
