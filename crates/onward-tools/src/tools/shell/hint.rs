//! Whether the sandbox may be why a command failed, and what would let it. Only a hint: programs say such things for other
//! reasons too.
//!
//! Each wall has one function, which knows the words that programs have for it, and names the setting that moves it, or
//! says that nothing does. The first that finds its words speaks: those with the rarest words come first.

mod said;

use onward_event::{FileAccess, NetworkAccess, Sandbox, Tier};
use onward_port::ExecutionEnd;

use said::{Denied, Said};

/// The file that the settings are in.
const FILE: &str = "~/.config/onward/config.toml";
const SIGXFSZ: i32 = 25;

/// A command that failed.
pub(super) struct Failed<'a> {
    /// How it is contained.
    pub(super) sandbox: Option<&'a Sandbox>,
    /// The workspace; absolute.
    pub(super) workspace: &'a str,
    /// Where it ran; absolute.
    pub(super) folder: &'a str,
    /// How it ended.
    pub(super) end: ExecutionEnd,
}

/// The hint for a command that failed and said this at its end.
pub(super) fn hint(failed: &Failed<'_>, output_end: &[u8]) -> Option<String> {
    let sandbox = failed.sandbox.filter(|sandbox| sandbox.tier != Tier::None)?;
    let said = Said::new(output_end, failed.folder);
    let why = limit(failed, sandbox, &said)
        .or_else(|| service(&said))
        .or_else(|| network(sandbox, &said))
        .or_else(|| secret(&said))
        .or_else(|| temporary(failed, sandbox, &said))
        .or_else(|| files(failed, sandbox, &said))?;
    Some(format!("the sandbox may be why: {why}"))
}

/// Memory, processes, open files, and the sizes of files.
fn limit(failed: &Failed<'_>, sandbox: &Sandbox, said: &Said) -> Option<String> {
    let raise = |what: &str, key: &str| Some(format!("{what}; `sandbox.{key}` in {FILE} raises that"));
    // A shell says it with a number of its own, and the signal itself says nothing.
    let is_too_large = matches!(failed.end, ExecutionEnd::Signalled(SIGXFSZ))
        || failed.end == ExecutionEnd::Exited(128 + SIGXFSZ);
    if is_too_large || said.any(&["file too large", "file size limit exceeded"], &["EFBIG", "SIGXFSZ"]) {
        return raise("no file of a command may be larger than its limit", "file_mib");
    }
    if said.any(MEMORY, &["ENOMEM", "MemoryError"]) {
        return raise("a process may have only so much memory", "memory_mib");
    }
    if said.any(&["too many open files"], &["EMFILE"]) {
        return raise("a process may have only so many files open", "open_files");
    }
    // Elsewhere their number is not limited by the sandbox.
    if sandbox.tier == Tier::Namespaces && said.any(PROCESSES, &[]) {
        return raise("a command may have only so many processes and threads", "processes");
    }
    let is_full = |line: &str| line.contains("no space left on device") || line.contains("enospc");
    if sandbox.tier == Tier::Namespaces
        && said.lines().any(|line| is_full(line) && said::is_about_temporary(line))
    {
        return raise("its own /tmp holds only so much", "temporary_mib");
    }
    None
}

const MEMORY: &[&str] = &[
    "cannot allocate memory",
    "memory exhausted",
    "memory allocation of",
    "virtual memory exhausted",
    "bad_alloc",
    "out of memory",
];
const PROCESSES: &[&str] = &[
    "cannot fork",
    "can't fork",
    "fork: resource temporarily unavailable",
    "fork: retry",
    "unable to create new native thread",
    "failed to spawn thread",
    "can't start new thread",
];

/// Services of the machine that are reached by local sockets.
fn service(said: &Said) -> Option<String> {
    said.any(SERVICES, &[]).then(|| {
        "services of the machine that listen on local sockets (Docker, agents for keys, D-Bus) are out of its reach, and no \
         setting allows them; whoever needs one runs the command outside of onward"
            .to_owned()
    })
}

const SERVICES: &[&str] = &[
    "cannot connect to the docker daemon",
    "docker daemon socket",
    "docker.sock",
    "podman.sock",
    "containerd.sock",
    "authentication agent",
    "ssh_auth_sock",
    "ssh-agent",
    "gpg-agent",
    "s.gpg-agent",
    "system_bus_socket",
    "session bus",
    "dbus_session_bus_address",
    "cannot open display",
    "can't open display",
];

