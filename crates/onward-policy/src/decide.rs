//! From judged parts to one decision.

use onward_event::{Risk, Verdict};
use onward_port::{PolicyDecision, PolicyRequest, digest};

use crate::call::Call;
use crate::files;
use crate::grant::Grant;
use crate::judge::{Because, Judged, judge};
use crate::propose;
use crate::reach;
use crate::rule::Rule;
use crate::unmatched::MIXED;
use crate::words;

/// Decides on one call by these rules and grants, whatever their order.
pub(crate) fn decide(rules: &[Rule], grants: &[Grant], request: &PolicyRequest<'_>) -> PolicyDecision {
    let call = Call::new(request);
    let judged = judge(rules, grants, &call);
    conclude(&call, &judged)
}

/// The decision on a call whose parts are judged.
pub(crate) fn conclude(call: &Call<'_>, judged: &[Judged<'_>]) -> PolicyDecision {
    // A call has at least one part; were it not so, a person would be asked.
    let verdict = judged.iter().map(|judged| judged.verdict).max().unwrap_or(Verdict::Ask);
    let mixed = verdict == Verdict::Allow && reach::mixes_network(call, judged);
    let verdict = if mixed { Verdict::Ask } else { verdict };
    let deciding: Vec<&Judged<'_>> = deciding(judged, verdict);
    let mut rules: Vec<String> = deciding.iter().flat_map(|judged| judged.ids()).collect();
    rules.extend(mixed.then(|| MIXED.id.to_owned()));
    rules.sort();
    rules.dedup();
    let asks = verdict == Verdict::Ask;
    PolicyDecision {
        verdict,
        rules,
        risk: risk(call, judged),
        reason: if mixed { MIXED.reason.to_owned() } else { words::reason(call, verdict, &deciding) },
        by_mode: verdict == Verdict::Deny
            && deciding.iter().all(|judged| matches!(judged.because, Because::Mode(_))),
        reach: reach::of_call(call, judged),
        rendered: call.script.as_ref().and_then(|script| script.rendered.clone()),
        files: if asks { files::of(call) } else { Vec::new() },
        rules_digest: asks.then(|| digest(texts(&deciding, mixed).join("\n").as_bytes())),
        always: if asks && !mixed { propose::always(call, &deciding) } else { None },
    }
}

/// The parts that have the verdict of the whole. When a rule denies, the mode is not to blame: another one would not
/// help.
fn deciding<'a, 'b>(judged: &'b [Judged<'a>], verdict: Verdict) -> Vec<&'b Judged<'a>> {
    let strictest: Vec<_> = judged.iter().filter(|judged| judged.verdict == verdict).collect();
    let by_mode = |judged: &&Judged<'_>| matches!(judged.because, Because::Mode(_));
    if strictest.iter().all(by_mode) {
        return strictest;
    }
    strictest.into_iter().filter(|judged| !by_mode(judged)).collect()
}

fn texts(deciding: &[&Judged<'_>], mixed: bool) -> Vec<String> {
    let mut texts: Vec<String> = mixed.then(|| format!("unmatched {}", MIXED.id)).into_iter().collect();
    for judged in deciding {
        if let Because::Asked(asks) = &judged.because {
            texts.extend(asks.texts());
        }
    }
    texts.sort();
    texts.dedup();
    texts
}

/// What the tool says, or worse.
fn risk(call: &Call<'_>, judged: &[Judged<'_>]) -> Risk {
    let worst = judged.iter().map(|judged| judged.part.risk()).max();
    let stated = call.request.plan.risk;
    // What a tool without effects touches does not make it worse than it says.
    if call.script.is_some() { worst.unwrap_or(stated).max(stated) } else { stated }
}
