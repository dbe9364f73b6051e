//! What must hold after a run, with or without crashes.

use std::collections::BTreeMap;

use onward_event::{Event, MessageId, Record};

use super::{End, Run};
use crate::crash::Point;
use crate::scenario::{AfterCrash, Scenario};

/// Everything that is wrong with a run, one sentence each. `crashes`: where its lives ended, none for a run without a
/// crash.
pub fn verify(scenario: &Scenario, run: &Run, crashes: &[Point]) -> Vec<String> {
    let mut wrong: Vec<String> = run.report.violations.iter().map(ToString::to_string).collect();
    wrong.extend(run.report.unverifiable.iter().map(|(seq, what)| format!("record {seq}: {what}")));
    check_end(scenario, run, crashes, &mut wrong);
    check_effects(scenario, run, &mut wrong);
    check_files(scenario, run, &mut wrong);
    check_messages(run, &mut wrong);
    if run.unsent > 0 {
        wrong.push(format!("{} messages were never sent: what they wait for did not happen", run.unsent));
    }
    wrong
}

fn check_end(scenario: &Scenario, run: &Run, crashes: &[Point], wrong: &mut Vec<String>) {
    let expect = &scenario.expect;
    let end = match &run.end {
        End::Ended(end) => end.as_str(),
        End::Waiting => "waiting",
    };
    if end != expect.end {
        wrong.push(format!("it ends {end}, not {}", expect.end));
    }
    if let Some(answer) = &expect.answer
        && *answer != run.answer
    {
        wrong.push(format!("the answer is {:?}, not {answer:?}", run.answer));
    }
    // With several crashes it is enough that one of them leaves an unknown; none may where none is expected.
    let unknown = crashes.iter().any(|at| expect.after_crash(at) == AfterCrash::Unknown);
    if run.unknown != unknown && (crashes.len() < 2 || run.unknown) {
        let (is, should) = if unknown { ("known", "unknown") } else { ("unknown", "known") };
        wrong.push(format!("what became of every call is {is}, and should be {should}"));
    }
}

/// What each kind of effect allows.
fn check_effects(scenario: &Scenario, run: &Run, wrong: &mut Vec<String>) {
    let mut happened: BTreeMap<&str, usize> = BTreeMap::new();
    for line in run.ledger.iter().filter(|line| !line.contains("-begin ")) {
        *happened.entry(line).or_default() += 1;
    }
    let crashed = run.lives.len() > 1;
    // A run that comes to a limit or is interrupted may come to it earlier after a crash.
    let cut_short = crashed && !scenario.expect.end.starts_with("completed");
    for (line, count) in &happened {
        if !scenario.expect.effects.contains_key(*line) {
            wrong.push(format!("`{line}` happened {count} times and should not have"));
        }
    }
    for (line, wanted) in &scenario.expect.effects {
        let count = happened.get(line.as_str()).copied().unwrap_or_default();
        let tool = line.split(' ').next().unwrap_or_default();
        let fits = match tool {
            "look" if crashed => true,
            _ if cut_short => count <= *wanted,
            // What a crash cut off is not done again, and what is unknown is not done again by itself.
            "peek" | "fire" | "seal" | "shell" if crashed => count <= *wanted,
            "place" if run.unknown => count <= *wanted,
            _ => count == *wanted,
        };
        if !fits {
            wrong.push(format!("`{line}` happened {count} times, where {wanted} are expected"));
        }
    }
}

fn check_files(scenario: &Scenario, run: &Run, wrong: &mut Vec<String>) {
    for (name, content) in &run.files {
        let wanted = scenario.expect.files.get(name);
        if content.as_ref() != wanted {
            wrong.push(format!("{name} holds {content:?}, not {wanted:?}"));
        }
    }
}

/// No acknowledged message is lost: it is in the log once, and the model saw it or it was given up on purpose. One
/// that waits is not lost either, when the scenario ends waiting.
fn check_messages(run: &Run, wrong: &mut Vec<String>) {
    let records = || run.records.iter().map(|(record, _)| record);
    for id in &run.acknowledged {
        let received = records().filter(|record| receives(record, *id)).count();
        if received != 1 {
            wrong.push(format!("{id} was acknowledged and is in the log {received} times"));
        }
        let ends = records().filter(|record| ends(record, *id)).count();
        let pending = run.session.pending_messages().any(|pending| pending.message.id == *id);
        if ends != usize::from(!pending) || (pending && run.end != End::Waiting) {
            wrong.push(format!("{id} was acknowledged and has {ends} ends"));
        }
    }
}

fn receives(record: &Record, id: MessageId) -> bool {
    matches!(&record.event, Event::InboxReceived(received) if received.message.id == id)
}

fn ends(record: &Record, id: MessageId) -> bool {
    match &record.event {
        Event::RequestPrepared(prepared) => prepared.includes.contains(&id),
        Event::InboxCancelled(cancelled) => cancelled.message == id,
        _ => false,
    }
}
