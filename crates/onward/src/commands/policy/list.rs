//! `onward policy list`: all rules and grants in force, and what each is about.

use onward_policy::{GrantLine, Layer, RuleLine};
use onward_port::Clock as _;
use onward_runtime::SystemClock;
use serde_json::{Value, json};

use super::super::start::Start;
use super::rule_json;
use crate::args::{PolicyListArgs, SettingArgs};
use crate::error::CliError;
use crate::exit::ExitCode;
use crate::render::{printable, say, tell, wrapped};

pub(super) fn run(start: &Start, args: PolicyListArgs) -> Result<ExitCode, CliError> {
    let rules = start.rules(&start.config(&SettingArgs::default())?)?;
    let grants = rules.list_grants(SystemClock.now());
    if args.json {
        let grants: Vec<_> = grants.iter().map(grant_json).collect();
        let rules: Vec<_> = rules.list().iter().map(whole_rule_json).collect();
        say!("{}", json!({ "rules": rules, "grants": grants }));
        return Ok(ExitCode::Completed);
    }
    let rules_by_layer = rules.list();
    let (program, own): (Vec<_>, Vec<_>) =
        rules_by_layer.iter().partition(|rule| rule.layer == Layer::BuiltIn.name());
    own.into_iter().for_each(show_rule);
    grants.iter().for_each(show_grant);
    if rules_by_layer.len() > program.len() || !grants.is_empty() {
        say!("");
    }
    say!("The program's own, which hold beside yours:");
    say!("");
    program.into_iter().for_each(show_rule);
    for warning in rules.warnings() {
        tell!("{}", printable(&format!("warning: {warning}")));
    }
    Ok(ExitCode::Completed)
}

fn show_rule(rule: &RuleLine) {
    say!("{}", printable(&format!("{:<5} {} ({})", rule.effect.name(), rule.id, rule.whose())));
    for (key, said) in rule.says() {
        show(key, &said);
    }
    if !rule.reason.is_empty() {
        show("because", &rule.reason);
    }
}

fn show_grant(grant: &GrantLine) {
    say!("{}", printable(&format!("grant {} ({})", grant.id, grant.place)));
    show("answers", &grant.answers.join(", "));
    show("about", &grant.about);
    if let Some(command) = &grant.command {
        show("command", &command.replace('\n', "⏎"));
    }
    if let Some(end) = grant.end() {
        show("until", &end);
    }
}

/// One thing that is said about a rule or grant.
fn show(key: &str, said: &str) {
    for line in wrapped(&format!("      {key:<7} "), &printable(said).replace('\n', " ")) {
        say!("{line}");
    }
}

/// A rule, with all that it says.
fn whole_rule_json(rule: &RuleLine) -> Value {
    let mut json = rule_json(rule);
    if let Value::Object(fields) = &mut json {
        fields.extend([
            ("tool".to_owned(), json!(rule.tool)),
            ("argv".to_owned(), json!(rule.argv)),
            ("program".to_owned(), json!(rule.program)),
            ("read".to_owned(), json!(rule.read)),
            ("write".to_owned(), json!(rule.write)),
            ("net".to_owned(), json!(rule.network)),
            ("risks".to_owned(), rule.risks.iter().map(|risk| risk.name()).collect()),
            ("modes".to_owned(), rule.modes.iter().map(|mode| mode.name()).collect()),
            ("sandbox".to_owned(), json!(rule.sandbox.map(|sandbox| sandbox.name()))),
            ("when".to_owned(), json!(rule.special)),
        ]);
    }
    json
}

fn grant_json(grant: &GrantLine) -> Value {
    json!({
        "id": grant.id,
        "layer": grant.layer,
        "place": grant.place,
        "answers": grant.answers,
        "tool": grant.tool,
        "workspace": grant.workspace,
        "about": grant.about,
        "command": grant.command,
        "valid_until": grant.valid_until,
        "expired": grant.expired,
    })
}
