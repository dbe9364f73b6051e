//! A project's file comes from wherever the project comes from: it may choose and tighten, and nothing else.

use onward_event::Mode;

use super::support::World;
use crate::config::keys::{KEYS, ProjectMay};
use crate::exit::ExitCode;

/// A file that sets one key to a value of the right type.
fn file_with(path: &[&str], value: &str) -> String {
    let name = |(i, segment): (usize, &&str)| match (*segment, path[0], i) {
        ("*", "models", 1) => "\"openai/x\"".to_owned(),
        ("*", ..) => "x".to_owned(),
        (segment, ..) => segment.to_owned(),
    };
    format!("{} = {value}\n", path.iter().enumerate().map(name).collect::<Vec<_>>().join("."))
}

#[test]
fn a_project_can_move_neither_endpoints_nor_credentials() {
    let forbidden: Vec<_> = KEYS.iter().filter(|key| key.project == ProjectMay::Not).collect();
    let tops: Vec<&str> = forbidden.iter().map(|key| key.path[0]).collect();
    assert!(["providers", "data_dir", "shell"].iter().all(|top| tops.contains(top)), "{tops:?}");
    for key in forbidden {
        // The value does not even have to make sense.
        let world = World::new().project(&file_with(key.path, "\"anything\""));
        let error = world.error();
        assert!(error.contains("/work/.onward/config.toml line 1: a project's file may not set"), "{error}");
        assert!(error.contains("set it in ~/.config/onward/config.toml"), "{error}");
    }
}

#[test]
fn no_key_of_a_provider_is_open_to_projects() {
    for key in KEYS.iter().filter(|key| key.path[0] == "providers") {
        assert_eq!(key.project, ProjectMay::Not, "{:?}", key.path);
    }
}

#[test]
fn what_a_project_may_tighten_it_cannot_loosen() {
    for key in KEYS.iter().filter(|key| key.project == ProjectMay::Tighten) {
        let (strict, loose) = match key.path[0] {
            "mode" => ("\"plan\"", "\"auto\""),
            "jobs" => ("\"cancel\"", "\"leave\""),
            "tools" => ("[\"read\"]", "[\"read\", \"shell\"]"),
            _ if key.path.last() == Some(&"network") => ("\"closed\"", "\"open\""),
            _ => ("3", "4"),
        };
        let (strict, loose) = (file_with(key.path, strict), file_with(key.path, loose));
        let tightens = World::new().user(&loose.replace("\"auto\"", "\"accept-edits\"")).project(&strict);
        assert!(tightens.load().is_ok(), "{:?}: {}", key.path, tightens.error());
        let error = World::new().user(&strict).project(&loose).error();
        assert!(error.contains("may tighten") && error.contains("hint: "), "{:?}: {error}", key.path);
    }
}

#[test]
fn a_project_that_loosens_is_told_where_and_how() {
    let world = World::new().project("\nmode = \"auto\"\n");
    assert_eq!(world.load().unwrap_err().code, ExitCode::Usage);
    insta::assert_snapshot!(world.error());
}

#[test]
fn the_person_may_go_beyond_the_project_by_a_variable() {
    let world = World::new().project("mode = \"read-only\"\n").var("ONWARD_MODE", "auto");
    assert_eq!(world.load().unwrap().mode.value, Mode::Auto);
}

#[test]
fn a_project_chooses_its_model() {
    let world = World::new().project("model = \"ollama/qwen\"\n[models.\"ollama/qwen\"]\nmax_output = 100\n");
    let model = world.load().unwrap().model_config(&world.environment).unwrap();
    assert_eq!((model.provider.as_str(), model.max_output), ("ollama", 100));
}
