//! Rules that are well written, and would do something else than they seem to: refused when they are loaded, because
//! nobody notices later.

use onward_event::{Mode, Risk, Verdict};

use super::fields::Fields;
use super::rule::lets_run;
use super::source::Source;
use crate::layer::Layer;
use crate::rule::{Rule, RuleSandbox, ToolPattern};
use crate::suggest::suggestion;
use crate::tools::{KnownTool, SERVERS, TOOLS, tool_names};

/// Notes what is wrong with a rule as a whole.
pub(super) fn check(source: &mut Source<'_>, fields: &Fields<'_>, rule: &Rule) {
    by_layer(source, fields, rule);
    by_effect(source, fields, rule);
    if rule.effect == Verdict::Allow && source.layer != Layer::BuiltIn {
        too_wide(source, fields, rule);
    }
    matches_nothing(source, fields, rule);
    if source.layer != Layer::BuiltIn {
        tool_cannot(source, fields, rule);
        other_program(source, fields, rule);
    }
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

fn is_ceiling(mode: &Mode) -> bool {
    matches!(mode, Mode::Plan | Mode::ReadOnly)
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
    let only_ceilings = !rule.modes.is_empty() && rule.modes.iter().all(is_ceiling);
    let runs = rule.argv.is_some() || !rule.program.is_empty();
    if rule.effect == Verdict::Allow && only_ceilings && runs && rule.sandbox != Some(RuleSandbox::ReadOnly) {
        let what = "in these modes nothing may change, so this can allow nothing";
        source.wrong(&fields.place("modes"), what, "write sandbox = \"read-only\"");
    }
}

/// A tool that is not there, or that cannot do what the rule is about.
fn tool_cannot(source: &mut Source<'_>, fields: &Fields<'_>, rule: &Rule) {
    let tools: Vec<KnownTool> = match &rule.tool {
        None => return,
        Some(ToolPattern::Prefix(start))
            if start.starts_with(SERVERS) || SERVERS.starts_with(start.as_str()) =>
        {
            return;
        }
        Some(ToolPattern::Exact(name)) if name.starts_with(SERVERS) => return,
        Some(ToolPattern::Exact(name)) => KnownTool::of(name).into_iter().collect(),
        Some(ToolPattern::Prefix(start)) => {
            TOOLS.iter().filter(|tool| tool.name.starts_with(start.as_str())).copied().collect()
        }
    };
    if tools.is_empty() {
        no_such_tool(source, fields, rule);
        return;
    }
    let none = |can: &dyn Fn(&KnownTool) -> bool| !tools.iter().any(can);
    let mut impossible = |key: &str, what: String, instead: &str| {
        source.wrong(&fields.place(key), format!("{what}, so the rule can match nothing"), instead);
    };
    if (rule.argv.is_some() || !rule.program.is_empty()) && none(&|tool| tool.runs) {
        impossible("tool", "this tool runs no command".into(), "write tool = \"shell\", or leave it out");
    }
    let (reads, writes) = (rule.read.is_some(), rule.write.is_some());
    if reads && !writes && none(&|tool| tool.reads) {
        let what = "this tool names no file that it reads".into();
        impossible("read", what, "write `write` for what it changes, or leave `tool` out");
    }
    if writes && !reads && none(&|tool| tool.writes) {
        let what = "this tool changes no file".into();
        impossible("write", what, "write `read` for what it reads, or leave `tool` out");
    }
    if reads && writes && none(&|tool| tool.reads || tool.writes) {
        impossible("tool", "this tool names no files".into(), "leave `read` and `write` out, or `tool`");
    }
    if !rule.risks.is_empty() && none(&|tool| rule.risks.iter().any(|risk| tool.risks(*risk))) {
        let has: Vec<&str> =
            ALL_RISKS.into_iter().filter(|risk| !none(&|tool| tool.risks(*risk))).map(Risk::name).collect();
        let instead = format!("its risk is {}; leave `risks` out", has.join(", "));
        impossible("risks", "no call of this tool has such a risk".into(), &instead);
    }
    let nothing_changes = !rule.modes.is_empty() && rule.modes.iter().all(is_ceiling);
    if rule.effect == Verdict::Allow && nothing_changes && none(&|tool| tool.runs || !tool.writes) {
        let what = "in these modes nothing may change, so this can allow nothing";
        source.wrong(&fields.place("modes"), what, "name other modes, or leave the rule out");
    }
}

const ALL_RISKS: [Risk; 5] = [Risk::Read, Risk::Write, Risk::Shell, Risk::Network, Risk::Dangerous];

fn no_such_tool(source: &mut Source<'_>, fields: &Fields<'_>, rule: &Rule) {
    let Some(pattern) = &rule.tool else { return };
    let (what, given) = match pattern {
        ToolPattern::Exact(name) => (format!("there is no tool `{name}`"), name),
        ToolPattern::Prefix(start) => (format!("no tool's name begins with `{start}`"), start),
    };
    let instead = match suggestion(given, tool_names()) {
        Some(near) => format!("did you mean \"{near}\"?"),
        None => format!(
            "the tools are {}; those of servers begin with \"mcp:\"",
            tool_names().collect::<Vec<_>>().join(", ")
        ),
    };
    source.wrong(&fields.place("tool"), format!("{what}, so the rule can match nothing"), instead);
}

/// A command whose first word is surely the name of other programs than those that it must be.
fn other_program(source: &mut Source<'_>, fields: &Fields<'_>, rule: &Rule) {
    let Some(first) = rule.argv.as_ref().and_then(|argv| argv.tokens.first()) else { return };
    let (words, programs) = (first.words(), &rule.program);
    let possible = |word: &String| programs.iter().any(|program| may_name(word, program));
    if programs.is_empty() || words.iter().any(possible) {
        return;
    }
    let what = format!(
        "`{}` is not the name of {}, so the rule can match nothing",
        words.join("|"),
        programs.join(" or ")
    );
    let instead = format!(
        "write the file that the command runs (`readlink -f \"$(command -v {})\"`), or leave `program` out",
        words.join(" ")
    );
    source.wrong(&fields.place("program"), what, instead);
}

/// Whether a word may be a name of this program: it reads alike (`python3`, `python3.12`), or leads there from a folder
/// where programs are. A program that is many (`busybox`) has any name.
fn may_name(word: &str, program: &str) -> bool {
    const MANY: &[&str] = &["box", "utils", "rustup", "alternatives", "launcher", "shim"];
    const FOLDERS: &[&str] = &["/usr/local/bin", "/usr/bin", "/bin", "/usr/local/sbin", "/usr/sbin", "/sbin"];
    let base = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    let real = std::fs::canonicalize(program).ok();
    let names = [Some(program.to_owned()), real.as_ref().map(|real| real.display().to_string())];
    let names: Vec<String> = names.into_iter().flatten().collect();
    let alike = |name: &String| {
        let (name, word) = (base(name), base(word));
        name.starts_with(&word) || word.starts_with(&name) || MANY.iter().any(|many| name.contains(many))
    };
    if names.iter().any(alike) {
        return true;
    }
    let Some(real) = real else { return false };
    let beside = names.iter().filter_map(|name| Some(name.rsplit_once('/')?.0));
    let leads =
        |folder: &str| std::fs::canonicalize(format!("{folder}/{word}")).is_ok_and(|there| there == real);
    word.contains('/') || beside.chain(FOLDERS.iter().copied()).any(leads)
}
