//! A process group: everything that a command started and that did not leave it on purpose.

use std::time::Duration;

use rustix::io::Errno;
use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};

/// The pause between two looks, at first; it doubles.
const FIRST_PAUSE: Duration = Duration::from_millis(1);
/// The longest pause between two looks.
const LONGEST_PAUSE: Duration = Duration::from_millis(32);

/// The group that a command leads. Dropped before its end is known, it is killed: a call that nobody waits for must
/// not go on unseen.
#[derive(Debug)]
pub(super) struct Group {
    leader: Pid,
    ended: bool,
}

impl Group {
    /// The group of the process that leads it.
    pub(super) fn of(leader: Pid) -> Self {
        Self { leader, ended: false }
    }

    /// Whether no process of the group is left. Asked after the leader was waited for.
    ///
    /// As long as a member is left, the kernel gives the group's number to nobody else.
    pub(super) fn is_gone(&mut self) -> bool {
        self.ended = self.ended || test_kill_process_group(self.leader) == Err(Errno::SRCH);
        self.ended
    }

    /// Asks every process to end. One that is stopped goes on, so that it hears of it.
    pub(super) fn ask_to_end(&self) {
        self.signal(Signal::TERM);
        self.signal(Signal::CONT);
    }

    /// Ends every process.
    pub(super) fn kill(&self) {
        self.signal(Signal::KILL);
    }

    /// Returns when no process of the group is left; never, if some stay.
    pub(super) async fn gone(&mut self) {
        let mut pause = FIRST_PAUSE;
        while !self.is_gone() {
            if pause == LONGEST_PAUSE && self.only_dead_are_left().await {
                self.ended = true;
                return;
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    /// Whether the processes that are left have all ended, and only wait for a parent that never asks. In a container
    /// whose first process adopts orphans and forgets them, that is how a group stays for ever.
    async fn only_dead_are_left(&self) -> bool {
        let group = self.leader.as_raw_nonzero().get();
        let look = tokio::task::spawn_blocking(move || living_members(group));
        look.await.is_ok_and(|members| members.is_ok_and(|members| members == 0))
    }

    fn signal(&self, signal: Signal) {
        if !self.ended {
            // The group may be gone by now, or not ours to signal; `is_gone` tells.
            let _ = kill_process_group(self.leader, signal);
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Counts the processes of a group that have not ended.
fn living_members(group: i32) -> std::io::Result<usize> {
    let mut members = 0;
    for entry in std::fs::read_dir("/proc")? {
        let entry = entry?;
        let is_process = entry.file_name().as_encoded_bytes().iter().all(u8::is_ascii_digit);
        // A process that ends while we look is none.
        let Some(stat) = is_process.then(|| std::fs::read(entry.path().join("stat")).ok()).flatten() else {
            continue;
        };
        members += usize::from(is_living_member(&stat, group));
    }
    Ok(members)
}

/// `pid (name) state parent group …`, where the name may hold anything, brackets too.
fn is_living_member(stat: &[u8], group: i32) -> bool {
    let stat = String::from_utf8_lossy(stat);
    let Some((_, fields)) = stat.rsplit_once(')') else { return false };
    let mut fields = fields.split_whitespace();
    let (state, _parent, its_group) = (fields.next(), fields.next(), fields.next());
    !matches!(state, Some("Z" | "X" | "x")) && its_group.and_then(|g| g.parse().ok()) == Some(group)
}
