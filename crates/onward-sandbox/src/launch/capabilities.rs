//! Giving up every privilege, for good: as root this decides everything, because with capabilities a sandbox can be taken
//! down from inside.

use rustix::io::Errno;
use rustix::thread::{
    CapabilitiesSecureBits, CapabilitySet, CapabilitySets, clear_ambient_capability_set,
    remove_capability_from_bounding_set, set_capabilities, set_capabilities_secure_bits, set_no_new_privs,
};

use super::failure::{Failure, Step as _};

/// Gives up all capabilities and every way to get some: bounding, ambient, inheritable, those of user 0, and those of
/// set-user-id programs.
pub(super) fn drop_all() -> Result<(), Failure> {
    set_no_new_privs(true).step("refuse new privileges")?;
    clear_ambient_capability_set().step("clear the ambient capabilities")?;
    if drop_bounding()? {
        let bits = CapabilitiesSecureBits::NO_ROOT
            | CapabilitiesSecureBits::NO_ROOT_LOCKED
            | CapabilitiesSecureBits::NO_SETUID_FIXUP
            | CapabilitiesSecureBits::NO_SETUID_FIXUP_LOCKED
            | CapabilitiesSecureBits::KEEP_CAPS_LOCKED
            | CapabilitiesSecureBits::NO_CAP_AMBIENT_RAISE
            | CapabilitiesSecureBits::NO_CAP_AMBIENT_RAISE_LOCKED;
        set_capabilities_secure_bits(bits).step("lock the secure bits")?;
    }
    let none = CapabilitySet::empty();
    let sets = CapabilitySets { effective: none, permitted: none, inheritable: none };
    set_capabilities(None, sets).step("give up its capabilities")
}

/// Empties the bounding set. False where this process may not, which is when it has no capabilities anyway: without new
/// privileges it gets none.
fn drop_bounding() -> Result<bool, Failure> {
    for number in 0..u64::BITS {
        let one = CapabilitySet::from_bits_retain(1 << number);
        match remove_capability_from_bounding_set(one) {
            Ok(()) => {}
            // Beyond the last capability that this kernel has.
            Err(Errno::INVAL) => return Ok(true),
            Err(Errno::PERM) if !rustix::process::geteuid().is_root() => return Ok(false),
            Err(error) => return Err(error).step("empty the bounding set of capabilities"),
        }
    }
    Ok(true)
}
