//! Loss of power, for the store: a disk whose cache forgets.
//!
//! Killing a process loses nothing that it wrote, because the system still has it. Loss of power does: what was written
//! since the last sync of a file may be there, or not, or in part, in any order. Here is such a disk, as a VFS of
//! SQLite, in memory:
//!
//! ```text
//!  SqliteStore ── SQLite ── vfs ──▶ Disk: what running programs see, and a trace of what they did to it
//!                                     │
//!                    trace, up to any point, played onto a
//!                                     ▼
//!                                  Platter: what is there for certain, and what is on its way
//!                                     │ power_cut(seed)
//!                                     ▼
//!                                   Image ──▶ Machine::boot: the same machine, later
//! ```
//!
//! One run gives a trace, and the trace gives every moment at which the power could have failed; nothing has to be run
//! again to be cut elsewhere. A cut decides for every 512-byte sector that was written since the last sync of its file,
//! and for every name that was made or removed since the last sync of the folder. See [`Weather`] for how.
//!
//! What SQLite assumes of a disk is what the system's own VFS tells it, and so does this one: a sector that is torn is
//! torn only where it was written (`SQLITE_IOCAP_POWERSAFE_OVERWRITE`).

mod chance;
mod disk;
mod handle;
mod image;
mod lies;
mod locks;
mod machine;
mod platter;
mod shm;
mod trace;
mod vfs;
mod weather;

pub use chance::Chance;
pub use disk::Disk;
pub use image::Image;
pub use lies::Lies;
pub use machine::Machine;
pub use platter::Platter;
pub use trace::{FileId, Op};
pub use weather::Weather;
