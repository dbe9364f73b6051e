//! A process of the binary: started, spoken to, signalled, waited for.

use std::fmt::Write as _;
use std::io::Write as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::Instant;

use rustix::process::{Pid, Signal, kill_process};

use super::waiting::{HANG, LOOK};

/// A process that runs. It is killed when the test loses interest.
pub(crate) struct Running {
    name: String,
    child: Child,
    out: PathBuf,
    err: PathBuf,
    /// Bytes of the output that [`Running::expect`] has gone past.
    read: usize,
    reaped: bool,
}

/// A process that has ended.
#[derive(Debug)]
pub(crate) struct Done {
    pub(crate) status: ExitStatus,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Running {
    /// Starts it. Its output goes to files: a pipe would stay open as long as any grandchild lives.
    pub(super) fn start(
        name: String,
        mut command: std::process::Command,
        stdin: Stdio,
        out: PathBuf,
        err: PathBuf,
    ) -> Self {
        let file = |path: &Path| std::fs::File::create(path).unwrap();
        let child = command.stdin(stdin).stdout(file(&out)).stderr(file(&err)).spawn().unwrap();
        Self { name, child, out, err, read: 0, reaped: false }
    }

    /// Types a line.
    pub(crate) fn say(&mut self, line: &str) {
        let stdin = self.child.stdin.as_mut().expect("started with a pipe");
        writeln!(stdin, "{line}").unwrap();
    }

    /// Types this, all at once.
    pub(crate) fn type_text(&mut self, text: &str) {
        self.child.stdin.as_mut().expect("started with a pipe").write_all(text.as_bytes()).unwrap();
    }

    /// Types no more.
    pub(crate) fn end_of_input(&mut self) {
        self.child.stdin = None;
    }

    /// Waits until its output, from where the last such wait ended, has this in it.
    pub(crate) fn expect(&mut self, text: &str) {
        let start = Instant::now();
        loop {
            let out = self.stdout();
            if let Some(at) = out[self.read..].find(text) {
                self.read += at + text.len();
                return;
            }
            let shown = || format!("{}: no `{text}` in:\n{out}\n{}", self.name, read(&self.err));
            assert!(start.elapsed() < HANG, "{}", shown());
            assert!(self.child.try_wait().unwrap().is_none() || self.stdout() != out, "{}", shown());
            sleep(LOOK);
        }
    }

    /// What it has written so far.
    pub(crate) fn stdout(&self) -> String {
        read(&self.out)
    }

    /// What it has said on standard error so far.
    pub(crate) fn stderr(&self) -> String {
        read(&self.err)
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// SIGKILL, and its end.
    pub(crate) fn kill(self) -> Done {
        self.signal(Signal::KILL);
        let done = self.wait();
        assert_eq!(done.status.signal(), Some(9), "it had ended before it was killed: {done:?}");
        done
    }

    pub(crate) fn is_running(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    /// Its end.
    pub(crate) fn wait(mut self) -> Done {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                self.reaped = true;
                return Done { status, stdout: self.stdout(), stderr: self.stderr() };
            }
            assert!(
                start.elapsed() < HANG,
                "{} hangs; it has said:\n{}\n{}",
                self.name,
                self.stdout(),
                self.stderr()
            );
            sleep(LOOK / 4);
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if !self.reaped {
            // It may have ended by itself meanwhile.
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

impl Done {
    /// The exit code; a process that was killed has none.
    pub(crate) fn code(&self) -> i32 {
        self.status.code().unwrap_or_else(|| panic!("killed: {self:?}"))
    }

    /// Itself, if it ended like this.
    #[track_caller]
    pub(crate) fn ended(self, code: i32) -> Self {
        let Self { status, stdout, stderr } = &self;
        assert_eq!(status.code(), Some(code), "\nstdout:\n{stdout}\nstderr:\n{stderr}");
        assert!(!stderr.contains("panicked"), "{stderr}");
        self
    }

    /// Everything that a person or a script sees of it.
    pub(crate) fn shown(&self) -> String {
        let mut text = String::new();
        match (self.status.code(), self.status.signal()) {
            (Some(code), _) => writeln!(text, "exit code {code}").unwrap(),
            (None, signal) => writeln!(text, "signal {signal:?}").unwrap(),
        }
        for (name, stream) in [("stdout", &self.stdout), ("stderr", &self.stderr)] {
            let end = if stream.is_empty() || stream.ends_with('\n') { "" } else { "⏎ missing\n" };
            write!(text, "── {name}\n{stream}{end}").unwrap();
        }
        text
    }
}

/// What a process that is over in a moment has left; also used while it writes, so the last character may be cut.
fn read(path: &Path) -> String {
    String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned()
}
