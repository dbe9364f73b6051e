//! What a command in namespaces of its own sees of the file system.
//!
//! The view is the machine's own, in a mount namespace that nobody else sees: all of it read-only, with fresh folders over
//! those that belong to a running system, nothing where secrets are, and the folders that may be changed put back on top.
//! What is put back is copied first, while paths still lead where they should. There is no old root to leave behind:
//! what is covered is covered in this namespace, whose mounts the command can neither move nor take away.

use std::fs;
use std::io;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};

use rustix::mount::{MountPropagationFlags, mount_change};

use super::failure::{Failure, Step as _};
use super::order::Jail;
use super::sight::Sight;
use super::tree_fd::Mount;
use crate::sys::{Attributes, Reach};

/// Folders that every process may write, and where services listen: fresh and the command's own.
pub(super) const FRESH: &[&str] = &["/tmp", "/var/tmp", "/run", "/var/run"];
/// The devices that a command has.
const DEVICES: &[&str] = &["null", "zero", "full", "random", "urandom", "tty"];
/// What distributions keep below `/run` and programs are found by: links into a store that nobody changes.
pub(super) const KEPT_LINKS: &[&str] = &["/run/current-system", "/run/booted-system", "/run/opengl-driver"];
/// Where names of other machines are looked up; often a link to below `/run`.
pub(super) const RESOLVER: &str = "/etc/resolv.conf";
/// Bytes of what a small file system may hold.
const SMALL: &str = "16m";