fn network(sandbox: &Sandbox, said: &Said) -> Option<String> {
    // There no socket can be made at all, and that is all that programs say.
    let no_socket = sandbox.tier == Tier::Landlock
        && said.lines().any(|line| line.contains("socket") && line.contains(NOT_PERMITTED));
    let misses = no_socket || said.any(NETWORK, &["ENETUNREACH", "EAI_AGAIN", "ENOTFOUND"]);
    (sandbox.network == NetworkAccess::Closed && misses).then(|| {
        format!(
            "commands reach no network; `sandbox.network = \"open\"` in {FILE}, and a rule that lends it (`net = [\"*\"]`; \
             docs/policy.md), would allow it"
        )
    })
}

/// What programs say when there is no network.
const NETWORK: &[&str] = &[
    "network is unreachable",
    "could not resolve host",
    "name or service not known",
    "temporary failure in name resolution",
    "failed to lookup address",
    "no such host",
];
const NOT_PERMITTED: &str = "operation not permitted";

/// A path below `/tmp` that could not be made, or is not there. A workspace that lies there is the real one.
fn temporary(failed: &Failed<'_>, sandbox: &Sandbox, said: &Said) -> Option<String> {
    said.misses_temporary(failed.workspace).then(|| {
        let own = match sandbox.tier {
            Tier::Landlock => "/tmp is closed; the command's own is the folder in $TMPDIR",
            _ => "/tmp is the command's own; it begins empty and goes with the command",
        };
        format!(
            "{own}; `sandbox.writable = [\"/tmp/FOLDER\"]` in {FILE} would lend a folder of the machine's"
        )
    })
}

/// What is known to hold secrets.
fn secret(said: &Said) -> Option<String> {
    let path = said.missing_or_denied().into_iter().find(|path| said::is_secret(path))?;
    Some(format!(
        "`{path}` is hidden from commands, as all that usually holds secrets, and no setting shows it"
    ))
}

