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
    sandbox.write(".onward/policy.toml", "# harmless\u{202e}\u{200b}\n");
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

#[test]
fn what_could_not_take_effect_is_not_trusted() {
    let loosening = [
        ("config.toml", "[sandbox]\nnetwork = \"open\"\n"),
        ("config.toml", "this is no configuration"),
        ("policy.toml", "[[rule]]\nid = \"mine\"\neffect = \"allow\"\ntool = \"shell\"\n"),
    ];
    for (name, text) in loosening {
        let sandbox = with_project();
        sandbox.write(&format!(".onward/{name}"), text);
        sandbox.run(&["trust", "--yes"]).ended(2);
        sandbox.run(&["sessions"]).ended(0);
        sandbox.run(&["config"]).ended(0);
    }
}

#[test]
fn a_pipe_in_a_strangers_folder_is_not_waited_for() {
    let sandbox = with_project();
    let pipe = sandbox.workspace().join(".onward/policy.toml");
    let mode = rustix::fs::Mode::from_raw_mode(0o600);
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, mode, 0).unwrap();
    let done = sandbox.run(&["config"]).ended(2);
    assert!(done.stderr.contains("no regular file"), "{done:?}");
}
