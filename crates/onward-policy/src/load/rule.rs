//! One `[[rule]]`.

use onward_event::Verdict;

use super::fields::{At, Fields};
use super::source::Source;
use super::{argv, examples, paths, traps, words};
use crate::layer::Layer;
use crate::modes::BYPASS;
use crate::rule::{Rule, RuleSandbox, ToolPattern};
use crate::unmatched::UNMATCHED_IDS;

/// Characters of an id.
const MAX_ID: usize = 64;
/// Ids that are recorded for something that is no rule.
const RESERVED: &[&str] = &[BYPASS, "mode-plan", "mode-read-only"];

/// Reads one rule, and says where its id stands. `None` when something is wrong with it, which is then noted.
pub(super) fn read(source: &mut Source<'_>, mut fields: Fields<'_>) -> Option<At<Rule>> {
    let before = source.count();
    let origin = source.origin(&fields.at);
    let id = fields.needed(source, "id", "npm-test").filter(|id| is_id(source, id));
    let effect = fields.needed(source, "effect", "ask");
    let effect = effect.and_then(|word| words::one(source, "effect", &word, words::EFFECTS));
    let reason = fields.text(source, "reason");
    let tool = fields.text(source, "tool").and_then(|tool| tool_pattern(source, &tool));
    let argv = argv::pattern(source, &mut fields);
    let program = paths::programs(source, &mut fields);
    let read = paths::globs(source, &mut fields, "read", effect);
    let write = paths::globs(source, &mut fields, "write", effect);
    let network = network(source, &mut fields);
    let modes = fields.texts(source, "modes");
    let modes = words::some(source, "modes", modes, words::MODES);
    let risks = fields.texts(source, "risks");
    let risks = words::some(source, "risks", risks, words::RISKS);
    let sandbox = sandbox(source, &mut fields);
    let grantable = fields.switch(source, "grantable").is_some_and(|grantable| grantable.it);
    let examples = examples::read(source, &mut fields);
    let special = match source.layer {
        Layer::BuiltIn => {
            let special = fields.texts(source, "special");
            words::some(source, "special", special, words::SPECIALS)
        }
        _ => Vec::new(),
    };
    fields.finish(source);
    let (id, effect) = (id?, effect?);
    let rule = Rule {
        id: id.it,
        effect,
        origin,
        reason: reason.map_or_else(String::new, |reason| reason.it),
        tool,
        argv,
        program,
        read,
        write,
        network,
        modes,
        risks,
        sandbox,
        grantable,
        special,
    };
    // Of a rule that was not read as it is meant, nothing more can be said.
    if source.count() == before {
        traps::check(source, &fields, &rule);
        examples::check(source, &rule, &examples);
    }
    (source.count() == before).then_some(At { it: rule, at: id.at })
}

fn is_id(source: &mut Source<'_>, id: &At<String>) -> bool {
    let good = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | ':');
    if id.it.is_empty() || id.it.len() > MAX_ID || !id.it.chars().all(good) {
        let instead = format!("write up to {MAX_ID} letters, digits and `-`");
        source.wrong(&id.at, format!("{:?} cannot be an id", id.it), instead);
        return false;
    }
    if UNMATCHED_IDS.contains(&id.it.as_str())
        || RESERVED.contains(&id.it.as_str())
        || id.it.starts_with("grant-")
    {
        let what = format!("the id `{}` is recorded for something that is no rule", id.it);
        source.wrong(&id.at, what, "choose another");
        return false;
    }
    true
}

fn tool_pattern(source: &mut Source<'_>, tool: &At<String>) -> Option<ToolPattern> {
    let (start, star) = match tool.it.strip_suffix('*') {
        Some(start) => (start, true),
        None => (tool.it.as_str(), false),
    };
    if start.contains('*') || start.is_empty() {
        let what = format!("`tool` cannot be {:?}", tool.it);
        source.wrong(
            &tool.at,
            what,
            "write the name of a tool, or its start with one `*` at the end: \"mcp:github/*\"",
        );
        return None;
    }
    Some(if star { ToolPattern::Prefix(start.to_owned()) } else { ToolPattern::Exact(start.to_owned()) })
}

/// What a rule or grant says about the network.
pub(super) fn network(source: &mut Source<'_>, fields: &mut Fields<'_>) -> bool {
    let Some(hosts) = fields.texts(source, "net") else { return false };
    for host in hosts.it.iter().filter(|host| host.it != "*") {
        let what = format!("`net` cannot name {:?}: hosts are not told apart", host.it);
        source.wrong(
            &host.at,
            what,
            "write [] for no network, or [\"*\"] for all that the sandbox has a way to",
        );
    }
    !hosts.it.is_empty()
}

/// What a rule or grant says about its containment.
pub(super) fn sandbox(source: &mut Source<'_>, fields: &mut Fields<'_>) -> Option<RuleSandbox> {
    let word = fields.text(source, "sandbox")?;
    words::one(source, "sandbox", &word, words::SANDBOXES)
}

/// Whether an effect lets something run.
pub(super) fn lets_run(effect: Verdict) -> bool {
    effect != Verdict::Deny
}
