//! Supervisors that are ready before they have a command: what changed while they waited counts, and nothing is left of
//! one that is never told to run.

use std::fs;
use std::io::{Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use onward_event::{FileAccess, Tier};
use onward_port::{Begun, ExecutionResult, Executor as _};
use onward_sandbox::SupervisedExecutor;
use rustix::process::{Pid, Signal, kill_process};

use crate::desk::{Desk, Never, block_on, desk, desks, ended, host, test_name, text};

const SUPERVISOR: &str = "supervise-command";

/// What belongs to a supervisor that waits: itself, and the launcher that it has made of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Waiting {
    supervisor: u32,
    /// Process 1 of the namespaces; in the tier of Landlock the launcher.
    ready: u32,
}

/// How often something is tried that a change of this machine may undo: a mount or a service of somebody else ends what
/// waits.
const TRIES: usize = 20;

/// Runs a command, so that the next is expected to be like it, and waits until a supervisor for that is ready.
async fn warmed(desk: &Desk, executor: &SupervisedExecutor) -> Waiting {
    for _ in 0..TRIES {
        ended(executor.run(&name(), desk.spec(&["/bin/true"]), &Never).await);
        let deadline = Instant::now() + Duration::from_secs(5);
        while Instant::now() < deadline {
            if let Some(waiting) = waiting(desk) {
                return waiting;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
    panic!("{}: no supervisor gets ready", test_name())
}

/// A name that no other execution has.
fn name() -> String {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    format!("try_{}", NUMBER.fetch_add(1, Ordering::Relaxed))
}

fn waiting(desk: &Desk) -> Option<Waiting> {
    let all = copies(desk);
    let ready = |pid: &u32| match desk.tier {
        // The limits are the last that it sets up before it waits.
        Tier::Namespaces => {
            let limits = fs::read_to_string(format!("/proc/{pid}/limits")).unwrap_or_default();
            limits.lines().any(|line| {
                line.starts_with("Max processes") && line.split_whitespace().nth(2) == Some("4096")
            })
        }
        _ => true,
    };
    let server = fork_server(desk)?;
    // The one of the command before stays for a moment.
    let mut others = all.iter().copied().filter(|pid| parent(*pid) == Some(std::process::id()));
    if others.any(|pid| pid != server) {
        return None;
    }
    let supervisors = all.iter().copied().filter(|pid| parent(*pid) == Some(server));
    let [supervisor] = <[u32; 1]>::try_from(supervisors.collect::<Vec<_>>()).ok()?;
    let ready = all.iter().copied().filter(|pid| parent(*pid) == Some(supervisor)).find(ready)?;
    Some(Waiting { supervisor, ready })
}

/// Every process that is a supervisor of this desk, or a copy of one that has not become a command yet.
fn copies(desk: &Desk) -> Vec<u32> {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let base = desk.root.join("data/executions");
    pids.filter(|pid| {
        let words = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        let supervises = words.split(|byte| *byte == 0).nth(1) == Some(SUPERVISOR.as_bytes());
        supervises && fs::read_link(format!("/proc/{pid}/cwd")).is_ok_and(|cwd| cwd == base)
    })
    .collect()
}

/// The process that makes the supervisors, once there is one: a child of this one that has children itself, and is no
/// supervisor of a command.
fn fork_server(desk: &Desk) -> Option<u32> {
    let all = copies(desk);
    let ours = all.iter().copied().filter(|pid| parent(*pid) == Some(std::process::id()));
    ours.filter(|server| !is_enrolled(desk, *server))
        .find(|pid| all.iter().any(|child| parent(*child) == Some(*pid)))
}

/// Whether it supervises, or has supervised, a command.
fn is_enrolled(desk: &Desk, pid: u32) -> bool {
    let executions = fs::read_dir(desk.root.join("data/executions")).unwrap().flatten();
    let names = executions.filter_map(|entry| entry.file_name().into_string().ok());
    names
        .filter(|name| desk.root.join("data/executions").join(name).join("supervisor").exists())
        .any(|name| desk.supervisor(&name) == pid)
}

fn parent(pid: u32) -> Option<u32> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix("PPid:"))?.trim().parse().ok()
}

/// Changes something while a supervisor waits, then runs a script: under that supervisor.
fn after(desk: &Desk, change: impl FnOnce(), script: &str) -> ExecutionResult {
    let executor = desk.executor();
    block_on(async {
        let waiting = warmed(desk, &executor).await;
        change();
        let spec = desk.spec(&["/bin/sh", "-c", script]);
        let result = ended(executor.run("second", spec, &Never).await);
        assert_eq!(desk.supervisor("second"), waiting.supervisor, "{:?}: not the one that waited", desk.tier);
        result
    })
}

fn is_over(deadline: Duration, what: impl Fn() -> bool) -> bool {
    let deadline = Instant::now() + deadline;
    while !what() {
        if Instant::now() > deadline {
            return false;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    true
}

#[test]
fn the_command_runs_in_what_was_ready() {
    for desk in desks() {
        let executor = desk.executor();
        let used = block_on(async {
            for _ in 0..TRIES {
                if runs_in_what_was_ready(&desk, &executor).await {
                    return true;
                }
            }
            false
        });
        assert!(used, "{:?}", desk.tier);
    }
}

/// Whether a command ran in what was ready. Its supervisor is the one that waited in any case.
async fn runs_in_what_was_ready(desk: &Desk, executor: &SupervisedExecutor) -> bool {
    let (waiting, name) = (warmed(desk, executor).await, name());
    let spec = desk.spec(&["/bin/sh", "-c", "echo here; until test -e go; do sleep 0.01; done"]);
    assert_eq!(executor.begin(&name, spec).await, Begun::Yes);
    assert!(is_over(Duration::from_secs(30), || desk.said(&name) == "here\n"), "{:?}", desk.tier);
    assert_eq!(desk.supervisor(&name), waiting.supervisor, "{:?}", desk.tier);
    let used = Path::new(&format!("/proc/{}", waiting.ready)).exists();
    assert_eq!(holders(desk, &name), [waiting.supervisor], "{:?}: who else holds it", desk.tier);
    fs::write(desk.file("go"), "").unwrap();
    let result = ended(executor.follow(&name, &executor.place(), &Never).await);
    assert_eq!(text(&result), "here\n", "{:?}", desk.tier);
    fs::remove_file(desk.file("go")).unwrap();
    used
}

/// A lock that anybody else held, too, would not be free when the supervisor is dead.
fn holders(desk: &Desk, name: &str) -> Vec<u32> {
    let lock = desk.root.join("data/executions").join(name).join("lock");
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    pids.filter(|pid| {
        let open = fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten();
        open.filter_map(|entry| fs::read_link(entry.path()).ok()).any(|target| target == lock)
    })
    .collect()
}

#[test]
fn a_secret_that_was_put_down_meanwhile_is_hidden() {
    for mut desk in desks() {
        if desk.tier == Tier::Landlock {
            // There what is hidden must lie outside of what may be changed.
            desk.files = FileAccess::ReadOnly;
        }
        let secret = desk.file("secret");
        desk.setup.hidden.push(secret.display().to_string());
        let put = || {
            fs::create_dir(&secret).unwrap();
            fs::write(secret.join("key"), "precious").unwrap();
        };
        let result = after(&desk, put, "cat secret/key; ls secret; echo end");
        assert!(!text(&result).contains("precious"), "{:?}: {}", desk.tier, text(&result));
        assert!(text(&result).ends_with("end\n"), "{:?}: {}", desk.tier, text(&result));
    }
}

#[test]
fn a_service_that_listens_since_is_hidden() {
    let Some(mut desk) = desk(Tier::Namespaces) else { return };
    // What listens in a folder that may be changed may be the command's own.
    desk.files = FileAccess::ReadOnly;
    let path = desk.file("service.sock");
    let listener = std::cell::OnceCell::new();
    let listen = || listener.set(UnixListener::bind(&path).unwrap()).unwrap();
    let result = after(&desk, listen, "test -S service.sock && echo seen; echo end");
    assert_eq!(text(&result), "end\n");
    drop(listener);
    // The same path, but another socket.
    fs::remove_file(&path).unwrap();
    let result = desk.sh("test -e service.sock || echo gone");
    assert_eq!(text(&result), "gone\n");
}

#[test]
fn a_workspace_that_was_exchanged_is_the_new_one() {
    for desk in desks() {
        let exchange = || {
            fs::rename(&desk.workspace, desk.root.join("old")).unwrap();
            fs::create_dir(&desk.workspace).unwrap();
            fs::write(desk.file("name"), "new").unwrap();
        };
        let result = after(&desk, exchange, "cat name; echo x > made");
        assert_eq!(text(&result), "new", "{:?}", desk.tier);
        assert!(desk.file("made").exists() && !desk.root.join("old/made").exists(), "{:?}", desk.tier);
    }
}

/// What a person changes while a supervisor waits is what the command finds, and what is kept from it.
#[test]
fn protected_names_are_remembered_when_the_command_starts() {
    for desk in desks() {
        fs::create_dir_all(desk.file(".git/hooks")).unwrap();
        fs::write(desk.file(".git/config"), "old\n").unwrap();
        let change = || {
            fs::write(desk.file(".git/config"), "new\n").unwrap();
            fs::create_dir(desk.file(".vscode")).unwrap();
            fs::write(desk.file(".vscode/tasks.json"), "mine\n").unwrap();
        };
        let script = "cat .git/config; echo evil > .git/config; echo evil > .vscode/tasks.json; rm -rf .vscode; \
                      mkdir .idea; echo x > .idea/x; echo end";
        let result = after(&desk, change, script);
        assert!(text(&result).starts_with("new\n") && text(&result).ends_with("end\n"), "{:?}", desk.tier);
        assert_eq!(fs::read_to_string(desk.file(".git/config")).unwrap(), "new\n", "{:?}", desk.tier);
        assert_eq!(fs::read_to_string(desk.file(".vscode/tasks.json")).unwrap(), "mine\n", "{:?}", desk.tier);
        assert!(desk.is_gone(".idea"), "{:?}", desk.tier);
    }
}

/// A repository below the workspace that came while a supervisor waited is protected, and is not taken for the command's.
#[test]
fn what_came_below_the_workspace_meanwhile_is_protected() {
    for desk in desks() {
        fs::create_dir(desk.file("there")).unwrap();
        let change = || {
            for folder in ["there", "new/deep"] {
                fs::create_dir_all(desk.file(folder).join(".git/hooks")).unwrap();
                fs::write(desk.file(folder).join(".git/config"), "[core]\n\tfsmonitor = mine\n").unwrap();
                fs::write(desk.file(folder).join(".git/hooks/mine"), "mine").unwrap();
            }
        };
        let script = "for D in there new/deep; do echo evil > $D/.git/config; echo evil > $D/.git/hooks/x; done; echo end";
        let result = after(&desk, change, script);
        assert!(text(&result).ends_with("end\n"), "{:?}", desk.tier);
        for folder in ["there", "new/deep"] {
            let config = fs::read_to_string(desk.file(folder).join(".git/config")).unwrap();
            assert_eq!(config, "[core]\n\tfsmonitor = mine\n", "{:?}: {folder}", desk.tier);
            let hooks = fs::read_dir(desk.file(folder).join(".git/hooks")).unwrap().count();
            assert_eq!(hooks, 1, "{:?}: {folder}", desk.tier);
        }
    }
}

/// Another containment than that of the last command finds nothing ready, and gets its own.
#[test]
fn a_command_that_is_contained_otherwise_gets_its_own() {
    for desk in desks() {
        let executor = desk.executor();
        block_on(async {
            let waiting = warmed(&desk, &executor).await;
            let mut spec = desk.spec(&["/bin/sh", "-c", "touch made; echo end"]);
            spec.sandbox.files = FileAccess::ReadOnly;
            let result = ended(executor.run("second", spec, &Never).await);
            assert!(text(&result).ends_with("end\n") && !desk.file("made").exists(), "{:?}", desk.tier);
            assert_ne!(desk.supervisor("second"), waiting.supervisor, "{:?}", desk.tier);
        });
    }
}

#[test]
fn a_supervisor_that_was_killed_while_it_waited_is_replaced() {
    for desk in desks() {
        let executor = desk.executor();
        block_on(async {
            let waiting = warmed(&desk, &executor).await;
            for pid in [waiting.ready, waiting.supervisor] {
                let pid = Pid::from_raw(pid.cast_signed()).unwrap();
                let _ = kill_process(pid, Signal::KILL);
            }
            let gone = || !copies(&desk).contains(&waiting.supervisor);
            assert!(is_over(Duration::from_secs(30), gone), "{:?}", desk.tier);
            let result =
                ended(executor.run("second", desk.spec(&["/bin/sh", "-c", "echo ok"]), &Never).await);
            assert_eq!(text(&result), "ok\n", "{:?}", desk.tier);
        });
    }
}

/// One that does not answer would keep its command from beginning until the command's own time limit is over.
#[test]
fn a_supervisor_that_was_stopped_while_it_waited_is_replaced() {
    for desk in desks() {
        let executor = desk.executor();
        block_on(async {
            let waiting = warmed(&desk, &executor).await;
            let pid = Pid::from_raw(waiting.supervisor.cast_signed()).unwrap();
            kill_process(pid, Signal::STOP).unwrap();
            let script = "echo ok; echo ok >> ran";
            let result = ended(executor.run("second", desk.spec(&["/bin/sh", "-c", script]), &Never).await);
            assert_eq!(text(&result), "ok\n", "{:?}", desk.tier);
            assert_ne!(desk.supervisor("second"), waiting.supervisor, "{:?}", desk.tier);
            let gone = || !copies(&desk).contains(&waiting.supervisor);
            assert!(is_over(Duration::from_secs(30), gone), "{:?}", desk.tier);
            assert_eq!(fs::read_to_string(desk.file("ran")).unwrap(), "ok\n", "{:?}: once", desk.tier);
        });
    }
}

/// Who makes the supervisors is replaced when it is gone, and when it does not answer.
#[test]
fn without_its_fork_server_a_supervisor_is_made_all_the_same() {
    for (desk, signal) in [Signal::KILL, Signal::STOP].map(|signal| (desk(Tier::Namespaces), signal)) {
        let Some(desk) = desk else { return };
        let executor = desk.executor();
        block_on(async {
            warmed(&desk, &executor).await;
            let server = fork_server(&desk).unwrap();
            let pid = Pid::from_raw(server.cast_signed()).unwrap();
            kill_process(pid, signal).unwrap();
            // The one that waits is used; the next has to be made by somebody else.
            for _ in 0..2 {
                let result = ended(executor.run(&name(), desk.spec(&["/bin/echo", "ok"]), &Never).await);
                assert_eq!(text(&result), "ok\n", "{:?} {signal:?}", desk.tier);
            }
            warmed(&desk, &executor).await;
            assert_ne!(fork_server(&desk), Some(server), "{:?} {signal:?}", desk.tier);
            let gone = || !copies(&desk).contains(&server);
            assert!(is_over(Duration::from_secs(30), gone), "{:?} {signal:?}", desk.tier);
        });
    }
}

#[test]
fn what_waits_ends_with_its_runtime_and_leaves_nothing() {
    for desk in desks() {
        let listed = |folder: &str| {
            let mut names: Vec<_> = fs::read_dir(desk.root.join(folder)).unwrap().flatten().collect();
            names.sort_by_key(fs::DirEntry::file_name);
            names.into_iter().map(|entry| entry.path()).collect::<Vec<_>>()
        };
        let (executor, before) = (desk.executor(), listed("workspace"));
        let executions = block_on(async {
            warmed(&desk, &executor).await;
            listed("data/executions")
        });
        drop(executor);
        assert!(is_over(Duration::from_secs(30), || copies(&desk).is_empty()), "{:?}", desk.tier);
        assert_eq!((listed("data/executions"), listed("workspace")), (executions, before), "{:?}", desk.tier);
    }
}

/// A runtime that dies in the middle of a message has said nothing, wherever it was cut off.
#[test]
fn half_a_message_is_none() {
    let temp = tempfile::tempdir().unwrap();
    let folder = temp.path().join("execution");
    fs::create_dir(&folder).unwrap();
    let frame = |text: String| {
        let length = u32::try_from(text.len()).unwrap();
        [length.to_le_bytes().as_slice(), text.as_bytes()].concat()
    };
    let order = serde_json::json!({
        "argv": ["/bin/touch", folder.join("ran").to_str().unwrap()], "environment": [], "dir": "/", "timeout_millis": 60_000,
        "grace_millis": 100, "kept_bytes": 100, "tail_bytes": 100
    });
    let run = serde_json::json!({ "folder": folder.to_str().unwrap().as_bytes(), "order": order });
    let prepare = frame(serde_json::json!({ "supervisor": { "jail": null } }).to_string());
    let said = [prepare.clone(), frame(run.to_string())].concat();
    for length in [0, 2, 4, prepare.len() - 1, prepare.len(), prepare.len() + 3, said.len() - 1, said.len()] {
        let (mut ours, theirs) = UnixStream::pair().unwrap();
        let mut command = Command::new(host());
        command.arg(SUPERVISOR).stdin(OwnedFd::from(theirs)).stdout(Stdio::null()).stderr(Stdio::null());
        let mut supervisor = command.spawn().unwrap();
        drop(command);
        ours.write_all(&said[..length]).unwrap();
        ours.shutdown(std::net::Shutdown::Write).unwrap();
        // Whatever it was told, it closes the line and ends.
        let _ = ours.read_to_end(&mut Vec::new());
        supervisor.wait().unwrap();
        let whole = length == said.len();
        assert_eq!(folder.join("ran").exists(), whole, "{length} of {}", said.len());
        assert_eq!(fs::read_dir(&folder).unwrap().count() == 0, !whole, "{length} of {}", said.len());
    }
}
