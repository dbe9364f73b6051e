//! All sessions at work: processes are started, spoken to and killed, until it is time.

use std::thread::sleep;
use std::time::{Duration, Instant};

use super::child::Process;
use super::killer;
use super::random::Random;
use super::session::{Purpose, Session};
use super::stage::Stage;

/// The pause between two looks at everything.
pub(super) const LOOK: Duration = Duration::from_millis(20);

/// Processes that run at the same time at most: a machine should be busy, and not drown.
const MOST_PROCESSES: usize = 64;

/// Every session, and what was done to them.
pub(super) struct Crowd<'a> {
    pub(super) stage: &'a Stage,
    pub(super) sessions: Vec<Session>,
    pub(super) kills: u64,
    random: Random,
    started: u64,
}

impl<'a> Crowd<'a> {
    /// Nobody works yet.
    pub(super) fn new(stage: &'a Stage, random: Random, sessions: usize) -> Self {
        let sessions = std::iter::repeat_with(Session::default).take(sessions).collect();
        Self { stage, sessions, kills: 0, random, started: 0 }
    }

    /// Keeps all sessions at work, speaks to them and kills, until this moment.
    pub(super) fn work_until(&mut self, end: Instant) -> anyhow::Result<()> {
        let (mut kill_at, mut speak_at) = (self.soon(500..2_500), self.soon(200..600));
        while Instant::now() < end {
            self.look()?;
            for number in 0..self.sessions.len() {
                self.keep_at_work(number)?;
            }
            if Instant::now() >= speak_at {
                self.speak()?;
                speak_at = self.soon(100..500);
            }
            if Instant::now() >= kill_at {
                self.kill();
                kill_at = self.soon(500..3_500);
            }
            sleep(LOOK);
        }
        Ok(())
    }

    /// Takes the news of all processes.
    pub(super) fn look(&mut self) -> anyhow::Result<()> {
        self.sessions.iter_mut().try_for_each(Session::look)
    }

    /// Starts a process for a session.
    pub(super) fn start(&mut self, number: usize, purpose: Purpose, words: &[&str]) -> anyhow::Result<()> {
        self.started += 1;
        let process = Process::start(self.stage.onward(number, words), &self.stage.said(), self.started)?;
        self.sessions[number].running.push((purpose, process));
        Ok(())
    }

    /// How many processes run.
    pub(super) fn running(&self) -> usize {
        self.sessions.iter().map(|session| session.running.len()).sum()
    }

    /// A person settles what nobody can know: it goes on all the same.
    pub(super) fn settle(&mut self, number: usize) -> anyhow::Result<bool> {
        let session = &self.sessions[number];
        let (Some(id), Some(of)) = (session.id.clone(), session.unknown.first().cloned()) else {
            return Ok(false);
        };
        let how = *self.random.pick(&["--go-on", "--applied", "--not-applied"]).unwrap_or(&"--go-on");
        let words = ["reconcile", &of, how, "--session", &id, "--no-run", "--evidence", "nobody looked"];
        self.start(number, Purpose::Settle(of.clone()), &words)?;
        Ok(true)
    }

    /// A session that nobody works on is made, settled, gone on with, or given something new to do.
    fn keep_at_work(&mut self, number: usize) -> anyhow::Result<()> {
        if self.sessions[number].is_worked_on() || self.running() >= MOST_PROCESSES {
            return Ok(());
        }
        let Some(id) = self.sessions[number].id.clone() else {
            let words = self.sessions[number].next_words(number);
            return self.start(number, Purpose::Begin(words.clone()), &["exec", "--json", &words]);
        };
        if self.settle(number)? {
            return Ok(());
        }
        match self.sessions[number].last_code {
            Some(0) => self.say(number, &id),
            _ => self.start(number, Purpose::Resume, &["resume", &id, "--json"]),
        }
    }

    /// Somebody says something to a session that may be at work.
    fn speak(&mut self) -> anyhow::Result<()> {
        let number = self.random.within(0..self.sessions.len() as u64) as usize;
        match self.sessions[number].id.clone() {
            Some(id) if self.running() < 2 * MOST_PROCESSES => self.say(number, &id),
            _ => Ok(()),
        }
    }

    /// Steers, follows up or injects.
    fn say(&mut self, number: usize, id: &str) -> anyhow::Result<()> {
        let how =
            *self.random.pick(&["--steer", "--follow-up", "--follow-up", "--inject"]).unwrap_or(&"--steer");
        let words = self.sessions[number].next_words(number);
        let mut all = vec!["send", &words, "--session", id, "--json", how];
        if self.random.one_in(3) {
            all.push("--no-run");
        }
        self.start(number, Purpose::Say(words.clone()), &all)
    }

    /// Kills one process: mostly one that works or speaks, sometimes a supervisor.
    fn kill(&mut self) {
        let killed = if self.random.one_in(8) { self.kill_supervisor() } else { self.kill_child() };
        self.kills += u64::from(killed);
    }

    fn kill_child(&mut self) -> bool {
        let known = self.sessions.iter_mut().filter(|session| session.id.is_some());
        let mut all: Vec<&mut Process> =
            known.flat_map(|session| session.running.iter_mut().map(|(_, process)| process)).collect();
        let at = self.random.within(0..all.len() as u64) as usize;
        all.get_mut(at).is_some_and(|process| process.kill())
    }

    fn kill_supervisor(&mut self) -> bool {
        let stage = self.stage.folder();
        let all: Vec<_> = killer::strays(stage).into_iter().filter(|stray| stray.supervises).collect();
        self.random.pick(&all).is_some_and(|stray| stray.kill(stage))
    }

    /// A moment within this many milliseconds from now.
    fn soon(&mut self, millis: std::ops::Range<u64>) -> Instant {
        Instant::now() + Duration::from_millis(self.random.within(millis))
    }
}

impl Drop for Crowd<'_> {
    fn drop(&mut self) {
        // First those that would start others.
        self.sessions.clear();
        killer::end_all(self.stage.folder());
    }
}
