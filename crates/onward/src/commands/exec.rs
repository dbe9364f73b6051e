//! `onward exec`: one task, without questions, to its end.

use std::io::{self, IsTerminal as _, Read as _};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use onward_event::{Part, Seq, Target};

use super::settings::change_settings;
use super::start::Start;
use crate::args::ExecArgs;
use crate::compose::store_error;
use crate::error::{CliError, ErrorKind};
use crate::exit::ExitCode;
use crate::render::tell;

/// Bytes of standard input that are taken as part of the task.
const MAX_INPUT: u64 = 4 << 20;
/// How long standard input is read before it is said that it is read.
const SILENT: Duration = Duration::from_secs(1);

pub(super) async fn run(start: Start, args: ExecArgs) -> Result<ExitCode, CliError> {
    let task = task(args.task.as_deref())?;
    let app = start.app(&args.settings)?;
    let (session, since) = match args.session {
        Some(id) => {
            let summary = app.find(Some(id), &start.dir()).await?;
            start.could_work(&app, &summary, args.output)?;
            change_settings(&app, &summary, &args.settings).await?;
            let content = vec![Part::Text(task)];
            let sent = app.client.send(summary.session, content, Target::NextTurn, true);
            sent.await.map_err(store_error)?;
            (summary.session, summary.head.seq)
        }
        None => {
            let spec = app.spec(&args.settings, args.output.jobs)?;
            // What cannot work must not leave a session behind that waits.
            let workspace = start.workspace()?;
            app.ports_for(&spec.model.provider, &workspace)?;
            let begun = app.client.begin(spec, workspace, vec![Part::Text(task)]);
            (begun.await.map_err(store_error)?, Seq(1))
        }
    };
    let summary = app.find(Some(session.into()), &start.dir()).await?;
    start.work_since(&app, &summary, since, args.output).await
}

/// The words of the command line, then standard input if something is piped in.
fn task(words: Option<&str>) -> Result<String, CliError> {
    let piped = if io::stdin().is_terminal() { String::new() } else { piped()? };
    let words = words.unwrap_or_default().trim();
    match (words.is_empty(), piped.trim().is_empty()) {
        (true, true) => Err(CliError::new(ErrorKind::Usage, "there is no task, so nothing was started")
            .with_hint("onward exec \"fix the failing test\", or pipe the task in")),
        (false, true) => Ok(words.to_owned()),
        (true, false) => Ok(piped),
        (false, false) => Ok(format!("{words}\n\n{piped}")),
    }
}

/// What comes through a pipe, to its end.
fn piped() -> Result<String, CliError> {
    let unreadable =
        |why: String| CliError::new(ErrorKind::Usage, format!("cannot read standard input: {why}"));
    let piped = read_patiently().map_err(|error| unreadable(error.to_string()))?;
    match piped.len() as u64 > MAX_INPUT {
        true => Err(unreadable(format!("it is larger than {} MiB", MAX_INPUT >> 20))
            .with_hint("put it into a file of the workspace and name the file in the task")),
        false => Ok(piped),
    }
}

/// Reads standard input on a thread of its own, so that it can be said what is waited for.
fn read_patiently() -> io::Result<String> {
    let (sender, receiver) = mpsc::sync_channel(1);
    thread::spawn(move || {
        let mut text = String::new();
        let read = io::stdin().take(MAX_INPUT + 1).read_to_string(&mut text);
        // Nobody listens only when the process ends.
        let _ = sender.send(read.map(|_| text));
    });
    let lost = |_| io::Error::other("the thread that reads it is gone");
    match receiver.recv_timeout(SILENT) {
        Ok(read) => read,
        Err(RecvTimeoutError::Disconnected) => Err(lost(())),
        Err(RecvTimeoutError::Timeout) => {
            tell!("reading standard input… (Ctrl-D ends it; without input start with `</dev/null`)");
            receiver.recv().unwrap_or_else(|_| Err(lost(())))
        }
    }
}
