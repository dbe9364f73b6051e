//! Calls: judged, started, answered, reconciled (seed, sections 2, 3 and 16).

use onward_event::{
    ApprovalId, ApprovalRequested, CallId, DeniedBy, Event, Handle, PolicyDecided, ReconcileVerdict,
    Semantics, ToolCancelled, ToolDenied, ToolOutcomeUnknown, ToolReconciled, ToolResult, ToolStart, Verdict,
    text_of,
};

use super::{Authorisation, Authorised, Ctx, Ran, Reconciled, Refusal, Report, advance, drift, job};
use crate::prelude::*;
use crate::session::{Call, CallPhase, Session};
use crate::words;

/// A call was planned and judged.
pub(super) fn authorised(
    session: &Session,
    id: CallId,
    authorised: &Authorised,
    ctx: &mut Ctx<'_>,
) -> Result<Vec<Event>, Refusal> {
    let call = session.call(id).ok_or(Refusal::NotOpen("the call"))?;
    if session.turn().is_some_and(|turn| turn.interrupt.is_some()) {
        return Err(Refusal::Stale("the turn"));
    }
    if !call.wants_authorisation(session.epoch()) {
        return Err(Refusal::NotOpen("the call"));
    }
    match authorised {
        // It was started by an owner that died, and cannot be run again to find out.
        Authorised::Fault(report) if call.may_have_acted() => {
            Ok(advance::unknown(id, &words::unknown_after_fault(&text_of(&report.content))))
        }
        Authorised::Fault(report) => Ok(result(id, report)),
        Authorised::Judged(judged) => {
            if judged.basis.config != session.config_revision() || judged.basis.policy != ctx.policy {
                return Err(Refusal::Stale("the settings or the rules"));
            }
            Ok(judged_call(session, call, judged, ctx))
        }
    }
}

fn judged_call(session: &Session, call: &Call, judged: &Authorisation, ctx: &mut Ctx<'_>) -> Vec<Event> {
    let id = call.proposal.call;
    // A person may have sent another call to the background since this one's turn came.
    if judged.verdict != Verdict::Deny && wants_job(call, judged) && session.jobs_are_full() {
        let limits = &session.spec().limits;
        let words = words::too_many_jobs(limits.max_jobs, limits.schedule.max_queued_jobs);
        return vec![advance::error_result(id, "too_many_jobs", words)];
    }
    match judged.verdict {
        // It was started by an owner that died: that it is refused now does not say that nothing happened then.
        Verdict::Deny if call.may_have_acted() => {
            let unknown = advance::unknown(id, &words::unknown_after_refusal(&judged.reason));
            [decided(id, judged, None)].into_iter().chain(unknown).collect()
        }
        Verdict::Deny => {
            let by = if judged.by_mode { DeniedBy::Mode } else { DeniedBy::Policy };
            let content = words::denied(&judged.reason);
            let denied = ToolDenied { call: id, by, content };
            vec![decided(id, judged, None), denied.into()]
        }
        Verdict::Allow => vec![decided(id, judged, None), start(session, call, judged)],
        Verdict::Ask => match granted(session, call, judged, ctx) {
            Some(approval) => vec![decided(id, judged, Some(approval)), start(session, call, judged)],
            None => ask(session, call, judged, ctx),
        },
    }
}

/// Whether the call would be answered with a job.
fn wants_job(call: &Call, judged: &Authorisation) -> bool {
    judged.supervised.as_ref().is_some_and(|supervised| supervised.background || call.to_background)
}

/// The approval that answers the question: the call's own, or one that holds for the session.
fn granted(session: &Session, call: &Call, judged: &Authorisation, ctx: &Ctx<'_>) -> Option<ApprovalId> {
    let grants = call.grant.iter().chain(&session.state.approvals.session);
    let mut covering = grants.filter(|grant| grant.covers(&call.proposal, &judged.subject(), ctx.now));
    covering.next().map(|grant| grant.approval)
}

/// Asks a person; a question that stands already, about the same thing, is not asked twice.
fn ask(session: &Session, call: &Call, judged: &Authorisation, ctx: &mut Ctx<'_>) -> Vec<Event> {
    let id = call.proposal.call;
    if let CallPhase::AwaitingApproval { approval, .. } = &call.phase
        && let Some(open) = session.state.approvals.open.get(approval)
        && open.request.subject().is_still(&judged.subject())
        && open.request.preview == judged.preview
    {
        return vec![decided(id, judged, None)];
    }
    let again = drift::sentence(session, call, judged, ctx);
    let request = ApprovalRequested {
        approval: ApprovalId::from_bits(ctx.id()),
        call: id,
        tool: call.proposal.name.clone(),
        version: call.proposal.version.clone(),
        digest: call.proposal.digest,
        resources: judged.resources.clone(),
        files: judged.files.clone(),
        rules: judged.rules.clone(),
        definition: judged.definition,
        rules_digest: judged.rules_digest,
        sandbox: judged.sandbox.clone(),
        always: judged.always.clone(),
        risk: judged.risk,
        reason: judged.reason.clone(),
        preview: judged.preview.clone(),
        again,
    };
    vec![decided(id, judged, None), request.into()]
}

