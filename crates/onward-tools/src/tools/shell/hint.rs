//! Whether the sandbox may be why a command failed. Only a hint: programs say such things for other reasons too.

use onward_event::{FileAccess, NetworkAccess, Sandbox, Tier};

/// What programs say when they may not change a file, in the words of the C library.
const FILES: &[&str] = &["read-only file system", "permission denied", NOT_PERMITTED];
/// The same, as names of errors.
const FILES_CODES: &[&str] = &["EROFS", "EACCES", "EPERM"];
/// What programs say when there is no network.
const NETWORK: &[&str] = &[
    "network is unreachable",
    "could not resolve host",
    "name or service not known",
    "temporary failure in name resolution",
    "failed to lookup address",
    "no such host",
];
/// The same, as names of errors.
const NETWORK_CODES: &[&str] = &["ENETUNREACH", "EAI_AGAIN", "ENOTFOUND"];
const NOT_PERMITTED: &str = "operation not permitted";
/// What programs say of a file that they cannot make.
const NOT_MADE: &[&str] = &["no such file or directory", "cannot create", "can't create", "cannot touch"];

/// The hint for a command that failed and said this at its end; the workspace is an absolute path.
pub(super) fn hint(sandbox: Option<&Sandbox>, workspace: &str, output_end: &[u8]) -> Option<String> {
    let sandbox = sandbox.filter(|sandbox| sandbox.tier != Tier::None)?;
    let said = Said::new(output_end);
    if sandbox.network == NetworkAccess::Closed && said.misses_network(sandbox.tier) {
        return Some(
            "the sandbox may be why: commands reach no network; `sandbox.network = \"open\"` in \
             ~/.config/onward/config.toml, and a rule that lends it (`net = [\"*\"]`; docs/policy.md), would allow it"
                .into(),
        );
    }
    if said.misses_temporary(workspace) {
        return Some(match sandbox.tier {
            Tier::Landlock => {
                "the sandbox may be why: /tmp is closed; the command's own is the folder in $TMPDIR".into()
            }
            _ => {
                "the sandbox may be why: /tmp is the command's own; it begins empty and goes with the command"
                    .into()
            }
        });
    }
    if !said.any(FILES, FILES_CODES) {
        return None;
    }
    Some(match sandbox.files {
        FileAccess::ReadOnly => "the sandbox may be why: this command may change no files but temporary ones in $TMPDIR".into(),
        FileAccess::WorkspaceWrite => {
            "the sandbox may be why: files outside the workspace, and protected names in it (such as .git/config), cannot be \
             changed; `sandbox.writable = [\"FOLDER\"]` in ~/.config/onward/config.toml would allow a folder"
                .into()
        }
    })
}

/// The end of an output.
struct Said {
    as_it_is: String,
    in_lower_case: String,
}

impl Said {
    fn new(output_end: &[u8]) -> Self {
        let as_it_is = String::from_utf8_lossy(output_end).into_owned();
        Self { in_lower_case: as_it_is.to_lowercase(), as_it_is }
    }

    /// Sentences count in any case; names of errors as words, and as they are written: others contain them.
    fn any(&self, sentences: &[&str], codes: &[&str]) -> bool {
        let mut words = self.as_it_is.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        sentences.iter().any(|sentence| self.in_lower_case.contains(sentence))
            || words.any(|word| codes.contains(&word))
    }

    fn misses_network(&self, tier: Tier) -> bool {
        // There no socket can be made at all, and that is all that programs say.
        let no_socket = tier == Tier::Landlock
            && self.in_lower_case.contains("socket")
            && self.any(&[NOT_PERMITTED], &["EPERM"]);
        no_socket || self.any(NETWORK, NETWORK_CODES)
    }

    /// Whether a line is about a path below `/tmp` that could not be made. A workspace that lies there is the real one.
    fn misses_temporary(&self, workspace: &str) -> bool {
        let workspace = workspace.to_lowercase();
        let of_tmp = |line: &str| {
            line.match_indices("/tmp/").any(|(at, _)| {
                // Not one that ends in it, such as `/var/tmp/` or `target/tmp/`.
                let before = line.get(..at).and_then(|before| before.chars().next_back());
                let path = line.get(at..).unwrap_or_default();
                before.is_none_or(|c| !is_of_name(c) && c != '/') && !is_within(path, &workspace)
            })
        };
        let fails = |line: &str| NOT_MADE.iter().chain(FILES).any(|sentence| line.contains(sentence));
        self.in_lower_case.lines().any(|line| of_tmp(line) && fails(line))
    }
}

/// Whether a text begins with this folder, or with a path below it.
fn is_within(text: &str, folder: &str) -> bool {
    let rest = text.strip_prefix(folder.trim_end_matches('/'));
    rest.is_some_and(|rest| !rest.starts_with(is_of_name))
}

/// Whether a name goes on with it.
fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || "._-".contains(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contained(network: NetworkAccess) -> Sandbox {
        Sandbox { tier: Tier::Namespaces, files: FileAccess::WorkspaceWrite, network, writable: Vec::new() }
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
