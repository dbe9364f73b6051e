//! `onward policy explain`: what the rules make of a call, and why. The call is planned as for work, and nothing of it
//! is done.

use std::sync::Arc;

use onward_event::{Mode, Rendered, Sandbox, Verdict, Workspace};
use onward_policy::{ExplainedPart, Explanation};
use onward_port::{Clock as _, PolicyRequest, Tool, ToolPlan};
use onward_runtime::SystemClock;
use onward_sandbox::SupervisedExecutor;
use serde_json::{Value, json};

use super::super::start::Start;
use super::rule_json;
use crate::args::{PolicyExplainArgs, SettingArgs};
use crate::compose::{SELF, SUPERVISOR, sandbox_setup, tool_factory};
use crate::config::Config;
use crate::error::{CliError, ErrorKind};
use crate::exit::ExitCode;
use crate::render::{mode_words, printable, sandbox_words, say};

/// Parts of a call that are shown, and listed with `--json`: those that decide first.
const MAX_PARTS: usize = 40;
/// Characters of one command, path or reason that are shown.
const MAX_CHARS: usize = 400;
/// Characters that are shown of what would run in place of a command.
const MAX_RUNS: usize = 2_000;

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
    let definition = tool.definition();
    let explanation = rules.explain(&PolicyRequest {
        tool: &name,
        version: &definition.version,
        definition: onward_port::definition_digest(definition),
        input: &input,
        plan: &plan,
        mode,
        workspace: &workspace,
        containment: containment.as_ref(),
        now: SystemClock.now(),
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
        say!("{}: {}", decision.verdict.name(), short(&decision.reason, MAX_CHARS));
        say!("  decided by  {}", printable(&decision.rules.join(", ")));
        say!("  mode        {}", mode_words(self.mode));
        say!("  risk        {}", decision.risk.name());
        if let Some(sandbox) = &self.contained
            && decision.verdict != Verdict::Deny
        {
            say!("  would run   {}", sandbox_words(sandbox));
        }
        self.show_reading(plan);
        let (shown, left_out) = self.parts();
        shown.into_iter().for_each(show_part);
        if left_out > 0 {
            say!("… and {left_out} more parts, of {}", self.explanation.parts.len());
        }
        self.show_always();
    }

    /// The parts to show, in their order, and how many others there are. Of too many, those that decide are shown first.
    fn parts(&self) -> (Vec<&ExplainedPart>, usize) {
        let all = &self.explanation.parts;
        let verdict = self.explanation.decision.verdict;
        let mut chosen: Vec<usize> = (0..all.len()).collect();
        chosen.sort_by_key(|&at| all.get(at).is_none_or(|part| part.verdict != verdict));
        chosen.truncate(MAX_PARTS);
        chosen.sort_unstable();
        let shown: Vec<_> = chosen.into_iter().filter_map(|at| all.get(at)).collect();
        let left_out = all.len() - shown.len();
        (shown, left_out)
    }

    /// Whether the command was taken apart, and what runs in its place.
    fn show_reading(&self, plan: &ToolPlan) {
        if plan.effects.command.is_none() {
            return;
        }
        match (&self.explanation.opaque, &self.explanation.decision.rendered) {
            (Some(why), _) => say!("opaque: {}", printable(why)),
            (None, Some(Rendered::Argv(argv))) => {
                say!("plain: no shell is needed; this runs: {}", short(&format!("{argv:?}"), MAX_RUNS));
            }
            (None, Some(Rendered::Script(script))) => {
                say!("plain: every command is known; this runs: {}", short(script, MAX_RUNS));
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
        let Explanation { parts: _, opaque, decision } = &self.explanation;
        let (parts, left_out) = self.parts();
        json!({
            "verdict": decision.verdict.name(),
            "reason": decision.reason,
            "rules": decision.rules,
            "risk": decision.risk.name(),
            "mode": self.mode.name(),
            "sandbox": self.contained,
            "opaque": opaque,
            "rendered": decision.rendered,
            "always": decision.always,
            "parts": parts.into_iter().map(part_json).collect::<Vec<_>>(),
            "parts_left_out": left_out,
        })
    }
}

fn show_part(part: &ExplainedPart) {
    say!("{}", short(&part.what, MAX_CHARS));
    let by = if part.by.is_empty() { String::new() } else { format!(" by {}", part.by.join(", ")) };
    say!("  {}{}: {}", part.verdict.name(), printable(&by), short(&part.why, MAX_CHARS));
    for rule in &part.matched {
        say!("    {}", printable(&rule.to_string()));
    }
    for grant in &part.expired {
        say!("    {}", short(&grant.to_string(), MAX_CHARS));
    }
}

/// A text that can be printed, with how much of it is left out. The text that "always" would save is never shortened,
/// nor is the preview of an approval: a person signs those.
fn short(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => printable(text),
        Some((at, _)) => {
            let (shown, rest) = text.split_at(at);
            format!("{}… ({} more characters)", printable(shown), rest.chars().count())
        }
    }
}

fn part_json(part: &ExplainedPart) -> Value {
    json!({
        "what": part.what,
        "risk": part.risk.name(),
        "verdict": part.verdict.name(),
        "by": part.by,
        "why": part.why,
        "matched": part.matched.iter().map(rule_json).collect::<Vec<_>>(),
        "expired": part.expired.iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
}
