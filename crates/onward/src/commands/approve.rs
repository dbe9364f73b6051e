//! `onward approve` and `onward reject`: answer the question whether a call may run.

use std::time::Duration;

use onward_core::Session;
use onward_event::{ApprovalId, ApprovalRequested, ApprovalScope, ApprovalVerdict, SessionId, Timestamp};
use onward_policy::{moment, valid_until};
use onward_port::{Clock, SessionSummary};
use onward_runtime::load;

use super::start::{Start, could_work, is_held};
use crate::args::{ApproveArgs, Named, OutputArgs, RejectArgs, SettingArgs};
use crate::compose::{App, same_place, store_error};
use crate::error::{CliError, ErrorKind};
use crate::exit::ExitCode;
use crate::policy::{Saved, save_grant, user_policy};
use crate::render::{printable, tell};

/// A person's answer.
struct Answer {
    approval: Option<Named<ApprovalId>>,
    session: Option<Named<SessionId>>,
    verdict: ApprovalVerdict,
    scope: ApprovalScope,
    /// How long an approval counts; `None`: without an end.
    valid_for: Option<Duration>,
    feedback: Option<String>,
    no_run: bool,
    output: OutputArgs,
}

pub(super) async fn approve(start: Start, args: ApproveArgs) -> Result<ExitCode, CliError> {
    let scope = match (args.always, args.for_session) {
        (true, _) => ApprovalScope::Always,
        (false, true) => ApprovalScope::Session,
        (false, false) => ApprovalScope::Once,
    };
    let ApproveArgs { approval, session, valid_for, no_run, output, .. } = args;
    let verdict = ApprovalVerdict::Approve;
    answer(start, Answer { approval, session, verdict, scope, valid_for, feedback: None, no_run, output })
        .await
}

pub(super) async fn reject(start: Start, args: RejectArgs) -> Result<ExitCode, CliError> {
    let RejectArgs { approval, session, feedback, no_run, output } = args;
    let (verdict, scope) = (ApprovalVerdict::Reject, ApprovalScope::Once);
    let valid_for = None;
    answer(start, Answer { approval, session, verdict, scope, valid_for, feedback, no_run, output }).await
}

async fn answer(start: Start, answer: Answer) -> Result<ExitCode, CliError> {
    let app = start.app(&SettingArgs::default())?;
    let (summary, asked) = find_question(&start, &app, &answer).await?;
    let approval = asked.approval;
    let Answer { verdict, scope, valid_for, feedback, .. } = answer;
    let records_only = is_held(&summary) || answer.no_run;
    let mut stuck = None;
    match verdict {
        _ if records_only => {}
        ApprovalVerdict::Approve => start.could_work(&app, &summary, answer.output)?,
        // To stop something is always possible, also where nothing could go on.
        ApprovalVerdict::Reject => stuck = could_work(&app, &summary).err(),
    }
    let about = asked.preview.lines().next().unwrap_or_default();
    let verb = if verdict == ApprovalVerdict::Approve { "approving" } else { "rejecting" };
    tell!("{verb} in {}: {} {}", summary.session, printable(&asked.tool), printable(about));
    let until = valid_for.map(|span| end_of(span, app.ports.clock.as_ref()));
    if scope == ApprovalScope::Always {
        save_proposed(&app, &asked, until)?;
    }
    let recorded = match until {
        Some(until) => app.client.approve_until(summary.session, approval, scope, until).await,
        None => app.client.resolve(summary.session, approval, verdict, scope, feedback).await,
    };
    recorded.map_err(store_error)?;
    if let Some(until) = until {
        tell!("the approval counts until {}", moment(until));
    }
    if let Some(error) = stuck {
        tell!(
            "the answer to {approval} is recorded in {}; nothing goes on until this is right:",
            summary.session
        );
        tell!("{error}");
        return Ok(ExitCode::Completed);
    }
    if records_only {
        tell!("the answer to {approval} is recorded in {}", summary.session);
        return Ok(ExitCode::Completed);
    }
    start.work(&app, &summary, answer.output).await
}

