//! Resource limits: none can be raised again.

use rustix::io::Errno;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::failure::{Failure, Step as _};
use crate::setup::Limits;

/// Sets the limits that count for one process.
pub(super) fn set(limits: &Limits) -> Result<(), Failure> {
    // Not the address space: managed runtimes reserve far more of it than they use.
    lower(Resource::Data, limits.memory).step("limit the memory")?;
    lower(Resource::Fsize, limits.file).step("limit the size of files")?;
    lower(Resource::Nofile, limits.open_files).step("limit the open files")?;
    lower(Resource::Core, 0).step("switch core dumps off")
}

/// Limits the number of processes, where they are counted for each user namespace.
pub(super) fn set_processes(limits: &Limits) -> Result<(), Failure> {
    lower(Resource::Nproc, limits.processes).step("limit the number of processes")
}

/// Never above what holds already.
fn lower(resource: Resource, to: u64) -> Result<(), Errno> {
    let hard = getrlimit(resource).maximum.map_or(to, |most| most.min(to));
    setrlimit(resource, Rlimit { current: Some(hard), maximum: Some(hard) })
}
