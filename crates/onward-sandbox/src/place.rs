//! Which machine this is, and which run of it.

use std::path::Path;

use onward_event::Place;

/// The machine's own name for itself and for its present run.
pub(crate) fn here() -> Place {
    let read = |path: &str| std::fs::read_to_string(Path::new(path)).map(|text| text.trim().to_owned());
    let machine = read("/etc/machine-id").or_else(|_| read("/proc/sys/kernel/hostname")).unwrap_or_default();
    // Without it no restart could be noticed; an empty name never equals itself, see `same`.
    let boot = read("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    Place { machine, boot }
}

/// Whether both are certainly the same run of the same machine.
pub(crate) fn same(a: &Place, b: &Place) -> bool {
    a == b && !a.boot.is_empty()
}
