//! The end of the work: nothing is killed any more, and every session is driven until nothing is left to do.

use std::thread::sleep;
use std::time::{Duration, Instant};

use super::crowd::{Crowd, LOOK};
use super::killer;
use super::script;
use super::session::Purpose;

/// So long it may take until all are quiet; more for many sessions.
const LIMIT: Duration = Duration::from_secs(180);
const LIMIT_EACH: Duration = Duration::from_secs(3);

/// Sessions that are driven at the same time.
const AT_ONCE: usize = 8;

/// How a session stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stand {
    /// It was not looked at since the killing ended.
    Unknown,
    /// A process works on it to find out.
    Driven,
    /// Nothing is left to do.
    Quiet,
    /// It could not even be made.
    Missing,
}

impl Stand {
    fn is_open(self) -> bool {
        matches!(self, Self::Unknown | Self::Driven)
    }
}

/// Drives every session to quiet. Returns how many did not come to it.
pub(super) fn reach(crowd: &mut Crowd<'_>) -> anyhow::Result<usize> {
    let end = Instant::now() + LIMIT + LIMIT_EACH * crowd.sessions.len() as u32;
    stop(crowd, end)?;
    let mut stands = vec![Stand::Unknown; crowd.sessions.len()];
    while Instant::now() < end && stands.iter().any(|stand| stand.is_open()) {
        crowd.look()?;
        for (number, stand) in stands.iter_mut().enumerate() {
            *stand = step(crowd, number, *stand)?;
        }
        sleep(LOOK);
    }
    for (number, _) in stands.iter().enumerate().filter(|(_, stand)| **stand != Stand::Quiet) {
        let session = &crowd.sessions[number];
        println!("session {number} ({:?}) hangs: {:?} {}", session.id, session.last_code, session.last_words);
    }
    // A command whose supervisor was killed is nobody's, and ends by itself; its line counts too.
    while Instant::now() < end && !killer::strays(crowd.stage.folder()).is_empty() {
        sleep(LOOK);
    }
    Ok(stands.iter().filter(|stand| **stand != Stand::Quiet).count())
}

/// Lets the models say nothing new, and whoever works ends in order.
fn stop(crowd: &mut Crowd<'_>, end: Instant) -> anyhow::Result<()> {
    for number in 0..crowd.sessions.len() {
        crowd.stage.give_script(number, &script::resting())?;
    }
    while crowd.running() > 0 && Instant::now() < end {
        // One that is being made first says which it is.
        let known = crowd.sessions.iter_mut().filter(|session| session.id.is_some());
        known.flat_map(|session| &mut session.running).for_each(|(_, process)| process.ask_to_end());
        sleep(LOOK);
        crowd.look()?;
    }
    Ok(())
}

/// One step of one session towards quiet.
fn step(crowd: &mut Crowd<'_>, number: usize, stand: Stand) -> anyhow::Result<Stand> {
    let session = &crowd.sessions[number];
    if session.is_worked_on() {
        return Ok(stand);
    }
    let Some(id) = session.id.clone() else {
        return Ok(if session.is_missing() { Stand::Missing } else { Stand::Quiet });
    };
    match (stand, session.last_code) {
        (Stand::Quiet | Stand::Missing, _) => return Ok(stand),
        (Stand::Driven, Some(0)) if session.unknown.is_empty() => return Ok(Stand::Quiet),
        _ => {}
    }
    if crowd.running() >= AT_ONCE {
        return Ok(stand);
    }
    if crowd.settle(number)? {
        return Ok(Stand::Unknown);
    }
    crowd.start(number, Purpose::Resume, &["resume", &id, "--json"])?;
    Ok(Stand::Driven)
}
