//! The matrix: the real process is killed before and after every commit of a run, and the next process goes on. The
//! run reads, edits, and runs commands: see `onward demo`.
//!
//! A command that runs when its process dies goes on under its supervisor, which the next process finds: no death leaves
//! anything to ask.

use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};

use onward_event::{Event, ResultStatus, Seq, SessionId, TurnTerminal};

use crate::support::{Done, Records, Sandbox, records};

/// More commits than this are made on the way to the end.
const AT_LEAST: u32 = 10;

#[test]
fn a_death_after_any_commit_loses_nothing_and_repeats_nothing() {
    walk("commit");
}

#[test]
fn a_death_before_any_commit_loses_nothing_and_repeats_nothing() {
    walk("before-commit");
}

/// Dies at the first commit, the second, … until a worker comes to its end alive.
fn walk(kill: &str) {
    let sandbox = Sandbox::bare();
    for nth in 1.. {
        let kill = format!("{kill}:{nth}");
        let stage = Stage::set(&sandbox, &kill.replace(':', "-"));
        let first = stage.work(&kill);
        if first.status.signal() != Some(9) {
            first.ended(0);
            stage.assert_done(&kill);
            assert!(nth > AT_LEAST, "only {nth} commits");
            return;
        }
        let left = stage.records();
        let last = left.kinds().last().map_or_else(String::new, |kind| (*kind).to_owned());
        let at = format!("{kill}, the log ended with {last}");
        stage.work("never").ended(0);
        stage.assert_done(&at);
        stage.assert_kept(&left, &at);
    }
}

/// The demo's folder and session.
struct Stage<'a> {
    sandbox: &'a Sandbox,
    folder: PathBuf,
    session: SessionId,
}

impl<'a> Stage<'a> {
    fn set(sandbox: &'a Sandbox, name: &str) -> Self {
        let folder = sandbox.path().join(name);
        let set = sandbox.run(&["demo-stage", folder.to_str().unwrap()]).ended(0);
        Self { sandbox, folder, session: set.stdout.trim().parse().unwrap() }
    }

    fn work(&self, kill: &str) -> Done {
        let (folder, session) = (self.folder.to_str().unwrap(), self.session.to_string());
        self.sandbox.run(&["demo-worker", folder, &session, kill])
    }

    fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    /// Runs a command on the stage's sessions.
    fn run(&self, args: &[&str]) -> Done {
        let data = self.data();
        self.sandbox.run(&[&["--data-dir", data.to_str().unwrap()], args].concat())
    }

    fn records(&self) -> Records {
        records(&self.data(), self.session)
    }

    /// The work is done, once, and the log is whole.
    fn assert_done(&self, at: &str) {
        let repository = self.folder.join("repository");
        let script = std::fs::read_to_string(repository.join("price.sh")).unwrap();
        assert_eq!(script.matches("echo $(( $1 * $2 ))").count(), 1, "{at}: {script}");
        assert_eq!(script.lines().count(), 4, "{at}: {script}");
        assert!(self.test_passes(&repository), "{at}");
        self.run(&["check", &self.session.to_string()]).ended(0);

        let records = self.records();
        let ends = records.all(|event| match event {
            Event::TurnEnd(end) => Some(end.terminal),
            _ => None,
        });
        assert_eq!(ends.last(), Some(&TurnTerminal::Completed), "{at}");
        assert_eq!(self.edits(&records), 1, "{at}: the edit has one answer");
        assert_eq!(records.count("inbox/cancelled"), 0, "{at}: no message is lost");
        let included: usize = records
            .all(|event| match event {
                Event::RequestPrepared(prepared) => Some(prepared.includes.len()),
                _ => None,
            })
            .iter()
            .sum();
        assert_eq!(included, 1, "{at}: the task is shown to the model once");
    }

    /// What was in the log when the process died is in it still.
    fn assert_kept(&self, left: &Records, at: &str) {
        let now = self.records();
        let Some(Seq(last)) = left.0.last().map(|record| record.seq) else {
            panic!("{at}: nothing was left")
        };
        assert_eq!(now.0[..last as usize], left.0, "{at}");
    }

    fn test_passes(&self, repository: &Path) -> bool {
        let mut command = self.sandbox.program("/bin/sh", &["test.sh"]);
        command.current_dir(repository);
        self.sandbox.start_command(command, std::process::Stdio::null()).wait().status.success()
    }

    /// Answers of edits that did what they should.
    fn edits(&self, records: &Records) -> usize {
        let edits = records.all(|event| match event {
            Event::ToolCall(call) if call.name == "edit" => Some(call.call),
            _ => None,
        });
        let answers = records.all(|event| match event {
            Event::ToolResult(result) if edits.contains(&result.call) => Some(&result.status),
            _ => None,
        });
        answers.into_iter().filter(|status| **status == ResultStatus::Ok).count()
    }
}
