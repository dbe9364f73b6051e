//! What a person is shown before they answer whether a call may run: all of it, with nothing hidden and nothing cut.

use onward_event::{ApprovalRequested, FileAccess, NetworkAccess, Risk, Sandbox, Tier};

use onward_wire::terminal::exact as printable;

use super::line::{Line, Style};
use super::record::indented;

/// The question, as it stands.
pub(crate) fn approval_lines(asked: &ApprovalRequested) -> Vec<Line> {
    let dangerous = asked.risk == Risk::Dangerous;
    let style = if dangerous { Style::Bad } else { Style::Strong };
    // One that is asked about for this very reason says so already.
    let unsaid = dangerous && !asked.rules.iter().any(|rule| rule == "dangerous-ask");
    let danger = if unsaid { "; it may destroy what cannot be brought back" } else { "" };
    let tool = printable(&asked.tool);
    let mut lines = vec![
        Line::new(style, format!("? {tool} wants to run ({}{danger})", asked.risk.name())),
        Line::new(Style::Dim, format!("  asked by {}", printable(&asked.rules.join(", ")))),
    ];
    if !asked.reason.is_empty() {
        lines.push(Line::new(style, format!("  {}", printable(&asked.reason))));
    }
    if !asked.again.is_empty() {
        lines.push(Line::new(Style::Strong, format!("  asked again: {}", printable(&asked.again))));
    }
    lines.extend(indented(&asked.preview, Style::Plain));
    if let Some(sandbox) = &asked.sandbox {
        let style = if sandbox.tier == Tier::None { Style::Bad } else { Style::Dim };
        lines.push(Line::new(style, format!("  {}", sandbox_words(sandbox))));
        if asked.risk == Risk::Network && sandbox.network == NetworkAccess::Closed {
            let how = "`--network open`, or sandbox.network = \"open\" in your config.toml";
            lines.push(Line::new(Style::Bad, format!("  approving does not open the network; {how} does")));
        }
    }
    if !asked.files.is_empty() {
        let names = asked.files.iter().map(|file| printable(&file.path)).collect::<Vec<_>>().join(", ");
        lines.push(Line::new(
            Style::Dim,
            format!("  an approval holds while these stay as they are: {names}"),
        ));
    }
    lines
}

/// How a command is contained, in words.
pub(crate) fn sandbox_words(sandbox: &Sandbox) -> String {
    if sandbox.tier == Tier::None {
        return "not contained: it can do what you can do".into();
    }
    let files = match sandbox.files {
        FileAccess::ReadOnly => "changes nothing",
        FileAccess::WorkspaceWrite => "changes the workspace only",
    };
    let network = match sandbox.network {
        NetworkAccess::Closed => "no network",
        NetworkAccess::Open => "the network is open",
    };
    let beside = match sandbox.writable.as_slice() {
        [] => String::new(),
        folders => format!("; and {}", printable(&folders.join(", "))),
    };
    format!("contained ({}): {files}{beside}; {network}", sandbox.tier.name())
}
