//! Decisions: state and one input in, events to record out. Pure: time and ids arrive as arguments.

mod advance;
mod attempt;
mod call;
mod claim;
mod ctx;
mod draft;
mod drift;
mod ending;
mod input;
mod job;
mod limits;
mod outcome;
mod prepared;

pub use ctx::{Ctx, NewTurns, Refusal};
pub use draft::{Draft, DraftError};
pub use input::{Input, PrepareBasis, PrepareFailure, Prepared};
pub use outcome::{
    AttemptReport, Authorisation, Authorised, JobReport, ProposedCall, Ran, Reconciled, Reply, Report,
    Supervised,
};

use onward_event::Event;

use crate::prelude::*;
use crate::session::Session;

/// What follows from this input.
///
/// [`Input::Advance`] makes at most one transition and gives no events when there is none to make; [`Draft`] repeats
/// it.
///
/// # Errors
/// [`Refusal`] when the input no longer applies: its basis has changed, or what it is about has ended. Nothing is
/// lost by that: what is still to be done is listed by [`Session::due`] again.
pub fn decide(session: &Session, input: &Input, ctx: &mut Ctx<'_>) -> Result<Vec<Event>, Refusal> {
    if !session.is_owned() {
        return Err(Refusal::NotOwned);
    }
    match input {
        Input::Advance => Ok(advance::advance(session, ctx)),
        Input::Pause => Ok(advance::pause(session)),
        Input::Prepared(prepared) => prepared::prepared(session, prepared, ctx),
        Input::PrepareFailed(failure) => prepared::failed(session, failure),
        Input::AttemptEnded { attempt, report } => attempt::ended(session, *attempt, report, ctx),
        Input::Authorised { call, authorised } => call::authorised(session, *call, authorised, ctx),
        Input::Ran { call, run, ran } => call::ran(session, *call, *run, ran),
        Input::Reconciled { call, reconciled } => call::reconciled(session, *call, reconciled),
        Input::JobEnded { job, report } => job::ended(session, *job, report),
    }
}
