//! Rule 5, for continuations: a turn that ended *interrupted* is carried on by a `recovery/continuation` in the same
//! append. It waits for every unknown call of its run, and starts one turn of that run once all of them are settled.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;

use onward_event::{
    CallId, Event, RecoveryContinuation, RunId, Seq, TurnEnd, TurnId, TurnSource, TurnStart, TurnTerminal,
};

use super::env::{CheckEnv, Checked};
use super::report::Findings;
use super::rule::Rule;

const RULE: u8 = 5;

#[derive(Default)]
pub(super) struct Continuations {
    /// The open turn and its run.
    turn: Option<(TurnId, RunId)>,
    /// Ended *interrupted* in this append, and not yet carried on.
    interrupted: BTreeMap<TurnId, (RunId, Seq)>,
    /// Those that no turn has carried on.
    pending: BTreeMap<Seq, Pending>,
    /// Calls whose outcome is unknown and that nobody has settled, with their runs.
    unknown: BTreeMap<CallId, RunId>,
}

struct Pending {
    run: RunId,
    blocked_on: BTreeSet<CallId>,
}

impl Rule for Continuations {
    fn record(&mut self, seen: &Checked<'_>, _: &mut dyn CheckEnv, out: &mut Findings) {
        let at = seen.record.seq;
        match &seen.record.event {
            Event::TurnStart(body) => {
                self.turn = Some((body.turn, body.run));
                if let TurnSource::Continuation(seq) = body.source {
                    self.carry_on(seq, body, at, out);
                }
            }
            Event::TurnEnd(body) => self.end_turn(body, at),
            Event::RecoveryContinuation(body) => self.open(body, at, out),
            Event::ToolOutcomeUnknown(body) => {
                if let Some((_, run)) = self.turn {
                    self.unknown.insert(body.call, run);
                }
            }
            Event::ReconciliationResolved(body) => {
                self.unknown.remove(&body.call);
                for pending in self.pending.values_mut() {
                    pending.blocked_on.remove(&body.call);
                }
            }
            _ => {}
        }
    }

    fn append_ends(&mut self, out: &mut Findings) {
        while let Some((turn, (_, at))) = self.interrupted.pop_first() {
            let what = format!(
                "{turn} ended interrupted, but no recovery/continuation in the same append carries its run on"
            );
            out.violation(RULE, at, what);
        }
    }
}

impl Continuations {
    fn end_turn(&mut self, body: &TurnEnd, at: Seq) {
        if let Some((turn, run)) = self.turn.take()
            && turn == body.turn
            && body.terminal == TurnTerminal::Interrupted
        {
            self.interrupted.insert(turn, (run, at));
        }
    }

    fn open(&mut self, body: &RecoveryContinuation, at: Seq, out: &mut Findings) {
        let turn = body.turn;
        match self.interrupted.remove(&turn) {
            Some((run, _)) if run == body.run => {}
            Some((run, _)) => {
                let what = format!("{turn} was a turn of {run}, but is carried on as {}", body.run);
                out.violation(RULE, at, what);
            }
            None => {
                let what = format!("{turn} is carried on, but did not end interrupted in the same append");
                out.violation(RULE, at, what);
            }
        }
        let blocked_on: BTreeSet<CallId> = body.blocked_on.iter().copied().collect();
        let holds = self.unknown.iter().filter(|(_, run)| **run == body.run).map(|(call, _)| *call);
        let holds: BTreeSet<CallId> = holds.collect();
        for call in holds.difference(&blocked_on) {
            let what =
                format!("{} is carried on without waiting for {call}, whose outcome is unknown", body.run);
            out.violation(RULE, at, what);
        }
        for call in blocked_on.difference(&holds) {
            let what = format!("{} waits for {call}, which is no unknown call of it", body.run);
            out.violation(RULE, at, what);
        }
        self.pending.insert(at, Pending { run: body.run, blocked_on });
    }

    fn carry_on(&mut self, seq: Seq, body: &TurnStart, at: Seq, out: &mut Findings) {
        let turn = body.turn;
        let Some(pending) = self.pending.remove(&seq) else {
            let what = format!("{turn} carries on from record {seq}, which is no continuation that waits");
            return out.violation(RULE, at, what);
        };
        if pending.run != body.run {
            let what = format!("{turn} has {}, but record {seq} carries on {}", body.run, pending.run);
            out.violation(RULE, at, what);
        }
        for call in pending.blocked_on {
            let what = format!("{turn} carries on from record {seq}, but nobody has settled {call}");
            out.violation(RULE, at, what);
        }
    }
}
