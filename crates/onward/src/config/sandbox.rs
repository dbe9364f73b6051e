//! How commands are contained.

use std::path::PathBuf;

use onward_event::NetworkAccess;
use onward_sandbox::{
    DEFAULT_FILE_BYTES, DEFAULT_MEMORY_BYTES, DEFAULT_OPEN_FILES, DEFAULT_PROCESSES, DEFAULT_TEMPORARY_BYTES,
};

use super::given::{Given, Wrong};
use super::settings::Config;
use super::source::Sourced;

/// One MiB, the unit of the settings of sizes.
pub(crate) const MIB: u64 = 1 << 20;

/// The tiers by their names; `auto` is the strongest that there is.
pub(crate) const TIERS: [&str; 4] = ["auto", "namespaces", "landlock", "none"];
/// What commands may reach.
pub(crate) const NETWORKS: [&str; 2] = ["closed", "open"];

/// How commands are contained.
#[derive(Clone, Debug)]
pub(crate) struct SandboxSettings {
    /// One of [`TIERS`].
    pub(crate) tier: Sourced<&'static str>,
    /// The network, at most.
    pub(crate) network: Sourced<NetworkAccess>,
    /// Folders beside the workspace that commands may change.
    pub(crate) writable: Sourced<Vec<PathBuf>>,
    /// What commands do not see, beside what they never see.
    pub(crate) hidden: Sourced<Vec<PathBuf>>,
    /// MiB of data of one process.
    pub(crate) memory_mib: Sourced<u64>,
    /// Processes and threads of one command.
    pub(crate) processes: Sourced<u64>,
    /// MiB of the largest file.
    pub(crate) file_mib: Sourced<u64>,
    /// Open files of one process.
    pub(crate) open_files: Sourced<u64>,
    /// MiB of a command's own temporary folder.
    pub(crate) temporary_mib: Sourced<u64>,
}

impl Default for SandboxSettings {
    fn default() -> Self {
        Self {
            tier: Sourced::default_value("auto"),
            network: Sourced::default_value(NetworkAccess::Closed),
            writable: Sourced::default_value(Vec::new()),
            hidden: Sourced::default_value(Vec::new()),
            memory_mib: Sourced::default_value(DEFAULT_MEMORY_BYTES / MIB),
            processes: Sourced::default_value(DEFAULT_PROCESSES),
            file_mib: Sourced::default_value(DEFAULT_FILE_BYTES / MIB),
            open_files: Sourced::default_value(DEFAULT_OPEN_FILES),
            temporary_mib: Sourced::default_value(DEFAULT_TEMPORARY_BYTES / MIB),
        }
    }
}

type Done = Result<(), Wrong>;

pub(super) fn tier(config: &mut Config, given: Given<'_>) -> Done {
    config.sandbox.tier = given.sourced(given.one_of(TIERS.map(|tier| (tier, tier)))?);
    Ok(())
}

pub(super) fn network(config: &mut Config, given: Given<'_>) -> Done {
    let words = [NetworkAccess::Closed, NetworkAccess::Open].map(|access| (network_name(access), access));
    let (current, network) = (config.sandbox.network.value, given.one_of(words)?);
    config.sandbox.network = given.at_most(current, network, |access| network_name(access).into())?;
    Ok(())
}

pub(super) fn writable(config: &mut Config, given: Given<'_>) -> Done {
    config.sandbox.writable = given.sourced(given.paths()?);
    Ok(())
}

pub(super) fn hidden(config: &mut Config, given: Given<'_>) -> Done {
    config.sandbox.hidden = given.sourced(given.paths()?);
    Ok(())
}

pub(super) fn memory(config: &mut Config, given: Given<'_>) -> Done {
    limit(&mut config.sandbox.memory_mib, given)
}

pub(super) fn processes(config: &mut Config, given: Given<'_>) -> Done {
    limit(&mut config.sandbox.processes, given)
}

pub(super) fn file(config: &mut Config, given: Given<'_>) -> Done {
    limit(&mut config.sandbox.file_mib, given)
}

pub(super) fn open_files(config: &mut Config, given: Given<'_>) -> Done {
    limit(&mut config.sandbox.open_files, given)
}

pub(super) fn temporary(config: &mut Config, given: Given<'_>) -> Done {
    limit(&mut config.sandbox.temporary_mib, given)
}

/// The word for it.
pub(crate) fn network_name(network: NetworkAccess) -> &'static str {
    match network {
        NetworkAccess::Closed => "closed",
        NetworkAccess::Open => "open",
    }
}

fn limit(slot: &mut Sourced<u64>, given: Given<'_>) -> Done {
    let value = given.count(1)?;
    // A limit in bytes must stay a number.
    if value > u64::MAX / MIB {
        return Err(Wrong::is("is more than any machine has"));
    }
    *slot = given.at_most(slot.value, value, |n| n.to_string())?;
    Ok(())
}
