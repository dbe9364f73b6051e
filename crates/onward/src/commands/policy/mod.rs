//! `onward policy`: the rules in force, whether files of rules are right, and what the rules make of a call.

mod check;
mod explain;
mod list;

use onward_policy::RuleLine;
use serde_json::{Value, json};

use super::start::Start;
use crate::args::{PolicyArgs, PolicyCommand};
use crate::error::CliError;
use crate::exit::ExitCode;

pub(super) async fn run(start: &Start, args: PolicyArgs) -> Result<ExitCode, CliError> {
    match args.command {
        PolicyCommand::Check(args) => check::run(start, &args),
        PolicyCommand::Explain(args) => explain::run(start, &args).await,
        PolicyCommand::List(args) => list::run(start, args),
    }
}

/// A rule for programs.
fn rule_json(rule: &RuleLine) -> Value {
    json!({
        "id": rule.id,
        "effect": rule.effect.name(),
        "layer": rule.layer,
        "place": rule.place,
        "reason": rule.reason,
    })
}
