//! Whether the sandbox may be why a command failed. Only a hint: programs say such things for other reasons too.

use onward_event::{FileAccess, NetworkAccess, Sandbox, Tier};

/// What programs say when they may not change a file, in the words of the C library and of some runtimes.
const FILES: &[&str] =
    &["read-only file system", "erofs", "permission denied", "eacces", "operation not permitted", "eperm"];
/// What programs say when there is no network.
const NETWORK: &[&str] = &[
    "network is unreachable",
    "enetunreach",
    "could not resolve host",
    "name or service not known",
    "temporary failure in name resolution",
    "eai_again",
    "enotfound",
    "failed to lookup address",
    "no such host",
];

/// The hint for a command that failed and said this at its end.
pub(super) fn hint(sandbox: Option<&Sandbox>, output_end: &[u8]) -> Option<String> {
    let sandbox = sandbox.filter(|sandbox| sandbox.tier != Tier::None)?;
    let said = String::from_utf8_lossy(output_end).to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| said.contains(word));
    if sandbox.network == NetworkAccess::Closed && says(NETWORK) {
        return Some(
            "the sandbox may be why: commands reach no network; `sandbox.network = \"open\"` would allow it"
                .into(),
        );
    }
    if !says(FILES) {
        return None;
    }
    Some(match sandbox.files {
        FileAccess::ReadOnly => "the sandbox may be why: this command may change no files but temporary ones in $TMPDIR".into(),
        FileAccess::WorkspaceWrite => {
            "the sandbox may be why: files outside the workspace, and protected names in it (such as .git/config), cannot be \
             changed; `sandbox.writable = [\"FOLDER\"]` would allow a folder"
                .into()
        }
    })
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
        let files = hint(Some(&closed), b"touch: cannot touch '/etc/x': Read-only file system\n").unwrap();
        assert!(files.contains("sandbox.writable"), "{files}");
        let network = hint(Some(&closed), b"curl: (6) Could not resolve host: example.org\n").unwrap();
        assert!(network.contains("sandbox.network"), "{network}");
    }

    #[test]
    fn what_it_cannot_have_done_is_not() {
        let open = contained(NetworkAccess::Open);
        assert_eq!(hint(Some(&open), b"Could not resolve host"), None);
        assert_eq!(hint(Some(&open), b"1 test failed"), None);
        assert_eq!(hint(None, b"Permission denied"), None);
        let waived = Sandbox { tier: Tier::None, ..open };
        assert_eq!(hint(Some(&waived), b"Permission denied"), None);
    }
}
