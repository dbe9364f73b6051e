//! Rules that follow their files.

use std::fs;
use std::path::{Path, PathBuf};

use onward_event::{Mode, Tier, Timestamp, Workspace};
use onward_policy::plan_of_command;
use onward_port::{Containment, PlannedCommand};
use serde_json::json;

use super::*;

/// Files of rules of a test.
struct Place {
    dir: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        Self { dir: tempfile::tempdir().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        // A new file each time, as an editor and this program make it.
        let beside = self.path("beside");
        fs::write(&beside, text).unwrap();
        fs::rename(beside, self.path(name)).unwrap();
    }

    fn load(&self) -> Result<LivePolicy, LoadErrors> {
        let file = |layer, name| LayerFile { layer, path: self.path(name) };
        LivePolicy::load(
            vec![file(Layer::Administrator, "administrator.toml"), file(Layer::User, "user.toml")],
            Vec::new(),
        )
    }
}

fn decide(policy: &LivePolicy, script: &str) -> PolicyDecision {
    let plan = plan_of_command(PlannedCommand {
        script: script.into(),
        dir: "/".into(),
        path: vec!["/usr/bin".into(), "/bin".into()],
    });
    let workspace = Workspace { root: "/".into(), dir: "/".into() };
    let containment = Containment {
        tier: Tier::Namespaces,
        network: onward_event::NetworkAccess::Closed,
        writable: Vec::new(),
    };
    policy.decide(&PolicyRequest {
        tool: "shell",
        version: "1",
        definition: Digest::ZERO,
        input: &json!({ "command": script }),
        plan: &plan,
        mode: Mode::Normal,
        workspace: &workspace,
        containment: Some(&containment),
        now: Timestamp(0),
    })
}

fn rule(id: &str, effect: &str, argv: &str) -> String {
    format!("[[rule]]\nid = \"{id}\"\neffect = \"{effect}\"\nargv = {argv}\n")
}

#[test]
fn what_is_saved_counts_from_the_next_decision_on() {
    let place = Place::new();
    let policy = place.load().unwrap();
    assert_eq!(decide(&policy, "touch /x").verdict, Verdict::Ask);
    let before = policy.revision();
    assert_eq!(policy.revision(), before);
    place.write("user.toml", &rule("no-touch", "deny", "[\"touch\", \"...\"]"));
    assert_ne!(policy.revision(), before, "decisions of before do not count");
    let denied = decide(&policy, "touch /x");
    assert_eq!((denied.verdict, denied.rules), (Verdict::Deny, vec!["no-touch".to_owned()]));
    assert!(denied.reason.contains("user.toml:1"), "{}", denied.reason);
    fs::remove_file(place.path("user.toml")).unwrap();
    assert_eq!((policy.revision(), decide(&policy, "touch /x").verdict), (before, Verdict::Ask));
}

#[test]
fn a_file_that_becomes_wrong_opens_nothing() {
    let place = Place::new();
    place.write("user.toml", &rule("no-touch", "deny", "[\"touch\", \"...\"]"));
    let policy = place.load().unwrap();
    assert_eq!(decide(&policy, "ls /").verdict, Verdict::Allow);
    let before = policy.revision();
    place.write("user.toml", "[[rule]]\nid = 7\n");
    assert_ne!(policy.revision(), before);
    let asked = decide(&policy, "ls /");
    assert_eq!((asked.verdict, asked.rules, asked.always), (Verdict::Ask, vec![BROKEN.to_owned()], None));
    assert!(asked.reason.contains("user.toml:1:1"), "{}", asked.reason);
    assert_eq!(decide(&policy, "touch /x").verdict, Verdict::Deny, "what was denied stays denied");
    place.write("user.toml", "");
    assert_eq!(decide(&policy, "ls /").verdict, Verdict::Allow);
}

#[test]
fn an_administrators_file_that_cannot_be_read_starts_nothing() {
    for make in [make_folder, make_dangling, make_binary] {
        let place = Place::new();
        make(&place.path("administrator.toml"));
        let errors = place.load().err().unwrap();
        assert!(errors.to_string().contains("administrator.toml: "), "{errors}");
    }
}

fn make_folder(path: &Path) {
    fs::create_dir(path).unwrap();
}

fn make_dangling(path: &Path) {
    std::os::unix::fs::symlink("/absent/rules", path).unwrap();
}

fn make_binary(path: &Path) {
    fs::write(path, [0xff, 0xfe]).unwrap();
}

#[test]
fn an_administrators_denial_stands_over_everything() {
    let place = Place::new();
    place.write("administrator.toml", &rule("no-touch", "deny", "[\"touch\", \"...\"]"));
    place.write("user.toml", &rule("touch", "allow", "[\"touch\", \"x\"]"));
    let denied = decide(&place.load().unwrap(), "touch x");
    assert_eq!((denied.verdict, denied.rules), (Verdict::Deny, vec!["no-touch".to_owned()]));
}

#[test]
fn every_fault_of_every_file_is_told_at_once() {
    let place = Place::new();
    make_folder(&place.path("administrator.toml"));
    place.write("user.toml", &format!("{}{}", rule("a", "alow", "[\"x\"]"), rule("b", "deny", "[]")));
    let error = rules_error(&place.load().err().unwrap());
    for part in ["administrator.toml: ", "user.toml:3:10: ", "did you mean \"allow\"?", "user.toml:8:8"] {
        assert!(error.message.contains(part), "{part}: {error}");
    }
    assert_eq!(error.code.number(), 2);
}

/// Rules are checked against what tools can do, where the tools themselves cannot be seen.
#[test]
fn rules_know_every_tool() {
    let mut tools = onward_tools::builtin_names();
    tools.sort_unstable();
    assert_eq!(tools, onward_policy::tool_names().collect::<Vec<_>>());
}
