//! The supervisor: a process without an async runtime that owns one command.

mod contain;
pub(crate) mod fork_server;
mod output;
mod ready;
mod run;
pub(crate) mod tree;

use std::fs::File;
use std::io::{self, Write as _};
use std::os::fd::{AsFd, BorrowedFd};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Pid, set_child_subreaper, setsid};

use crate::enrolment::Enrolment;
use crate::folder::{Folder, Gate};
use crate::frame;
use crate::protect::Places;
use crate::spec::{How, Order, Prepare, Role, Run, Verdict};
use ready::Ready;

/// For how long the result is tried again when there is no room for it.
pub(crate) const ROOM_LIMIT: Duration = Duration::from_secs(600);
/// What a supervisor answers when it was told to run, and all that it ever says on the line.
const HEARD: u8 = b'h';
/// The pause between two tries.
const PUBLISH_PAUSE: Duration = Duration::from_secs(1);
/// For how long the places of protected names stay when the command has ended: one that follows at once needs them again,
/// and to make folders and take them away is what costs most of a short command.
const PLACES_STAY: Duration = Duration::from_millis(200);

/// Supervises one execution. All that it needs to know comes from `told`, which is the process's standard input: first
/// how the command will be contained, and then, which may be much later, which command it is and in which folder. Returns
/// when the command has ended as a whole and its result is published, or when a new owner has revoked it; and at once when
/// whoever could tell is gone, without having done anything. The process then ends.
///
/// There is nobody to report an error to: what goes wrong before the gate means that nothing began, which the gate
/// proves; what goes wrong after it leaves no result, which means that the outcome is unknown.
pub fn supervise(told: impl AsFd) {
    let Ok(told) = take(told.as_fd()) else { return };
    let Some((mut told, Prepare { jail })) = part(told) else { return };
    // From here on every process that loses its parent becomes a child of this one.
    if set_child_subreaper(Pid::from_raw(1)).is_err() {
        return;
    }
    let Ok(mut ready) = Ready::new(jail) else { return };
    ready.wait_for(told.as_fd());
    let Ok(run) = frame::read::<Run>(&mut told) else { return };
    // Who does not wait for it has lost nothing.
    let _ = told.write_all(&[HEARD]);
    let places = execute(&run.folder(), &run.order, ready);
    // Its end is how the runtime hears that the folder says all.
    drop(told);
    if let Some(places) = places {
        sleep(PLACES_STAY);
        places.take_away();
    }
}

/// The part that this process was given. The fork server gets no further; each of its copies begins anew, with a line of
/// its own.
fn part(told: File) -> Option<(File, Prepare)> {
    match role(told)? {
        (told, Role::Supervisor(prepare)) => Some((told, prepare)),
        (told, Role::ForkServer) => match role(fork_server::serve(told)?)? {
            (told, Role::Supervisor(prepare)) => Some((told, prepare)),
            (_, Role::ForkServer) => None,
        },
    }
}

fn role(mut told: File) -> Option<(File, Role)> {
    // A session of its own: neither the terminal's signals nor its end reach it.
    let _ = setsid();
    let role = frame::read(&mut told).ok()?;
    Some((told, role))
}

/// Takes the line from standard input, and puts nothing in its place: else it would end with the process only.
fn take(stdin: BorrowedFd<'_>) -> io::Result<File> {
    let line = stdin.try_clone_to_owned()?;
    rustix::stdio::dup2_stdin(File::open("/dev/null")?)?;
    Ok(File::from(line))
}

/// From the lock on the folder to the result in it. What is still to be taken away then keeps nobody waiting.
fn execute(folder: &Folder, order: &Order, ready: Ready) -> Option<Places> {
    let lock = folder.lock().ok()?;
    // An owner could not tell whether it still answers.
    folder.enrol(&Enrolment::of(order)).ok()?;
    if !matches!(folder.claim(Gate::Started), Ok(Gate::Started)) {
        return None;
    }
    let (verdict, places) = run::run(folder, order, ready).unwrap_or_else(|error| (not_started(error), None));
    publish(folder, &verdict);
    drop(lock);
    places
}

fn not_started(error: io::Error) -> Verdict {
    let how = How::NotStarted(error.to_string());
    Verdict { how, millis: 0, total: 0, left_behind: false, restored: Vec::new() }
}

/// A disk that is full may have room again; a folder that is gone will not come back.
fn publish(folder: &Folder, verdict: &Verdict) {
    let start = Instant::now();
    while folder.publish(verdict).is_err() && folder.exists() && start.elapsed() < ROOM_LIMIT {
        folder.wait_for_room();
        sleep(PUBLISH_PAUSE);
    }
}