/// What is put at a path.
enum Part {
    /// An empty folder of the command's own, for this many bytes.
    Fresh(String),
    /// The command's devices.
    Devices(Vec<(&'static str, Mount)>),
    /// The command's own processes.
    Processes(Mount),
    /// Nothing, in place of a folder or a file.
    Nothing,
    /// What was there before.
    Copy(Mount),
    /// A symbolic link.
    Link(PathBuf),
}

/// Makes the view.
pub(super) fn make(jail: &Jail, sight: &Sight) -> Result<(), Failure> {
    mount_change("/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC)
        .step("keep its mounts to itself")?;
    let mut parts = parts(jail, sight)?;
    // What contains another part comes first.
    parts.sort_by_key(|(path, _)| path.components().count());
    let root = Mount::root().step("open the root of the file system")?;
    root.mark(Attributes::READ_ONLY.and(Attributes::TAME), Reach::Tree).step("make the system read-only")?;
    let mut closed = Vec::new();
    for (path, part) in parts {
        put(&path, part, &jail.limits, &mut closed).step(format_args!("set up {}", path.display()))?;
    }
    for mount in closed {
        mount.mark(Attributes::READ_ONLY, Reach::One).step("close what it has set up")?;
    }
    Ok(())
}

fn parts(jail: &Jail, sight: &Sight) -> Result<Vec<(PathBuf, Part)>, Failure> {
    let mut parts = vec![(PathBuf::from("/dev"), devices()), ("/proc".into(), processes()?)];
    for path in FRESH.iter().map(Path::new).filter(|path| is_folder(path)) {
        parts.push((path.into(), Part::Fresh(jail.limits.temporary.to_string())));
    }
    for path in KEPT_LINKS {
        if let Ok(target) = fs::read_link(path) {
            parts.push((path.into(), Part::Link(target)));
        }
    }
    copies(jail, &mut parts)?;
    parts.extend(sight.covered().map(|path| (path.to_owned(), Part::Nothing)));
    if !jail.is_closed()
        && let Ok(real) = Path::new(RESOLVER).canonicalize()
        && real != Path::new(RESOLVER)
    {
        let copy = Mount::copy_of(&real).and_then(read_only).step("keep the resolver's file")?;
        parts.push((real, Part::Copy(copy)));
    }
    Ok(parts)
}

/// The folders that may be changed, and the workspace in any case: it may lie where a fresh folder is put.
fn copies(jail: &Jail, parts: &mut Vec<(PathBuf, Part)>) -> Result<(), Failure> {
    let copy = |path: &Path| Mount::copy_of(path).step(format_args!("open {}", path.display()));
    let workspace = copy(Path::new(&jail.workspace))?;
    let attributes = match jail.writes() {
        true => Attributes::TAME,
        false => Attributes::TAME.and(Attributes::READ_ONLY),
    };
    workspace.mark(attributes, Reach::Tree).step("mark the workspace")?;
    parts.push((jail.workspace.clone().into(), Part::Copy(workspace)));
    for path in jail.writable_roots().into_iter().skip(1).filter(|path| path.exists()) {
        let folder = copy(path)?;
        folder.mark(Attributes::TAME, Reach::Tree).step("mark a folder")?;
        parts.push((path.into(), Part::Copy(folder)));
    }
    Ok(())
}

fn read_only(mount: Mount) -> io::Result<Mount> {
    mount.mark(Attributes::TAME.and(Attributes::READ_ONLY), Reach::Tree)?;
    Ok(mount)
}

fn devices() -> Part {
    // A device that is not there is none of the command's either.
    let copy = |name: &&'static str| Some((*name, Mount::copy_of(&Path::new("/dev").join(name)).ok()?));
    Part::Devices(DEVICES.iter().filter_map(copy).collect())
}

/// Made while the system's own can be seen: otherwise the kernel refuses it.
fn processes() -> Result<Part, Failure> {
    Mount::new("proc", &[]).step("mount a /proc of its own").map(Part::Processes)
}

fn put(path: &Path, part: Part, limits: &crate::setup::Limits, closed: &mut Vec<Mount>) -> io::Result<()> {
    match part {
        Part::Fresh(size) => Mount::new("tmpfs", &[("mode", "1777"), ("size", &size)])?.put(path),
        Part::Devices(devices) => put_devices(path, &devices, limits, closed),
        Part::Processes(mount) => {
            mount.put(path)?;
            // Refused before Linux 6.14, where the limit of the user's processes is all there is.
            let most = limits.processes.max(LEAST_PROCESSES).to_string();
            let _ = fs::write("/proc/sys/kernel/pid_max", most);
            mount.mark(Attributes::READ_ONLY, Reach::One)
        }
        Part::Nothing => put_nothing(path, closed),
        Part::Copy(mount) => {
            make_place(path, &mount)?;
            mount.put(path)
        }
        Part::Link(target) => symlink(target, path),
    }
}

/// The kernel keeps this many numbers for itself.
const LEAST_PROCESSES: u64 = 301;

fn put_nothing(path: &Path, closed: &mut Vec<Mount>) -> io::Result<()> {
    let kind = match path.symlink_metadata() {
        Ok(meta) => meta.file_type(),
        // Covered by something else.
        Err(_) => return Ok(()),
    };
    if kind.is_dir() {
        let empty = Mount::new("tmpfs", &[("mode", "0555"), ("size", "64k")])?;
        empty.put(path)?;
        closed.push(empty);
        return Ok(());
    }
    // The device that is always empty, on a mount where devices do not count: it cannot be opened.
    read_only(Mount::copy_of(Path::new("/dev/null"))?)?.put(path)
}

/// Makes the place for what is put back into a fresh folder.
fn make_place(path: &Path, mount: &Mount) -> io::Result<()> {
    if path.symlink_metadata().is_ok() {
        return Ok(());
    }
    if mount.is_folder()? {
        return fs::create_dir_all(path);
    }
    path.parent().map_or(Ok(()), fs::create_dir_all)?;
    fs::File::create(path).map(drop)
}

fn put_devices(
    at: &Path,
    devices: &[(&'static str, Mount)],
    limits: &crate::setup::Limits,
    closed: &mut Vec<Mount>,
) -> io::Result<()> {
    let folder = Mount::new("tmpfs", &[("mode", "0755"), ("size", SMALL)])?;
    folder.put(at)?;
    for (name, device) in devices {
        let path = at.join(name);
        fs::File::create(&path)?;
        device.put(&path)?;
    }
    for (name, target) in [
        ("fd", "/proc/self/fd"),
        ("stdin", "/proc/self/fd/0"),
        ("stdout", "/proc/self/fd/1"),
        ("stderr", "/proc/self/fd/2"),
        ("ptmx", "pts/ptmx"),
    ] {
        symlink(target, at.join(name))?;
    }
    let (terminals, shared) = (at.join("pts"), at.join("shm"));
    fs::create_dir(&terminals)?;
    fs::create_dir(&shared)?;
    fs::set_permissions(&shared, fs::Permissions::from_mode(0o1777))?;
    Mount::new("devpts", &[("ptmxmode", "0666"), ("mode", "0620")])?.put(&terminals)?;
    Mount::new("tmpfs", &[("mode", "1777"), ("size", &limits.temporary.to_string())])?.put(&shared)?;
    closed.push(folder);
    Ok(())
}

fn is_folder(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|meta| meta.is_dir())
}
