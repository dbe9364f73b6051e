//! The kernel's surface: system calls that no contained command has a use for. PROC-14, NET-15, FS-25.

use std::path::Path;
use std::process::Command;

use onward_test::not_tested;

use crate::desk::{Desk, desks, ended, open, test_name, text};

/// Compiles a program into the workspace of a desk.
fn compiled(desk: &Desk, source: &str) -> bool {
    std::fs::write(desk.file("attack.c"), source).unwrap();
    let compiler = ["/usr/bin/cc", "/usr/bin/gcc"].into_iter().find(|path| Path::new(path).exists());
    let Some(compiler) = compiler else {
        not_tested(&test_name(), "there is no C compiler");
        return false;
    };
    let made = Command::new(compiler)
        .arg("-o")
        .arg(desk.file("attack"))
        .arg(desk.file("attack.c"))
        .status()
        .unwrap();
    assert!(made.success());
    true
}

const CALLS: &str = r#"
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
static void tell(const char *name, long result) {
    printf("%s %s\n", name, result >= 0 ? "worked" : errno == EPERM ? "EPERM" : errno == ENOSYS ? "ENOSYS" : "other");
}
int main(void) {
    char page[4096] = {0};
    tell("io_uring", syscall(425, 1, page));
    tell("unshare", unshare(CLONE_NEWUSER));
    tell("setns", syscall(SYS_setns, 0, 0));
    tell("mount", syscall(SYS_mount, "none", "/tmp", "tmpfs", 0, 0));
    tell("umount", syscall(SYS_umount2, "/tmp", 2));
    tell("open_tree", syscall(428, AT_FDCWD, "/", 1));
    tell("move_mount", syscall(429, -1, "", -1, "", 0));
    tell("fsopen", syscall(430, "tmpfs", 0));
    tell("mount_setattr", syscall(442, -1, "", 0, page, 32));
    tell("pivot_root", syscall(SYS_pivot_root, "/", "/"));
    tell("chroot", syscall(SYS_chroot, "/"));
    tell("bpf", syscall(SYS_bpf, 0, page, 120));
    tell("userfaultfd", syscall(SYS_userfaultfd, 1));
    tell("perf", syscall(SYS_perf_event_open, page, 0, -1, -1, 0));
    tell("keyctl", syscall(SYS_keyctl, 0, -3, 1));
    tell("add_key", syscall(SYS_add_key, "user", "x", "y", 1, -3));
    tell("handle", syscall(SYS_open_by_handle_at, AT_FDCWD, page, 0));
    tell("module", syscall(SYS_init_module, page, 1, ""));
    tell("kexec", syscall(SYS_kexec_load, 0, 0, 0, 0));
    tell("clone_new", syscall(SYS_clone, CLONE_NEWUSER | 17, 0, 0, 0, 0));
    tell("clone3", syscall(435, page, 64));
    tell("packet", socket(17, SOCK_RAW, 0));
    tell("alg", socket(38, SOCK_SEQPACKET, 0));
    tell("vsock", socket(40, SOCK_STREAM, 0));
    tell("audit", socket(16, SOCK_RAW, 9));
    tell("personality", syscall(SYS_personality, 0x0040000));
    tell("tiocsti", ioctl(0, 0x5412, "x"));
    tell("tiocsti_high", syscall(SYS_ioctl, 0, 0x100005412ULL, "x"));
    tell("setuid_open", open("planted", O_CREAT | O_WRONLY, 04755));
    tell("setgid_node", syscall(SYS_mknodat, AT_FDCWD, "planted", 0102755, 0));
    tell("setuid_chmod", syscall(SYS_fchmodat, AT_FDCWD, "attack", 04755));
    tell("openat2", syscall(437, AT_FDCWD, "planted", page, 24));
    return 0;
}
"#;

/// An open network opens the kinds of sockets that the internet needs, and nothing else.
#[test]
fn the_surface_is_refused() {
    for network_is_open in [false, true] {
        for mut desk in desks() {
            if network_is_open {
                open(&mut desk);
            }
            if !compiled(&desk, CALLS) {
                return;
            }
            let result = ended(desk.run(&[desk.file("attack").to_str().unwrap()]));
            let said = text(&result);
            for line in said.lines() {
                let is_absent = line.starts_with("clone3") || line.starts_with("openat2");
                let expect = if is_absent { "ENOSYS" } else { "EPERM" };
                assert!(line.ends_with(expect), "{:?}, open: {network_is_open}: {line}", desk.tier);
            }
            assert_eq!(said.lines().count(), 32, "{said}");
        }
    }
}

/// The way of 32 bits to call the same kernel.
#[test]
#[cfg(target_arch = "x86_64")]
fn another_way_to_call_is_killed() {
    let source =
        "int main(void) { int r; __asm__ volatile(\"int $0x80\" : \"=a\"(r) : \"a\"(20)); return 0; }";
    let wide = "#include <unistd.h>\n#include <sys/syscall.h>\nint main(void) { return syscall(0x40000000 | 39) < 0 ? 0 : 1; }";
    for source in [source, wide] {
        for desk in desks() {
            if !compiled(&desk, source) {
                return;
            }
            let result = ended(desk.run(&[desk.file("attack").to_str().unwrap()]));
            assert_eq!(result.end, onward_port::ExecutionEnd::Signalled(31), "{:?}", desk.tier);
        }
    }
}

/// FS-25: by a tool, as somebody would try.
#[test]
fn mounts_cannot_be_undone_from_inside() {
    for desk in desks() {
        std::fs::write(desk.root.join("outside"), "before").unwrap();
        let result = desk.sh(&format!(
            "unshare -Urm sh -c 'mount -o remount,rw / ; echo x > {0}'; mount -o remount,rw,bind /; umount -l /etc; umount -l {0}; \
             umount -l /proc; mount -t tmpfs none .git; chroot / true && echo chrooted; echo end",
            desk.root.join("outside").display()
        ));
        assert!(text(&result).ends_with("end\n") && !text(&result).contains("chrooted"), "{}", text(&result));
        assert_eq!(std::fs::read_to_string(desk.root.join("outside")).unwrap(), "before");
    }
}

/// A file that lends its owner's identity would lend the person's to everybody who runs it.
#[test]
fn no_file_is_left_that_lends_its_owners_identity() {
    use std::os::unix::fs::PermissionsExt as _;
    for desk in desks() {
        let result = desk.sh(
            "cp /bin/sh rootsh; chmod 4755 rootsh; chmod g+s rootsh; chmod u+s rootsh; install -m 6755 /bin/sh other; \
             chmod 1777 .; chmod 755 rootsh && echo end",
        );
        assert!(text(&result).ends_with("end\n"), "{}", text(&result));
        for entry in std::fs::read_dir(&desk.workspace).unwrap() {
            let mode = entry.unwrap().metadata().unwrap().permissions().mode();
            assert_eq!(mode & 0o6000, 0, "{:?}", desk.tier);
        }
    }
}