fn files(failed: &Failed<'_>, sandbox: &Sandbox, said: &Said) -> Option<String> {
    let denied = said.denied()?;
    if sandbox.files == FileAccess::ReadOnly {
        return Some(
            "this command may change no files but temporary ones in $TMPDIR, since the mode (`plan`, `read-only`) or the rule \
             that let it run says so; a rule with `sandbox = \"workspace-write\"` (docs/policy.md) would let it change the \
             workspace"
                .into(),
        );
    }
    let allow = |folder: &str| format!("`sandbox.writable = [\"{folder}\"]` in {FILE} would allow it");
    Some(match denied {
        Denied::Path(path) => match said::below(&path, failed.workspace) {
            Some(name) if said::is_protected(name) => {
                format!(
                    "`{name}` is a protected name, since it starts programs, and nothing allows a command to change it"
                )
            }
            // The sandbox keeps nothing else in it.
            Some(_) => return None,
            None => format!(
                "`{path}` is outside the workspace: it cannot be changed, nor read if it is hidden; {}",
                allow(&said::lendable(&path))
            ),
        },
        Denied::Something => format!(
            "files outside the workspace, and protected names in it (such as .git/config), cannot be changed; {}, for a \
             folder; for protected names nothing does",
            allow("FOLDER")
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contained(network: NetworkAccess) -> Sandbox {
        Sandbox { tier: Tier::Namespaces, files: FileAccess::WorkspaceWrite, network, writable: Vec::new() }
    }

    fn hint(sandbox: Option<&Sandbox>, workspace: &str, output_end: &[u8]) -> Option<String> {
        let failed = Failed { sandbox, workspace, folder: workspace, end: ExecutionEnd::Exited(1) };
        super::hint(&failed, output_end)
    }

    /// What is said for each wall in each tier, from the words of real programs.
    #[test]
    fn each_wall_has_its_words() {
        let read_only = Sandbox { files: FileAccess::ReadOnly, ..contained(NetworkAccess::Closed) };
        let namespaces = contained(NetworkAccess::Closed);
        let landlock = Sandbox { tier: Tier::Landlock, ..namespaces.clone() };
        let mut lines = Vec::new();
        for said in [
            "touch: cannot touch '/opt/x/y': Read-only file system",
            "touch: cannot touch '/home/user/.npmrc': Permission denied",
            "error: could not lock config file .git/config: Read-only file system",
            "sh: 1: ./run.sh: Permission denied",
            "Permission denied (os error 13)",
            "sh: 1: cannot create /tmp/build/x: Directory nonexistent",
            "cat: /home/user/.ssh/config: No such file or directory",
            "curl: (6) Could not resolve host: example.org",
            "socket: Operation not permitted",
            "Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?",
            "Could not open a connection to your authentication agent.",
            "dd: memory exhausted by input buffer of size 134217728 bytes (128 MiB)",
            "sh: 1: Cannot fork",
            "head: error writing 'standard output': File too large",
            "cp: error writing '/tmp/big': No space left on device",
            "accept: Too many open files",
        ] {
            lines.push(said.to_owned());
            for (name, sandbox) in
                [("namespaces", &namespaces), ("landlock", &landlock), ("read-only", &read_only)]
            {
                let hint = hint(Some(sandbox), "/home/user/work", said.as_bytes());
                lines.push(format!("  {name}: {}", hint.unwrap_or_else(|| "-".into())));
            }
        }
        let failed = Failed {
            sandbox: Some(&namespaces),
            workspace: "/w",
            folder: "/w",
            end: ExecutionEnd::Signalled(SIGXFSZ),
        };
        lines.push(format!("(SIGXFSZ)\n  {}", super::hint(&failed, b"").unwrap()));
        insta::assert_snapshot!(lines.join("\n"));
    }

    #[test]
    fn what_the_sandbox_may_have_done_is_said() {
        let closed = contained(NetworkAccess::Closed);
        let files =
            hint(Some(&closed), "/work", b"touch: cannot touch '/etc/x': Read-only file system\n").unwrap();
        assert!(files.contains("sandbox.writable"), "{files}");
        let network =
            hint(Some(&closed), "/work", b"curl: (6) Could not resolve host: example.org\n").unwrap();
        assert!(network.contains("sandbox.network"), "{network}");
    }

    #[test]
    fn what_it_cannot_have_done_is_not() {
        let open = contained(NetworkAccess::Open);
        assert_eq!(hint(Some(&open), "/work", b"Could not resolve host"), None);
        assert_eq!(hint(Some(&open), "/work", b"1 test failed"), None);
        assert_eq!(hint(None, "/work", b"Permission denied"), None);
        let waived = Sandbox { tier: Tier::None, ..open };
        assert_eq!(hint(Some(&waived), "/work", b"Permission denied"), None);
    }

    #[test]
    fn names_of_errors_are_whole_words() {
        let closed = contained(NetworkAccess::Closed);
        let python = b"FileNotFoundError: [Errno 2] No such file or directory: 'x.txt'";
        assert_eq!(hint(Some(&closed), "/work", python), None);
        assert_eq!(hint(Some(&closed), "/work", b"SUPERPERM and eperm"), None);
        let node = hint(Some(&closed), "/work", b"Error: getaddrinfo ENOTFOUND example.org").unwrap();
        assert!(node.contains("net = [\"*\"]") && node.contains("~/.config/onward/config.toml"), "{node}");
        assert!(
            hint(Some(&closed), "/work", b"Error: EACCES: open '/etc/x'")
                .unwrap()
                .contains("sandbox.writable")
        );
    }

    #[test]
    fn a_socket_that_cannot_be_made_is_the_network() {
        let said = b"socket: Operation not permitted";
        let landlock = Sandbox { tier: Tier::Landlock, ..contained(NetworkAccess::Closed) };
        assert!(hint(Some(&landlock), "/work", said).unwrap().contains("sandbox.network"));
        assert!(
            hint(Some(&contained(NetworkAccess::Closed)), "/work", said)
                .unwrap()
                .contains("sandbox.writable")
        );
    }

    #[test]
    fn the_temporary_folder_is_the_commands_own() {
        let namespaces = contained(NetworkAccess::Closed);
        let said = b"sh: 1: cannot create /tmp/build/x: Directory nonexistent";
        assert!(hint(Some(&namespaces), "/work", said).unwrap().contains("/tmp is the command's own"));
        let landlock = Sandbox { tier: Tier::Landlock, ..namespaces.clone() };
        assert!(
            hint(Some(&landlock), "/work", b"touch: /tmp/x: Permission denied").unwrap().contains("$TMPDIR")
        );
        assert_eq!(hint(Some(&namespaces), "/work", b"cat: target/tmp/x: No such file or directory"), None);
    }

    #[test]
    fn a_workspace_below_it_is_not_the_commands_own() {
        let namespaces = contained(NetworkAccess::Closed);
        let hinted = |workspace: &str, said: &[u8]| hint(Some(&namespaces), workspace, said).is_some();
        let of_workspace = b"cat: /tmp/Work/missing: No such file or directory";
        assert!(!hinted("/tmp/Work", of_workspace) && !hinted("/tmp", of_workspace));
        assert!(!hinted("/tmp/Work", b"ls: cannot access '/tmp/Work': No such file or directory"));
        for other in [
            &b"cat: /tmp/Worker/missing: No such file or directory"[..],
            b"cat: /tmp/Work-2/missing: No such file or directory",
            b"cp: cannot create '/tmp/x' from /tmp/Work/x: No such file or directory",
        ] {
            assert!(hinted("/tmp/Work", other));
        }
    }
}
