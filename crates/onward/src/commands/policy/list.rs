//! `onward policy list`: all rules and grants in force.

use onward_policy::{Grant, GrantSubject};
use serde_json::json;

use super::super::start::Start;
use super::rule_json;
use crate::args::{PolicyListArgs, SettingArgs};
use crate::error::CliError;
use crate::exit::ExitCode;
use crate::render::{printable, say};

pub(super) fn run(start: &Start, args: PolicyListArgs) -> Result<ExitCode, CliError> {
    let rules = start.rules(&start.config(&SettingArgs::default())?)?;
    if args.json {
        let grants: Vec<_> = rules
            .grants()
            .iter()
            .map(|grant| {
                json!({
                    "id": grant.id,
                    "layer": grant.origin.layer.name(),
                    "place": grant.origin.to_string(),
                    "answers": grant.answers,
                    "tool": grant.tool,
                    "workspace": grant.workspace,
                    "about": about(grant),
                })
            })
            .collect();
        let rules: Vec<_> = rules.list().iter().map(rule_json).collect();
        say!("{}", json!({ "rules": rules, "grants": grants }));
        return Ok(ExitCode::Completed);
    }
    for rule in rules.list() {
        say!("{}", printable(&rule.to_string()));
    }
    for grant in rules.grants() {
        let answers = grant.answers.join(", ");
        let line = format!("grant {} ({}) answers {answers}: {}", grant.id, grant.origin, about(grant));
        say!("{}", printable(&line));
    }
    Ok(ExitCode::Completed)
}

/// What a grant is about, in words.
fn about(grant: &Grant) -> String {
    let what = match &grant.subject {
        GrantSubject::Command { argv, .. } => {
            let words: Vec<String> = argv.tokens.iter().map(|token| token.words().join("|")).collect();
            let rest = if argv.rest { " ..." } else { "" };
            format!("`{}{rest}`", words.join(" "))
        }
        GrantSubject::Text(digest) => format!("the script with the digest {}", digest.short()),
        GrantSubject::Write(path) => format!("changing {path}"),
        GrantSubject::Tool => format!("the tool {}", grant.tool),
    };
    match &grant.workspace {
        Some(workspace) => format!("{what} in {workspace}"),
        None => format!("{what} in any workspace"),
    }
}
