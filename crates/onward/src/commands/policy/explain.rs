//! `onward policy explain`: what the rules make of a call, and why. The call is planned as for work, and nothing of it
//! is done.

use std::sync::Arc;

use onward_event::{Mode, Rendered, Sandbox, Verdict, Workspace};
use onward_policy::{ExplainedPart, Explanation};
use onward_port::{PolicyRequest, Tool, ToolPlan};
use onward_sandbox::SupervisedExecutor;
use serde_json::{Value, json};

use super::super::start::Start;
use super::{rule_json, word};
use crate::args::{PolicyExplainArgs, SettingArgs};
use crate::compose::{SELF, SUPERVISOR, sandbox_setup, tool_factory};
use crate::config::Config;
use crate::error::{CliError, ErrorKind};
use crate::exit::ExitCode;
use crate::render::{mode_words, printable, sandbox_words, say};

/// A call, explained.
struct Explained {
    mode: Mode,
    contained: Option<Sandbox>,
    explanation: Explanation,
}

pub(super) async fn run(start: &Start, args: &PolicyExplainArgs) -> Result<ExitCode, CliError> {
    let settings = SettingArgs { sandbox: args.sandbox.clone(), ..SettingArgs::default() };
    let config = start.config(&settings)?;
    let (name, input) = call(args)?;
    let workspace = start.workspace()?;
    let tool = tool(start, &config, &workspace, &name)?;
    let unusable = |why: String| CliError::new(ErrorKind::Usage, format!("no such call can be made: {why}"));
    let input = tool.check(&input).map_err(|faults| unusable(faults.join("; ")))?.input;
    // What cannot be planned is answered with the fault, and no rule is asked.
    let plan = tool.plan(&input).await.map_err(|fault| unusable(fault.message))?;
    let containment = tool.supervision(&input).map(|supervision| supervision.containment);
    let mode = args.mode.unwrap_or(config.mode.value);
    let rules = start.rules(&config)?;
    let version = tool.definition().version.clone();
    let explanation = rules.explain(&PolicyRequest {
        tool: &name,
        version: &version,
        input: &input,
        plan: &plan,
        mode,
        workspace: &workspace,
        containment: containment.as_ref(),
    });
    let contained = containment.map(|offered| offered.within(explanation.decision.reach));
    let explained = Explained { mode, contained, explanation };
    if args.json {
        say!("{}", explained.json())
    } else {
        explained.show(&plan)
    }
    Ok(ExitCode::Completed)
}

/// The tool and the input that are meant.
fn call(args: &PolicyExplainArgs) -> Result<(String, Value), CliError> {
    if let Some(command) = &args.command {
        return Ok(("shell".into(), json!({ "command": command })));
    }
    let text = args.input.as_deref().unwrap_or_default();
    let input = serde_json::from_str(text)
        .map_err(|error| CliError::new(ErrorKind::Usage, format!("--input is not JSON: {error}")))?;
    Ok((args.tool.clone().unwrap_or_default(), input))
}

/// The tool of this name, as it is in a session. No folder is made for a look.
fn tool(
    start: &Start,
    config: &Config,
    workspace: &Workspace,
    name: &str,
) -> Result<Arc<dyn Tool>, CliError> {
    let setup = sandbox_setup(config, &start.environment)?;
    let base = config.data_dir()?.join("executions");
    let executor = Arc::new(SupervisedExecutor::new(base, SELF.into(), vec![SUPERVISOR.into()], setup));
    let tools = tool_factory(config, &start.environment, executor)(workspace)
        .map_err(|why| CliError::new(ErrorKind::Runtime, format!("the workspace cannot be used: {why}")))?;
    tools.get(name).cloned().ok_or_else(|| {
        CliError::new(ErrorKind::Usage, format!("there is no tool `{name}`"))
            .with_hint(format!("the tools are: {}", tools.names().join(", ")))
    })
}

impl Explained {
    fn show(&self, plan: &ToolPlan) {
        let decision = &self.explanation.decision;
        say!("{}: {}", word(decision.verdict), printable(&decision.reason));
        say!("  decided by  {}", printable(&decision.rules.join(", ")));
        say!("  mode        {}", mode_words(self.mode));
        say!("  risk        {}", decision.risk.name());
        if let Some(sandbox) = &self.contained
            && decision.verdict != Verdict::Deny
        {
            say!("  would run   {}", sandbox_words(sandbox));
        }
        self.show_reading(plan);
        self.explanation.parts.iter().for_each(show_part);
        self.show_always();
    }

    /// Whether the command was taken apart, and what runs in its place.
    fn show_reading(&self, plan: &ToolPlan) {
        if plan.effects.command.is_none() {
            return;
        }
        match (&self.explanation.opaque, &self.explanation.decision.rendered) {
            (Some(why), _) => say!("opaque: {}", printable(why)),
            (None, Some(Rendered::Argv(argv))) => {
                say!("plain: no shell is needed; this runs: {}", printable(&format!("{argv:?}")));
            }
            (None, Some(Rendered::Script(script))) => {
                say!("plain: every command is known; this runs: {}", printable(script));
            }
            (None, None) => say!("plain: every command is known"),
        }
    }

    fn show_always(&self) {
        match (&self.explanation.decision.always, self.explanation.decision.verdict) {
            (Some(grant), _) => {
                say!("\"always\" would save:");
                for line in grant.lines() {
                    say!("  {}", printable(line));
                }
            }
            (None, Verdict::Ask) => say!("\"always\" is not offered: this is asked each time"),
            (None, _) => {}
        }
    }

    fn json(&self) -> Value {
        let Explanation { parts, opaque, decision } = &self.explanation;
        json!({
            "verdict": word(decision.verdict),
            "reason": decision.reason,
            "rules": decision.rules,
            "risk": decision.risk.name(),
            "mode": self.mode.name(),
            "sandbox": self.contained,
            "opaque": opaque,
            "rendered": decision.rendered,
            "always": decision.always,
            "parts": parts.iter().map(part_json).collect::<Vec<_>>(),
        })
    }
}

fn show_part(part: &ExplainedPart) {
    say!("{}", printable(&part.what));
    let by = if part.by.is_empty() { String::new() } else { format!(" by {}", part.by.join(", ")) };
    say!("  {}{}: {}", word(part.verdict), printable(&by), printable(&part.why));
    for rule in &part.matched {
        say!("    {}", printable(&rule.to_string()));
    }
}

fn part_json(part: &ExplainedPart) -> Value {
    json!({
        "what": part.what,
        "risk": part.risk.name(),
        "verdict": word(part.verdict),
        "by": part.by,
        "why": part.why,
        "matched": part.matched.iter().map(rule_json).collect::<Vec<_>>(),
    })
}
