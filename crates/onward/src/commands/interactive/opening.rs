//! How a conversation begins: what a person agrees to, which session it goes on with, and the first message of a new one.

use std::io::IsTerminal as _;

use onward_event::{AgentSpec, Mode, Part, SessionId};
use onward_port::{OwnerState, SessionSummary};
use onward_runtime::load;

use super::lines::Lines;
use super::said::Said;
use super::{HELP, has_unknown};
use crate::args::{InteractiveArgs, SettingArgs};
use crate::commands::links;
use crate::commands::start::{Start, is_held};
use crate::commands::task::{shortened, task};
use crate::commands::trust::show;
use crate::compose::{App, store_error};
use crate::error::CliError;
use crate::render::{mode_words, prompt, say};
use crate::trust::{ProjectFiles, TrustRecord};

/// Before a folder's own configuration could take effect, the person sees it and decides.
pub(super) async fn offer_trust(
    start: &Start,
    settings: &SettingArgs,
    lines: &mut Lines,
) -> Result<(), CliError> {
    let root = start.workspace()?.root;
    let Some(files) = ProjectFiles::read(root.as_ref())? else { return Ok(()) };
    let data = start.own_config(settings)?.data_dir()?.clone();
    let record = TrustRecord::read(&data)?;
    if record.trusts(&root, &files) || !std::io::stdin().is_terminal() {
        return Ok(());
    }
    show(&files);
    prompt!("this folder brings {}. Let it take effect? [y/N] ", files.names());
    match lines.next().await.as_deref().map(str::trim) {
        Some("y" | "Y" | "yes") => record.trust(&data, &root, &files),
        _ => Ok(()),
    }
}

pub(super) fn introduce(session: &str, spec: &AgentSpec, app: &App, root: &str) {
    let links = links::beside(root);
    say!("onward · {session} · {}/{} · mode {}", spec.model.provider, spec.model.model, spec.mode.name());
    if spec.mode == Mode::Bypass {
        say!("mode {}; `/mode normal` ends it", mode_words(spec.mode));
    }
    say!("{}", app.containment());
    // A person has not read that far yet; what takes longer is left to `onward doctor`.
    links.recv_timeout(links::EARLY).iter().for_each(|line| say!("note: {line}"));
    say!("{HELP}");
}

/// Waits for the first message, and makes the session for it; none when nothing was said.
pub(super) async fn begin(
    start: &Start,
    app: &App,
    args: &InteractiveArgs,
    lines: &mut Lines,
) -> Result<Option<SessionId>, CliError> {
    let (mut spec, workspace) = (app.spec(&args.settings, args.jobs)?, start.workspace()?);
    // What cannot work is said before anybody types.
    app.ports_for(&spec.model.provider, &workspace)?;
    introduce("a new session", &spec, app, &workspace.root);
    loop {
        prompt!("\n> ");
        let Some(line) = lines.next().await else { return Ok(None) };
        match Said::of(&line) {
            Said::Nothing => {}
            Said::Leave => return Ok(None),
            Said::Help => say!("{HELP}"),
            Said::Mode(mode) => {
                spec.mode = mode;
                say!("mode {}", mode.name());
            }
            Said::Wrong(why) => say!("{why}"),
            Said::Jobs => say!("no jobs: the session begins with its first message"),
            Said::Background(_) => say!("no command runs; nothing was changed"),
            Said::Message(text) => {
                let begun = app.client.begin(spec, workspace, vec![Part::Text(text)]);
                return Ok(Some(begun.await.map_err(store_error)?));
            }
        }
    }
}

/// The session to go on with: the named one, or the latest one of this folder if it was interrupted or waits and the
/// person wants it.
pub(super) async fn choose(
    start: &Start,
    app: &App,
    args: &InteractiveArgs,
    lines: &mut Lines,
) -> Result<Option<SessionSummary>, CliError> {
    if args.session.is_some() {
        return Ok(Some(app.find(args.session, &start.dir()).await?));
    }
    let Ok(latest) = app.find(None, &start.dir()).await else { return Ok(None) };
    let what = match unfinished(app, &latest).await? {
        Some(what) => what,
        None => return Ok(None),
    };
    if is_held(&latest) {
        say!("another process works on {0} here; `onward log {0} --follow` shows it", latest.session);
        return Ok(None);
    }
    let (task, _) = task(app, &latest).await;
    say!("{} {what}: {}", latest.session, shortened(&task));
    Ok(agreed(lines).await.then_some(latest))
}

/// Asks until the answer is yes or no: what was meant as something else is neither taken for a yes nor lost unsaid.
async fn agreed(lines: &mut Lines) -> bool {
    loop {
        prompt!("Go on with it? [Y/n] ");
        // Whoever says nothing, because nobody is there, has not agreed.
        let Some(line) = lines.next().await else { return false };
        match line.trim().to_lowercase().as_str() {
            "" | "y" | "yes" => return true,
            "n" | "no" => return false,
            _ => say!(
                "that is no answer, and nothing was done with it: type y to go on with this session, n to begin a new \
                 one; a message comes after that"
            ),
        }
    }
}

/// What is left to do in a session, in words.
async fn unfinished(app: &App, summary: &SessionSummary) -> Result<Option<&'static str>, CliError> {
    let session = load(app.ports.log.as_ref(), summary.session).await.map_err(store_error)?;
    let open = session.turn().is_some() || !session.continuations().is_empty();
    Ok(match summary.owner {
        OwnerState::Held { .. } => Some("is being worked on"),
        OwnerState::Orphaned { .. } => Some("was interrupted here"),
        OwnerState::Free if session.open_approvals().next().is_some() => Some("waits for your approval"),
        OwnerState::Free if has_unknown(&session) => Some("has an action of unknown outcome"),
        OwnerState::Free if open => Some("is not finished"),
        OwnerState::Free => None,
    })
}
