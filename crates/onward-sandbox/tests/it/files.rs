//! Files: what a command can change, and what it can see.

use std::fs;
use std::os::unix::fs::symlink;

use onward_event::{FileAccess, Tier};
use onward_port::{Execution, ExecutionEnd};

use crate::desk::{desk, desks, succeeded, text};

#[test]
fn the_workspace_can_be_changed_and_nothing_else() {
    for desk in desks() {
        let outside = desk.root.join("outside");
        fs::write(&outside, "before").unwrap();
        let result = desk.sh(&format!(
            "echo in > inside; echo x > {0}; echo x >> {0}; true > {0}; rm -f {0}; chmod 777 {0}; mv {0} {0}.moved; \
             truncate -s 0 {0}; touch {0}.new /etc/onward-test /usr/onward-test $HOME/.bashrc; true",
            outside.display()
        ));
        assert!(succeeded(&result), "{:?}: {}", desk.tier, text(&result));
        assert_eq!(fs::read_to_string(desk.file("inside")).unwrap(), "in\n");
        assert_eq!(fs::read_to_string(&outside).unwrap(), "before", "{:?}", desk.tier);
        assert!(!desk.root.join("outside.new").exists() && !desk.root.join("outside.moved").exists());
        assert!(!std::path::Path::new("/etc/onward-test").exists());
    }
}

#[test]
fn a_read_only_command_changes_nothing_but_temporary_files() {
    for mut desk in desks() {
        desk.files = FileAccess::ReadOnly;
        fs::write(desk.file("a"), "before").unwrap();
        let result = desk.sh("echo x > a; touch b; echo t > $TMPDIR/t && cat a $TMPDIR/t");
        assert!(succeeded(&result), "{:?}: {}", desk.tier, text(&result));
        assert!(text(&result).ends_with("beforet\n"), "{:?}: {}", desk.tier, text(&result));
        assert_eq!(fs::read_to_string(desk.file("a")).unwrap(), "before");
        assert!(!desk.file("b").exists());
    }
}

#[test]
fn a_named_folder_can_be_changed_too() {
    for mut desk in desks() {
        let more = desk.root.join("more");
        fs::create_dir(&more).unwrap();
        desk.setup.writable = vec![more.display().to_string()];
        assert!(succeeded(&desk.sh(&format!("echo x > {}/x", more.display()))));
        assert!(more.join("x").exists(), "{:?}", desk.tier);
    }
}

/// A folder that was named as writable and is a symbolic link by now, made so by an earlier command.
#[test]
fn a_folder_that_became_a_link_opens_nothing() {
    for mut desk in desks() {
        let secret = desk.root.join("elsewhere");
        fs::create_dir(&secret).unwrap();
        let named = desk.file("cache");
        symlink(&secret, &named).unwrap();
        desk.setup.writable = vec![named.display().to_string()];
        let execution = desk.run(&["/bin/sh", "-c", "echo x > cache/x"]);
        assert!(!secret.join("x").exists(), "{:?}: {execution:?}", desk.tier);
    }
}

#[test]
fn the_data_folder_and_secrets_cannot_be_read() {
    for desk in desks() {
        fs::write(desk.root.join("data/token"), "hunter2").unwrap();
        let data = desk.root.join("data");
        let result = desk.sh(&format!(
            "cat {0}/token; ls {0}/executions/*; cat {0}/executions/*/gate; echo x > {0}/planted; echo end",
            data.display()
        ));
        assert!(text(&result).ends_with("end\n"), "{}", text(&result));
        assert!(
            !text(&result).contains("hunter2") && !text(&result).contains("started"),
            "{}",
            text(&result)
        );
        assert!(!data.join("planted").exists());
    }
}

