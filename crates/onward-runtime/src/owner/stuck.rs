//! Saying why nothing happens: a command has ended, and its supervisor cannot write how.

use std::time::Duration;

use onward_core::{Call, Job};
use onward_event::{Handle, JobState};

use super::Owner;
use crate::live::LiveEvent;

/// How often executions are looked at that are waited for.
pub(super) const STUCK_LOOK: Duration = Duration::from_secs(1);

impl Owner {
    /// Whether the result of an execution is waited for.
    pub(super) fn has_executions(&self) -> bool {
        self.ports.executor.is_some() && self.executions().next().is_some()
    }

    /// Says of each execution that is stuck why it is, once.
    pub(super) fn tell_of_stuck(&mut self) {
        let Some(executor) = self.ports.executor.clone() else { return };
        let stuck: Vec<(String, String)> =
            self.executions().filter_map(|name| Some((name.to_owned(), executor.stuck(name)?))).collect();
        for (name, why) in stuck {
            if self.stuck.insert(name) {
                self.live.say(|| LiveEvent::Stuck(why));
            }
        }
    }

    /// The names of the executions of calls and jobs that run.
    fn executions(&self) -> impl Iterator<Item = &str> {
        let calls = self.session.step().map_or(&[][..], |step| step.calls());
        let calls = calls.iter().filter_map(Call::start);
        let running = |job: &&Job| job.phase == JobState::Running;
        let jobs = self.session.jobs().filter(running).map(|job| &job.begun.start);
        calls.chain(jobs).filter_map(|start| match &start.handle {
            Handle::Supervised { name, .. } => Some(name.as_str()),
            Handle::InProcess => None,
        })
    }
}
