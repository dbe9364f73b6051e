//! Who was first: a question is answered once, and an unknown outcome settled once. Whoever comes second is told what the
//! log says.

use onward_event::{
    ApprovalId, ApprovalResolved, By, CallId, Event, ReconciliationResolved, Record, Seq, SessionId,
};
use onward_runtime::load_records;

use crate::compose::{App, store_error};
use crate::error::{CliError, ErrorKind};
use crate::render::{outcome, person, verdict};

/// Nothing, if this is the answer that the log has for the question; records up to `after` are known not to have one.
///
/// # Errors
/// What the log says instead.
pub(super) async fn is_answer(
    app: &App,
    session: SessionId,
    after: Seq,
    ours: &ApprovalResolved,
) -> Result<(), CliError> {
    let found = first(app, session, after, |event| match event {
        Event::ApprovalResolved(answer) if answer.approval == ours.approval => Some(answer.clone()),
        _ => None,
    });
    match found.await? {
        Some((answer, by)) if answer != *ours => {
            Err(second(format!("{} {}", ours.approval, answered(&answer, by.as_ref()))))
        }
        _ => Ok(()),
    }
}

/// The same, for what somebody says about an unknown outcome.
///
/// # Errors
/// What the log says instead.
pub(super) async fn is_word(
    app: &App,
    session: SessionId,
    after: Seq,
    ours: &ReconciliationResolved,
) -> Result<(), CliError> {
    let found = first(app, session, after, |event| match event {
        Event::ReconciliationResolved(word) if word.call == ours.call => Some(word.clone()),
        _ => None,
    });
    match found.await? {
        Some((word, by)) if word != *ours => {
            Err(second(format!("{} {}", ours.call, settled(&word, by.as_ref()))))
        }
        _ => Ok(()),
    }
}

/// How a question was answered that is not open any more, if it was.
pub(super) async fn answer_to(
    app: &App,
    session: SessionId,
    approval: ApprovalId,
) -> Result<Option<String>, CliError> {
    let found = first(app, session, Seq(0), |event| match event {
        Event::ApprovalResolved(answer) if answer.approval == approval => Some(answer.clone()),
        _ => None,
    });
    Ok(found.await?.map(|(answer, by)| answered(&answer, by.as_ref())))
}

/// How an outcome was settled that is not unknown any more, if it was.
pub(super) async fn word_on(app: &App, session: SessionId, call: CallId) -> Result<Option<String>, CliError> {
    let found = first(app, session, Seq(0), |event| match event {
        Event::ReconciliationResolved(word) if word.call == call => Some(word.clone()),
        _ => None,
    });
    Ok(found.await?.map(|(word, by)| settled(&word, by.as_ref())))
}

async fn first<T>(
    app: &App,
    session: SessionId,
    after: Seq,
    pick: impl Fn(&Event) -> Option<T>,
) -> Result<Option<(T, Option<By>)>, CliError> {
    let records = load_records(app.ports.log.as_ref(), session, after).await.map_err(store_error)?;
    let mut records = records.into_iter();
    Ok(records.find_map(|(Record { event, by, .. }, _)| pick(&event).map(|found| (found, by))))
}

fn answered(answer: &ApprovalResolved, by: Option<&By>) -> String {
    format!("was {} already{}", verdict(answer), person(by))
}

fn settled(word: &ReconciliationResolved, by: Option<&By>) -> String {
    format!("was settled already{}: {}", person(by), outcome(word.verdict))
}

fn second(what: String) -> CliError {
    CliError::new(ErrorKind::NotFound, format!("{what}; that counts, and nothing was recorded here"))
        .with_hint("`onward show` says what came of it")
}