#[test]
fn a_secret_file_cannot_be_read() {
    for mut desk in desks() {
        let secret = desk.root.join("token");
        fs::write(&secret, "hunter2").unwrap();
        // By another name, which is a symbolic link to it.
        symlink(&secret, desk.root.join("link")).unwrap();
        desk.setup.hidden.push(desk.root.join("link").display().to_string());
        let result =
            desk.sh(&format!("cat {0}/token {0}/link; echo x > {0}/token; echo end", desk.root.display()));
        assert!(text(&result).ends_with("end\n") && !text(&result).contains("hunter2"), "{}", text(&result));
        assert_eq!(fs::read_to_string(&secret).unwrap(), "hunter2");
    }
}

/// FS-11.
#[test]
fn no_hard_link_to_a_file_outside_can_be_made() {
    for desk in desks() {
        let outside = desk.root.join("outside");
        fs::write(&outside, "before").unwrap();
        let result = desk.sh(&format!("ln {} stolen && echo x > stolen; echo end", outside.display()));
        assert!(text(&result).ends_with("end\n"), "{}", text(&result));
        assert!(!desk.file("stolen").exists(), "{:?}", desk.tier);
        assert_eq!(fs::read_to_string(&outside).unwrap(), "before");
    }
}

#[test]
fn what_a_link_leads_to_is_contained_like_everything_else() {
    for desk in desks() {
        let outside = desk.root.join("outside");
        fs::write(&outside, "before").unwrap();
        desk.sh(&format!("ln -s {} link; echo x > link; echo x > ../outside", outside.display()));
        assert!(desk.file("link").is_symlink());
        assert_eq!(fs::read_to_string(&outside).unwrap(), "before", "{:?}", desk.tier);
    }
}

#[test]
fn temporary_files_are_the_commands_own_and_go_with_it() {
    for desk in desks() {
        let result =
            desk.sh("echo secret > $TMPDIR/kept && echo $TMPDIR && touch /tmp/onward-seen; ls $TMPDIR");
        assert!(succeeded(&result), "{:?}: {}", desk.tier, text(&result));
        assert!(!std::path::Path::new("/tmp/onward-seen").exists(), "{:?}", desk.tier);
        let again = desk.sh("ls -A $TMPDIR /tmp | grep kept; echo end");
        assert_eq!(text(&again), "end\n", "{:?}", desk.tier);
        if desk.tier == Tier::Landlock {
            let folder = text(&result).lines().next().unwrap().to_owned();
            assert!(!std::path::Path::new(&folder).exists(), "{folder} was left behind");
        }
    }
}

/// As root the files of the kernel belong to the command's user: without a capability it could still write them.
#[test]
fn the_kernels_own_files_cannot_be_written() {
    for desk in desks() {
        let before = fs::read_to_string("/proc/sys/kernel/core_pattern").unwrap();
        let result =
            desk.sh("echo '|/tmp/evil' > /proc/sys/kernel/core_pattern; echo c > /proc/sysrq-trigger; \
             echo 0 > /proc/sys/kernel/yama/ptrace_scope; echo +x > /sys/fs/cgroup/cgroup.subtree_control; \
             mkdir /sys/fs/cgroup/onward /sys/fs/cgroup/pids/onward; echo end");
        assert!(text(&result).ends_with("end\n"));
        assert_eq!(fs::read_to_string("/proc/sys/kernel/core_pattern").unwrap(), before, "{:?}", desk.tier);
        assert!(!std::path::Path::new("/sys/fs/cgroup/pids/onward").exists());
        assert!(!std::path::Path::new("/sys/fs/cgroup/onward").exists());
    }
}

#[test]
fn only_harmless_devices_are_there() {
    let Some(desk) = desk(Tier::Namespaces) else { return };
    let result = desk.sh(
        "find /dev -type b; ls /dev | grep -vE '^(fd|full|null|ptmx|pts|random|shm|stderr|stdin|stdout|tty|urandom|zero)$'; \
         echo x > /dev/null && head -c1 /dev/zero | od -An -tx1; mknod node b 254 0; test -e node && echo made; true",
    );
    assert_eq!(text(&result).lines().filter(|line| !line.contains("mknod")).collect::<Vec<_>>(), [" 00"]);
}