fn decided(call: CallId, judged: &Authorisation, approval: Option<ApprovalId>) -> Event {
    PolicyDecided {
        call,
        verdict: judged.verdict,
        rules: judged.rules.clone(),
        risk: judged.risk,
        reason: judged.reason.clone(),
        resources: judged.resources.clone(),
        files: judged.files.clone(),
        definition: judged.definition,
        rules_digest: judged.rules_digest,
        sandbox: judged.sandbox.clone(),
        basis: judged.basis,
        approval,
    }
    .into()
}

fn start(session: &Session, call: &Call, judged: &Authorisation) -> Event {
    let (id, run, semantics) = (call.proposal.call, call.runs + 1, judged.semantics.clone());
    let handle = match &judged.supervised {
        None => Handle::InProcess,
        // Unique for ever: a later run of the same call is another execution.
        Some(supervised) => Handle::Supervised {
            name: format!("{}.{id}.{run}", session.id()),
            place: supervised.place.clone(),
            background: wants_job(call, judged),
        },
    };
    let (sandbox, rendered) = (judged.sandbox.clone(), judged.rendered.clone());
    ToolStart { call: id, run, semantics, handle, sandbox, rendered }.into()
}

/// A call that this owner started came to its end.
pub(super) fn ran(session: &Session, id: CallId, run: u32, ran: &Ran) -> Result<Vec<Event>, Refusal> {
    let call = session.call(id).ok_or(Refusal::NotOpen("the call"))?;
    let start = match &call.phase {
        CallPhase::Started { start, epoch, .. } if start.run == run && *epoch == session.epoch() => start,
        _ => return Err(Refusal::NotOpen("the call")),
    };
    Ok(match ran {
        Ran::Finished(report) => result(id, report),
        Ran::Cancelled { content } => {
            vec![ToolCancelled { call: id, started: true, content: content.clone() }.into()]
        }
        Ran::NotBegun => {
            vec![
                ToolCancelled { call: id, started: false, content: words::CANCELLED_UNSTARTED.into() }.into(),
            ]
        }
        Ran::NotStopped { seconds } => {
            vec![unanswered(id, start, "not_stopped", &words::not_stopped(*seconds))]
        }
        Ran::Unknown { content } => vec![unanswered(id, start, "no_result", content)],
        Ran::InBackground { command } => job::started(call, command)?,
    })
}

/// The end of a call of which no answer can be had. Where nothing can have happened there is nothing to find out, so
/// nobody is asked and nothing waits: it only has no result.
fn unanswered(call: CallId, start: &ToolStart, code: &str, why: &str) -> Event {
    match &start.semantics {
        Semantics::None(_) => advance::error_result(call, code, words::without_effects(why)),
        Semantics::Possible(_) => ToolOutcomeUnknown { call, content: why.into() }.into(),
    }
}

/// It was found out what became of a call: of one that an earlier owner started, or of one of our own that was lost.
pub(super) fn reconciled(session: &Session, id: CallId, found: &Reconciled) -> Result<Vec<Event>, Refusal> {
    let call = session.call(id).ok_or(Refusal::NotOpen("the call"))?;
    if !matches!(call.phase, CallPhase::Started { .. }) {
        return Err(Refusal::NotOpen("the call"));
    }
    let verdict =
        |verdict, evidence: &str| ToolReconciled { call: id, verdict, evidence: evidence.into() }.into();
    Ok(match found {
        Reconciled::Applied { evidence, report } => {
            let mut events = vec![verdict(ReconcileVerdict::Applied, evidence)];
            events.extend(result(id, report));
            events
        }
        Reconciled::Cancelled { evidence, content } => vec![
            verdict(ReconcileVerdict::Applied, evidence),
            ToolCancelled { call: id, started: true, content: content.clone() }.into(),
        ],
        Reconciled::InBackground { evidence, command } => {
            // Of a call that this owner has started there was nothing to find out.
            let orphaned = call.orphaned(session.epoch()).is_some();
            let found = orphaned.then(|| verdict(ReconcileVerdict::Applied, evidence));
            found.into_iter().chain(job::started(call, command)?).collect()
        }
        Reconciled::NotApplied { evidence } => vec![verdict(ReconcileVerdict::NotApplied, evidence)],
        Reconciled::Unknown { evidence } => advance::unknown(id, evidence),
    })
}

fn result(call: CallId, report: &Report) -> Vec<Event> {
    let stored = report.artifacts.iter().cloned().map(Event::from);
    let artifacts = report.artifacts.iter().map(|stored| stored.artifact).collect();
    let (status, content, metadata) = (report.status.clone(), report.content.clone(), report.metadata);
    stored.chain([ToolResult { call, status, content, metadata, artifacts }.into()]).collect()
}
