//! What the built-in rules decide on a command in `normal` mode, contained and without a network.

use std::path::Path;

use onward_event::{Mode, NetworkAccess, Rendered, Tier, Timestamp, Workspace};
use onward_policy::{LayeredPolicy, plan_of_command};
use onward_port::{Containment, PlannedCommand, Policy as _, PolicyDecision, PolicyRequest};
use serde_json::Value;

/// What runs when this has been decided, as the shell tool runs it.
pub(crate) fn vector(decision: &PolicyDecision, line: &str) -> Vec<String> {
    let by_shell = |script: &str| ["/bin/sh", "-c", script].map(str::to_owned).to_vec();
    match &decision.rendered {
        Some(Rendered::Argv(argv)) => argv.clone(),
        Some(Rendered::Script(script)) => by_shell(script),
        None => by_shell(line),
    }
}

/// Decides, in a workspace.
#[derive(Clone, Debug)]
pub struct Judge {
    policy: LayeredPolicy,
    root: String,
    path: Vec<String>,
}

impl Judge {
    /// With the workspace, and the folders in which programs are looked for.
    pub fn new(root: &Path, path: Vec<String>) -> Self {
        Self { policy: LayeredPolicy::new(), root: root.display().to_string(), path }
    }

    /// The decision on a line in a folder below the workspace's root.
    pub fn decide(&self, dir: &str, line: &str) -> PolicyDecision {
        let dir = if dir.is_empty() { self.root.clone() } else { format!("{}/{dir}", self.root) };
        let plan = plan_of_command(PlannedCommand {
            script: line.to_owned(),
            dir: dir.clone(),
            path: self.path.clone(),
        });
        let containment =
            Containment { tier: Tier::Namespaces, network: NetworkAccess::Closed, writable: Vec::new() };
        self.policy.decide(&PolicyRequest {
            tool: "shell",
            version: "1",
            definition: onward_event::Digest::ZERO,
            input: &Value::Null,
            plan: &plan,
            mode: Mode::Normal,
            workspace: &Workspace { dir, root: self.root.clone() },
            containment: Some(&containment),
            now: Timestamp(0),
        })
    }
}
