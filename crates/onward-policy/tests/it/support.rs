//! A workspace on disk with programs in it, and calls to judge.

use std::fs;
use std::path::{Path, PathBuf};

use onward_event::{
    Digest, Mode, NetworkAccess, OnUnknown, Recovery, Retry, Risk, Semantics, Tier, Timestamp, Verdict,
    Workspace,
};
use onward_policy::{Layer, LayerText, LayeredPolicy, plan_of_command};
use onward_port::{
    Containment, PlannedCommand, PlannedEffects, Policy as _, PolicyDecision, PolicyRequest, ToolPlan,
};
use serde_json::Value;

pub(crate) use Verdict::{Allow, Ask, Deny};

pub(crate) const MODES: [Mode; 6] =
    [Mode::Normal, Mode::AcceptEdits, Mode::Auto, Mode::Plan, Mode::ReadOnly, Mode::Bypass];

/// When calls are judged: 2026-11-30T12:00:00Z.
pub(crate) const NOW: Timestamp = Timestamp(1_796_040_000_000);

/// Programs that are found on the search path.
const PROGRAMS: &[&str] = &[
    "bash", "cargo", "cat", "curl", "echo", "env", "find", "git", "grep", "ls", "make", "nice", "npm",
    "perl", "perl", "pytest", "python3", "rm", "sh", "shutdown", "sudo", "tail", "timeout", "xargs", "wc",
    "npx-real",
];

/// A folder with a workspace `repo` and programs in `bin`.
pub(crate) struct Desk {
    folder: tempfile::TempDir,
}

/// How a call comes to be judged.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setting {
    pub(crate) mode: Mode,
    pub(crate) tier: Tier,
    pub(crate) network: NetworkAccess,
}

/// In a sandbox without a way to the network.
pub(crate) fn contained(mode: Mode) -> Setting {
    Setting { mode, tier: Tier::Namespaces, network: NetworkAccess::Closed }
}

/// In a sandbox with a way to the network.
pub(crate) fn open(mode: Mode) -> Setting {
    Setting { mode, tier: Tier::Namespaces, network: NetworkAccess::Open }
}

/// Without a sandbox.
pub(crate) fn waived(mode: Mode) -> Setting {
    Setting { mode, tier: Tier::None, network: NetworkAccess::Open }
}

impl Desk {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let desk = Self { folder };
        fs::create_dir_all(desk.root().join("src")).unwrap();
        fs::create_dir(desk.base().join("bin")).unwrap();
        for name in PROGRAMS {
            fs::write(desk.base().join("bin").join(name), name).unwrap();
        }
        fs::write(desk.root().join("src/a.rs"), "fn main() {}\n").unwrap();
        desk
    }

    pub(crate) fn base(&self) -> PathBuf {
        fs::canonicalize(self.folder.path()).unwrap()
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.base().join("repo")
    }

    pub(crate) fn workspace(&self) -> Workspace {
        let root = show(&self.root());
        Workspace { dir: root.clone(), root }
    }

    pub(crate) fn command(&self, script: &str) -> ToolPlan {
        plan_of_command(PlannedCommand {
            script: script.to_owned(),
            dir: show(&self.root()),
            path: vec![show(&self.base().join("bin"))],
        })
    }

    /// Decides on a command.
    pub(crate) fn run(&self, policy: &LayeredPolicy, setting: Setting, script: &str) -> PolicyDecision {
        self.with_request(setting, "shell", &self.command(script), |request| policy.decide(request))
    }

    /// Decides on a call of a tool.
    pub(crate) fn call(
        &self,
        policy: &LayeredPolicy,
        mode: Mode,
        tool: &str,
        plan: &ToolPlan,
    ) -> PolicyDecision {
        self.with_request(contained(mode), tool, plan, |request| policy.decide(request))
    }

    pub(crate) fn with_request<T>(
        &self,
        setting: Setting,
        tool: &str,
        plan: &ToolPlan,
        judge: impl FnOnce(&PolicyRequest<'_>) -> T,
    ) -> T {
        let workspace = self.workspace();
        let containment = Containment { tier: setting.tier, network: setting.network, writable: Vec::new() };
        judge(&PolicyRequest {
            tool,
            version: "1",
            definition: Digest::ZERO,
            input: &Value::Null,
            plan,
            mode: setting.mode,
            workspace: &workspace,
            containment: plan.effects.command.is_some().then_some(&containment),
            now: NOW,
        })
    }

    /// The text with names of this desk instead of its folders.
    pub(crate) fn hide(&self, text: &str) -> String {
        text.replace(&show(&self.base()), "[desk]")
    }
}

pub(crate) fn show(path: &Path) -> String {
    path.display().to_string()
}

pub(crate) fn rules(layer: Layer, text: &str) -> LayeredPolicy {
    layers(&[(layer, text)])
}

pub(crate) fn layers(texts: &[(Layer, &str)]) -> LayeredPolicy {
    let layers: Vec<LayerText<'_>> =
        texts.iter().map(|(layer, text)| LayerText { layer: *layer, name: layer.name(), text }).collect();
    LayeredPolicy::from_texts(&layers).unwrap_or_else(|errors| panic!("{errors}"))
}

pub(crate) fn writes(path: &Path) -> ToolPlan {
    let path = show(path);
    ToolPlan {
        risk: Risk::Write,
        semantics: Semantics::Possible(Recovery::Manual(OnUnknown::Ask)),
        resources: vec![path.clone()],
        preview: String::new(),
        effects: PlannedEffects { writes: vec![path], ..PlannedEffects::default() },
    }
}

pub(crate) fn reads(path: &Path) -> ToolPlan {
    let path = show(path);
    ToolPlan {
        risk: Risk::Read,
        semantics: Semantics::None(Retry::Allowed),
        resources: vec![path.clone()],
        preview: String::new(),
        effects: PlannedEffects { reads: vec![path], ..PlannedEffects::default() },
    }
}

/// A call that names no effects.
pub(crate) fn names(risk: Risk, resources: &[&str]) -> ToolPlan {
    let semantics = match risk {
        Risk::Read => Semantics::None(Retry::Allowed),
        _ => Semantics::Possible(Recovery::Manual(OnUnknown::Ask)),
    };
    ToolPlan {
        risk,
        semantics,
        resources: resources.iter().map(|resource| (*resource).to_owned()).collect(),
        preview: String::new(),
        effects: PlannedEffects::default(),
    }
}
