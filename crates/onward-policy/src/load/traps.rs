//! Rules that are well written, and would do something else than they seem to: refused when they are loaded, because
//! nobody notices later.

use onward_event::{Mode, Risk, Verdict};

use super::fields::Fields;
use super::rule::lets_run;
use super::source::Source;
use crate::layer::Layer;
use crate::rule::{Rule, RuleSandbox, ToolPattern};

/// Notes what is wrong with a rule as a whole.
pub(super) fn check(source: &mut Source<'_>, fields: &Fields<'_>, rule: &Rule) {
    by_layer(source, fields, rule);
    by_effect(source, fields, rule);
    if rule.effect == Verdict::Allow && source.layer != Layer::BuiltIn {
        too_wide(source, fields, rule);
    }
    matches_nothing(source, fields, rule);
}

fn by_layer(source: &mut Source<'_>, fields: &Fields<'_>, rule: &Rule) {
    if source.layer.only_tightens() {
        if rule.effect == Verdict::Allow {
            let what = "a project's file cannot allow: it comes with the folder, and can only tighten";
            source.wrong(
                &fields.place("effect"),
                what,
                "make it \"ask\" or \"deny\", or move the rule to your own file",
            );
        }
        if rule.network {
            source.wrong(&fields.place("net"), "a project's file cannot open the network", "leave `net` out");
        }
        if rule.sandbox.is_some_and(|sandbox| sandbox != RuleSandbox::ReadOnly) {
            let instead = "write sandbox = \"read-only\", or leave it out";
            source.wrong(&fields.place("sandbox"), "a project's file can only narrow the sandbox", instead);
        }
    }
    if rule.grantable && (source.layer != Layer::Administrator || rule.effect != Verdict::Ask) {
        let what = "`grantable` is for what an administrator asks; other asks can be answered anyway, and nothing else is";
        source.wrong(&fields.place("grantable"), what, "leave it out");
    }
}

fn by_effect(source: &mut Source<'_>, fields: &Fields<'_>, rule: &Rule) {
    if lets_run(rule.effect) {
        return;
    }
    if rule.network {
        let instead = "to deny what speaks to other machines, write risks = [\"network\"]";
        source.wrong(&fields.place("net"), "a denial gives no network", instead);
    }
    if rule.sandbox.is_some() {
        source.wrong(&fields.place("sandbox"), "a denial runs nothing", "leave `sandbox` out");
    }
}

fn too_wide(source: &mut Source<'_>, fields: &Fields<'_>, rule: &Rule) {
    let names_command = rule.argv.is_some() || !rule.program.is_empty();
    let bounded = rule.read.is_some() || rule.write.is_some();
    let shell = rule.tool.as_ref().is_some_and(|tool| tool.matches("shell"));
    if rule.tool.is_none() && !names_command && !bounded {
        source.wrong(&fields.at, "this allows everything", "name a `tool`, an `argv`, or paths");
    } else if shell && !names_command && rule.write.is_none() {
        let what = "this allows every command";
        source.wrong(
            &fields.at,
            what,
            "name an `argv`; the mode \"auto\" lets commands run without asking, in a sandbox",
        );
    } else if matches!(&rule.tool, Some(ToolPattern::Prefix(start)) if start == "mcp:") {
        let instead = "name the server: \"mcp:github/*\"";
        source.wrong(&fields.place("tool"), "this allows every tool of every server", instead);
    }
}

fn matches_nothing(source: &mut Source<'_>, fields: &Fields<'_>, rule: &Rule) {
    let command_risks = [Risk::Shell, Risk::Network, Risk::Dangerous];
    let on_paths = rule.read.is_some() || rule.write.is_some();
    let is_command_risk = |risk: &Risk| command_risks.contains(risk);
    if rule.argv.is_some() && !on_paths && !rule.risks.is_empty() && !rule.risks.iter().any(is_command_risk) {
        let instead = "the risk of a command is \"shell\", \"network\" or \"dangerous\"";
        source.wrong(
            &fields.place("risks"),
            "no command has such a risk, so the rule can match nothing",
            instead,
        );
    }
    let ceiling = |mode: &Mode| matches!(mode, Mode::Plan | Mode::ReadOnly);
    let only_ceilings = !rule.modes.is_empty() && rule.modes.iter().all(ceiling);
    let runs = rule.argv.is_some() || !rule.program.is_empty();
    if rule.effect == Verdict::Allow && only_ceilings && runs && rule.sandbox != Some(RuleSandbox::ReadOnly) {
        let what = "in these modes nothing may change, so this can allow nothing";
        source.wrong(&fields.place("modes"), what, "write sandbox = \"read-only\"");
    }
    if let Some(Some(first)) = rule.argv.as_ref().map(|argv| argv.tokens.first())
        && rule.tool.as_ref().is_some_and(
            |tool| matches!(tool, ToolPattern::Exact(name) if NO_COMMANDS.contains(&name.as_str())),
        )
    {
        let what = format!("this tool runs no command, so `{}` can never match", first.words().join("|"));
        source.wrong(&fields.place("tool"), what, "write tool = \"shell\", or leave it out");
    }
}

/// Tools that are known to run no command.
const NO_COMMANDS: &[&str] = &["read", "write", "edit", "list", "glob", "grep", "read_artifact"];
