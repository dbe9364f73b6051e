//! A folder's own configuration has no effect before the person agrees to exactly what it says.

use insta::assert_snapshot;
use serde_json::json;

use crate::support::Sandbox;

/// A folder whose configuration asks for a limit that no other layer has.
fn with_project() -> Sandbox {
    let sandbox = Sandbox::new(&json!({}));
    std::fs::create_dir(sandbox.workspace().join(".onward")).unwrap();
    sandbox.write(".onward/config.toml", "limits.max_steps = 7\n");
    sandbox
}

fn max_steps(sandbox: &Sandbox) -> String {
    let config = sandbox.run(&["config"]).ended(0).stdout;
    let line = config.lines().find(|line| line.starts_with("limits.max_steps ")).unwrap();
    line.split_whitespace().nth(2).unwrap().to_owned()
}

#[test]
fn it_has_no_effect_until_it_is_trusted_and_none_again_when_it_changes() {
    let sandbox = with_project();
    assert_eq!(max_steps(&sandbox), "200");
    let refused = sandbox.run(&["trust"]).ended(2);
    let agreed = sandbox.run(&["trust", "--yes"]).ended(0);
    assert_eq!(max_steps(&sandbox), "7");
    let again = sandbox.run(&["trust", "--yes"]).ended(0);
    sandbox.write(".onward/config.toml", "limits.max_steps = 8\n");
    let changed = sandbox.run(&["config"]).ended(0);
    assert_eq!(max_steps(&sandbox), "200");
    sandbox.run(&["trust", "--yes"]).ended(0);
    assert_eq!(max_steps(&sandbox), "8");
    let revoked = sandbox.run(&["trust", "--revoke"]).ended(0);
    assert_eq!(max_steps(&sandbox), "200");
    let shown = [refused, agreed, again, revoked].map(|done| sandbox.shown(&done));
    assert_snapshot!(format!("{}\n---\n{}", shown.join("\n---\n"), changed.stderr));
}

#[test]
fn what_is_hidden_in_it_is_shown() {
    let sandbox = with_project();
    sandbox.write(".onward/policy.toml", "# harmless\u{202e}\u{1b}[8m\n");
    let agreed = sandbox.run(&["trust", "--yes"]).ended(0);
    assert_snapshot!(sandbox.shown(&agreed));
}

#[test]
fn a_wrong_file_of_a_stranger_stops_nothing() {
    let sandbox = with_project();
    sandbox.write(".onward/config.toml", "this is no configuration");
    assert_eq!(max_steps(&sandbox), "200");
}

#[test]
fn a_folder_without_configuration_has_nothing_to_trust() {
    let sandbox = Sandbox::new(&json!({}));
    let done = sandbox.run(&["trust", "--yes"]).ended(0);
    assert_snapshot!(sandbox.shown(&done));
    sandbox.run(&["trust", "--revoke"]).ended(0);
}
