//! `onward approve` and `onward reject`: answer the question whether a call may run.

use std::time::Duration;

use onward_event::{
    ApprovalId, ApprovalRequested, ApprovalResolved, ApprovalScope, ApprovalVerdict, SessionId, Timestamp,
};
use onward_policy::{moment, valid_until};
use onward_port::Clock;

use super::answerable::{Question, questions, sessions_here, unclear};
use super::first::{answer_to, is_answer};
use super::start::{Start, could_work, is_held};
use crate::args::{ApproveArgs, Named, OutputArgs, RejectArgs, SettingArgs};
use crate::compose::{App, store_error};
use crate::error::{CliError, ErrorKind};
use crate::exit::ExitCode;
use crate::policy::{Saved, save_grant, user_policy};
use crate::render::{printable, tell};

/// Sessions whose logs are looked through for a question that is not open any more: the latest ones.
const LOOKED_AT: usize = 16;

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
    let app = match answer.verdict {
        ApprovalVerdict::Approve => start.app(&SettingArgs::default())?,
        ApprovalVerdict::Reject => start.app_to_stop()?,
    };
    let Question { summary, open: asked, about, .. } = find_question(&start, &app, &answer).await?;
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
    let verb = if verdict == ApprovalVerdict::Approve { "approving" } else { "rejecting" };
    tell!("{verb} in {}: {}", summary.session, printable(&about));
    let until = valid_for.map(|span| end_of(span, app.ports.clock.as_ref()));
    if scope == ApprovalScope::Always {
        save_proposed(&app, &asked, until)?;
    }
    let recorded = match until {
        Some(until) => app.client.approve_until(summary.session, approval, scope, until).await,
        None => app.client.resolve(summary.session, approval, verdict, scope, feedback.clone()).await,
    };
    recorded.map_err(store_error)?;
    let ours = ApprovalResolved { approval, verdict, scope, valid_until: until, feedback };
    is_answer(&app, summary.session, summary.head.seq, &ours).await?;
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

/// The question that is meant: the named one, or the only one that is open in this folder. Where several wait, nothing
/// is guessed.
async fn find_question(start: &Start, app: &App, answer: &Answer) -> Result<Question, CliError> {
    let sessions = match (answer.session, answer.approval) {
        // A question's id is enough, whichever session it is in.
        (None, Some(_)) => app.sessions().await?,
        (session, _) => sessions_here(start, app, session).await?,
    };
    let (mut fitting, others): (Vec<_>, Vec<_>) = questions(app, &sessions)
        .await?
        .into_iter()
        .partition(|question| answer.approval.is_none_or(|named| named.fits(question.open.approval)));
    let verb = if answer.verdict == ApprovalVerdict::Approve { "approve" } else { "reject" };
    let commands = |question: &Question| vec![format!("{} {verb} {}", app.program, question.name)];
    if fitting.len() > 1 {
        let message = match answer.approval {
            Some(named) => {
                format!("{} questions begin with {named}, so nothing was decided", fitting.len())
            }
            None => format!("{} questions are open, so nothing was decided", fitting.len()),
        };
        return Err(unclear(ErrorKind::Usage, message, &fitting, commands));
    }
    if let Some(only) = fitting.pop() {
        return Ok(only);
    }
    if let Some(approval) = answer.approval.and_then(Named::whole) {
        for summary in sessions.iter().take(LOOKED_AT) {
            if let Some(answered) = answer_to(app, summary.session, approval).await? {
                let message = format!("{approval} {answered}; that counts, and nothing was recorded here");
                return Err(CliError::new(ErrorKind::NotFound, message)
                    .with_hint(format!("`{} show {}` says what came of it", app.program, summary.session)));
            }
        }
    }
    let message = match answer.approval {
        Some(named) if named.whole().is_some() => {
            format!("{named} is not open: it was answered, or what it asked about has ended")
        }
        Some(named) => format!("no open question begins with {named}"),
        None => "nothing waits for an approval here".to_owned(),
    };
    Err(unclear(ErrorKind::NotFound, message, &others, commands))
}