/// A command that cannot be contained as it was recorded is not run at all.
#[test]
fn a_workspace_that_is_not_there_runs_nothing() {
    for desk in desks() {
        let mut spec = desk.spec(&["/bin/true"]);
        spec.workspace = desk.root.join("absent").display().to_string();
        let execution = desk.run_spec(spec);
        match desk.tier {
            Tier::Namespaces => {
                assert!(
                    matches!(&execution, Execution::NotBegun(why) if why.contains("absent")),
                    "{execution:?}"
                );
            }
            // What is not there cannot be changed either.
            _ => assert!(matches!(&execution, Execution::Ended(_) | Execution::NotBegun(_)), "{execution:?}"),
        }
    }
}

#[test]
fn a_program_that_is_not_there_is_not_begun() {
    for desk in desks() {
        let execution = desk.run(&["/absent/program"]);
        assert!(
            matches!(&execution, Execution::NotBegun(why) if why.contains("/absent/program")),
            "{execution:?}"
        );
    }
}

/// SHELL-37: what a program is called changes nothing about what it may do.
#[test]
fn a_copied_program_is_contained_the_same() {
    for desk in desks() {
        let result =
            desk.sh("cp /bin/sh mine && ./mine -c 'echo x > /etc/onward-mine; echo y > here'; cat here");
        assert_eq!(result.end, ExecutionEnd::Exited(0), "{}", text(&result));
        assert!(desk.file("here").exists() && !std::path::Path::new("/etc/onward-mine").exists());
    }
}

/// FS-10 as it is: a second name that was there before is a file of the workspace (`onward doctor` reports it).
#[test]
fn a_hard_link_that_was_there_is_a_file_of_the_workspace() {
    for desk in desks() {
        let outside = desk.root.join("outside");
        fs::write(&outside, "before").unwrap();
        fs::hard_link(&outside, desk.file("inside")).unwrap();
        desk.sh("echo x > inside");
        assert_eq!(
            fs::read_to_string(&outside).unwrap(),
            "x\n",
            "the documented residual risk of {:?}",
            desk.tier
        );
    }
}

/// A mount that is read-only keeps nobody from a pipe: there Landlock is the only wall, in the tier of namespaces too.
#[test]
fn landlock_stands_behind_the_mounts() {
    let not_here = |why: &str| println!("not tested here: {}: {why}", crate::desk::test_name());
    // What is below a temporary folder of the machine's is out of sight anyway.
    let built = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let is_temporary = ["/tmp", "/var/tmp"].iter().any(|folder| built.starts_with(folder));
    let Some(folder) = tempfile::tempdir_in(built).ok().filter(|_| !is_temporary) else {
        return not_here("there is no other place than temporary folders");
    };
    for desk in desks() {
        if onward_sandbox::probe(&crate::desk::host()).landlock_version.is_none() {
            return not_here("the kernel has no Landlock");
        }
        let pipe = folder.path().join(desk.tier.name());
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        // Somebody reads it: else to open it would block.
        let reader = fs::OpenOptions::new().read(true).write(true).open(&pipe).unwrap();
        let script =
            format!("echo evil > {}; mkfifo own && (cat own & echo mine > own; wait)", pipe.display());
        let said = text(&desk.sh(&script));
        assert!(said.contains("ermission denied") && said.ends_with("mine\n"), "{:?}: {said}", desk.tier);
        let fd = rustix::event::PollFd::new(&reader, rustix::event::PollFlags::IN);
        let now = rustix::event::Timespec { tv_sec: 0, tv_nsec: 0 };
        let readable = rustix::event::poll(&mut [fd], Some(&now));
        assert_eq!(readable, Ok(0), "{:?}: something was written", desk.tier);
    }
}
