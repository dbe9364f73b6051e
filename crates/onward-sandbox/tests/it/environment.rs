//! What a command inherits: nothing but what it is given.

use std::fs::File;
use std::os::fd::AsRawFd as _;

use onward_event::Tier;

use crate::desk::{desk, desks, text};

#[test]
fn the_environment_is_fresh() {
    for mut desk in desks() {
        desk.environment.push(("GIVEN".into(), "yes".into()));
        desk.environment.push(("SSH_AUTH_SOCK".into(), "/run/agent".into()));
        desk.environment.push(("DBUS_SESSION_BUS_ADDRESS".into(), "unix:path=/run/bus".into()));
        let result = desk.sh("env | cut -d= -f1 | sort");
        let names: Vec<String> = text(&result).lines().map(str::to_owned).collect();
        // The shell sets some itself.
        let given: Vec<&str> = names
            .iter()
            .map(String::as_str)
            .filter(|name| !["PWD", "OLDPWD", "SHLVL", "_"].contains(name))
            .collect();
        assert_eq!(given, ["GIVEN", "HOME", "PATH", "TMPDIR"], "{:?}", desk.tier);
    }
}

/// FS-22.
#[test]
fn no_descriptor_is_inherited() {
    let secret = File::open("/etc/passwd").unwrap();
    rustix::io::fcntl_setfd(&secret, rustix::io::FdFlags::empty()).unwrap();
    for desk in desks() {
        let result = desk.sh("ls /proc/self/fd | tr '\\n' ' '; readlink /proc/self/fd/0");
        // The fourth is the folder that is listed.
        assert_eq!(
            text(&result),
            "0 1 2 3 /dev/null\n",
            "{:?}: {} is open here",
            desk.tier,
            secret.as_raw_fd()
        );
    }
}

#[test]
fn all_privileges_are_gone() {
    for desk in desks() {
        let result = desk.sh("grep -E '^(Cap|NoNewPrivs|Seccomp:)' /proc/self/status | tr -d '\\t'");
        let none = "0000000000000000";
        let expect = format!(
            "CapInh:{none}\nCapPrm:{none}\nCapEff:{none}\nCapBnd:{none}\nCapAmb:{none}\nNoNewPrivs:1\nSeccomp:2\n"
        );
        let is_root = rustix::process::geteuid().is_root();
        match is_root || desk.tier == Tier::Namespaces {
            true => assert_eq!(text(&result), expect, "{:?}", desk.tier),
            false => assert!(text(&result).contains(&format!("CapEff:{none}")), "{}", text(&result)),
        }
    }
}

#[test]
fn processes_are_the_commands_own() {
    let Some(desk) = desk(Tier::Namespaces) else { return };
    let result = desk.sh("ls /proc | grep -cE '^[0-9]+$'; kill -9 1; cat /proc/1/environ; ls /proc/1/fd; hostname evil; echo end");
    let count: usize = text(&result).lines().next().unwrap().parse().unwrap();
    assert!(count <= 6, "{count} processes are seen");
    assert!(text(&result).ends_with("end\n"), "process 1 was killed from inside: {}", text(&result));
}

#[test]
fn limits_hold() {
    for mut desk in desks() {
        desk.setup.limits.file = 1 << 20;
        desk.setup.limits.open_files = 64;
        let result = desk.sh("head -c 2000000 /dev/zero > big; wc -c < big; ulimit -n; ulimit -c");
        assert_eq!(
            text(&result)
                .lines()
                .filter(|line| line.trim().parse::<u64>().is_ok())
                .map(str::trim)
                .collect::<Vec<_>>(),
            ["1048576", "64", "0"],
            "{}",
            text(&result)
        );
    }
}

#[test]
fn a_process_cannot_have_more_memory_than_its_limit() {
    for mut desk in desks() {
        desk.setup.limits.memory = 64 << 20;
        let result = desk.sh("dd if=/dev/zero of=/dev/null bs=16M count=1 2>&1 && echo small; \
             dd if=/dev/zero of=/dev/null bs=128M count=1 2>&1 && echo large; ulimit -d 1000000; ulimit -d");
        let said = text(&result);
        assert!(said.contains("small\n") && !said.contains("large\n"), "{:?}: {said}", desk.tier);
        assert!(said.ends_with("65536\n"), "{:?}: it was raised again: {said}", desk.tier);
    }
}

/// Each of them is memory of the machine. In the tier of Landlock the folder is one of the machine's, and not limited.
#[test]
fn temporary_folders_hold_no_more_than_their_limit() {
    let Some(mut desk) = desk(Tier::Namespaces) else { return };
    desk.setup.limits.temporary = 4 << 20;
    for folder in ["/tmp", "/var/tmp", "/dev/shm"] {
        let result =
            desk.sh(&format!("head -c 8000000 /dev/zero > {folder}/big; wc -c < {folder}/big; echo end"));
        let said = text(&result);
        assert!(said.contains("No space left on device"), "{folder}: {said}");
        assert!(said.ends_with("4194304\nend\n"), "{folder}: {said}");
    }
    println!("not limited by the tier landlock: temporary folders");
}

/// Starts more processes than it may, and says how many it could.
const MANY: &str = "n=0; while [ $n -lt 700 ]; do sleep 30 & n=$((n+1)); done 2>/dev/null; echo all";

#[test]
fn a_command_cannot_start_processes_without_end() {
    // The tier of Landlock has no limit: there the kernel counts all processes of a user, whose own would be in the way.
    println!("not limited by the tier landlock: the number of processes");
    let Some(mut desk) = desk(Tier::Namespaces) else { return };
    if rustix::process::geteuid().is_root() && kernel_before(6, 14) {
        onward_test::not_tested(&crate::desk::test_name(), "as root the limit needs Linux 6.14");
        return;
    }
    assert!(text(&desk.sh(MANY)).contains("all"), "the usual limit is in nobody's way");
    desk.setup.limits.processes = 400;
    let said = text(&desk.sh(MANY));
    assert!(!said.contains("all"), "{said}");
}

fn kernel_before(major: u32, minor: u32) -> bool {
    let release = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap();
    let mut numbers = release.split(['.', '-']).map(|part| part.parse().unwrap_or(0));
    (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0)) < (major, minor)
}
