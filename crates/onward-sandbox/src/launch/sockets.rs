//! Sockets with a path that somebody listens on: through them a command could have a service do what it may not do.

use std::path::PathBuf;

use super::order::Jail;

/// The paths of all sockets that somebody listens on in this network namespace, outside of the folders that the command
/// may change: what listens there, it may have started itself.
pub(super) fn listening(jail: &Jail) -> Vec<PathBuf> {
    let table = std::fs::read_to_string("/proc/net/unix").unwrap_or_default();
    let mut paths: Vec<PathBuf> = table.lines().skip(1).filter_map(path).collect();
    paths.retain(|path| !jail.writable_roots().iter().any(|root| path.starts_with(root)));
    paths.sort();
    paths.dedup();
    paths
}

/// `Num: RefCount Protocol Flags Type St Inode Path`. An abstract name starts with `@`, and is in no file system.
fn path(line: &str) -> Option<PathBuf> {
    let at = line.find(" /")?;
    Some(PathBuf::from(&line[at + 1..]))
}