/// The moment so far from now, to the full second: people read it.
fn end_of(span: Duration, clock: &dyn Clock) -> Timestamp {
    let millis = u64::try_from(span.as_millis()).unwrap_or(u64::MAX);
    let end = clock.now().plus_millis(millis);
    Timestamp(end.0.div_ceil(1_000).saturating_mul(1_000))
}

/// Saves the grant that the question proposes. Every process hears of it with its next decision.
fn save_proposed(app: &App, asked: &ApprovalRequested, until: Option<Timestamp>) -> Result<(), CliError> {
    let grant = asked.always.as_ref().ok_or_else(|| {
        let message = format!("{} cannot be approved always, so nothing was decided", asked.approval);
        CliError::new(ErrorKind::Usage, message).with_hint("approve it once, or --for-session")
    })?;
    let path = user_policy(&app.environment)?;
    let place = printable(&path.to_string_lossy());
    let grant = until.map_or_else(|| grant.clone(), |until| valid_until(grant, until));
    match save_grant(&path, &grant)? {
        Saved::Added => tell!("added to {place}:"),
        Saved::There => tell!("in {place} already:"),
    }
    for line in grant.lines() {
        tell!("  {}", printable(line));
    }
    Ok(())
}

/// The question that is meant: the named one, or the only one that is open in this folder. Where several sessions wait,
/// nothing is guessed.
async fn find_question(
    start: &Start,
    app: &App,
    answer: &Answer,
) -> Result<(SessionSummary, ApprovalRequested), CliError> {
    let asked = |session: &Session| session.open_approvals().map(|open| open.request.approval).collect();
    let wanted = match answer.approval {
        Some(named) => Some(app.whole(named, asked).await?),
        None => None,
    };
    let candidates = match (answer.session, wanted) {
        // A question's id is enough, whichever session it is in.
        (None, Some(_)) => app.sessions().await?,
        (Some(session), _) => vec![app.find(Some(session), &start.dir()).await?],
        (None, None) => {
            let here = start.workspace()?;
            let all = app.sessions().await?;
            all.into_iter().filter(|summary| same_place(&summary.workspace, &here)).collect()
        }
    };
    let mut found = Vec::new();
    for summary in candidates {
        let session = load(app.ports.log.as_ref(), summary.session, 0).await.map_err(store_error)?;
        if let Some(asked) = open_question(&session, wanted)? {
            found.push((summary, asked));
        }
    }
    if found.len() > 1 {
        let name = |(summary, asked): &(SessionSummary, ApprovalRequested)| {
            format!("\n  {} in {}", asked.approval, summary.session)
        };
        let names: String = found.iter().map(name).collect();
        let message = format!("{} sessions of this folder wait, so name the question:{names}", found.len());
        return Err(
            CliError::new(ErrorKind::Usage, message).with_hint("`onward show ID` shows what each asks")
        );
    }
    if let Some(only) = found.pop() {
        return Ok(only);
    }
    let message = match wanted {
        Some(approval) => {
            format!("{approval} is not open: it was answered, or what it asked about has ended")
        }
        None => "nothing waits for an approval here".to_owned(),
    };
    Err(CliError::new(ErrorKind::NotFound, message).with_hint("`onward show` says what a session waits for"))
}

fn open_question(
    session: &Session,
    wanted: Option<ApprovalId>,
) -> Result<Option<ApprovalRequested>, CliError> {
    let open: Vec<&ApprovalRequested> = session.open_approvals().map(|open| &open.request).collect();
    match (wanted, open.as_slice()) {
        (Some(wanted), open) => {
            Ok(open.iter().find(|asked| asked.approval == wanted).map(|&asked| asked.clone()))
        }
        (None, []) => Ok(None),
        (None, [only]) => Ok(Some((*only).clone())),
        (None, several) => {
            let names: Vec<String> = several.iter().map(|asked| asked.approval.to_string()).collect();
            let message = format!("{} questions are open, so name one: {}", names.len(), names.join(", "));
            Err(CliError::new(ErrorKind::Usage, message).with_hint("`onward show` shows what each asks"))
        }
    }
}
