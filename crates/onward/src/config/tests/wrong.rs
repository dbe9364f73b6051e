//! What a person is told when something is wrong.

use super::support::World;
use crate::config::{Environment, Overrides, load};

/// Each of these texts, in the person's file, is refused with these words.
#[test]
fn mistakes_in_a_file_are_told_with_line_and_advice() {
    let mut shown = String::new();
    for text in [
        "modle = \"a/b\"",
        "[limits]\n\nmax_step = 5",
        "max_steps = 5",
        "[limit]\nmax_steps = 5",
        "[limits]\nmax_steps = 0",
        "[limits]\nmax_steps = \"many\"",
        "[limits]\nmax_steps = 99999999999",
        "[limits]\nmax_steps = 99999999999999999999",
        "[limits]\nmax_cost = 1e3",
        "limits = 5",
        "model = \"gpt-5\"",
        "model = true",
        "mode = \"raed-only\"",
        "mode = [\"auto\"]",
        "[providers.mine]\nkind = \"chatty\"",
        "[providers.mine]\nbase_url = \"127.0.0.1\"",
        "[providers.\"a b\"]\nkind = \"chat\"",
        "[providers.mine]\nkey = \"env:MY KEY\"",
        "[providers.mine.headers]\n\"a b\" = \"c\"",
        "[models.big]\nmax_output = 5",
        "[models.\"a/b\"]\ntemperature = 2.5",
        "[models.\"a/b\"]\nprice = 5",
        "[models.\"a/b\".price]\nouput = 5",
        "[tools]\nenabled = [\"read\", 5]",
        "[shell]\ntimeout_seconds = 2026-01-01",
        "mode = \"auto\"\nmode = \"plan\"",
        "mode = ",
        "[[limits]]\nmax_steps = 5",
    ] {
        shown.push_str(&format!("{text}\n----\n{}\n\n", World::new().user(text).error()));
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn a_key_in_a_file_is_refused_and_never_repeated() {
    for text in [
        "[providers.openai]\nkey = \"sk-hunter2\"",
        "[providers.openai]\nkey = sk-hunter2",
        "[providers.openai]\nkey = \"sk-hunter2",
        "[providers.openai.headers]\nAuthorization = \"Bearer hunter2\"",
        "[providers.openai]\nbase_url = \"https://me:hunter2@a.example/v1\"",
    ] {
        let error = World::new().user(text).error();
        assert!(error.contains("line 2"), "{error}");
        assert!(!error.contains("hunter2"), "{error}");
    }
    insta::assert_snapshot!(World::new().user("[providers.openai]\nkey = \"sk-hunter2\"").error());
}

#[test]
fn mistakes_in_variables_are_told() {
    let mut shown = String::new();
    for (name, value) in [
        ("ONWARD_MAX_STEP", "5"),
        ("ONWARD_ELEPHANT", "5"),
        ("ONWARD_MAX_STEPS", "few"),
        ("ONWARD_MODE", "Auto"),
        ("ONWARD_MAX_COST", "-1"),
    ] {
        shown.push_str(&format!("{name}={value}\n----\n{}\n\n", World::new().var(name, value).error()));
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn without_a_model_the_way_to_one_is_told() {
    let world = World::new();
    let error = world.load().unwrap().model_config(&world.environment).unwrap_err();
    insta::assert_snapshot!(world.shown(&error.to_string()));
}

#[test]
fn what_a_provider_lacks_is_told() {
    let world = World::new().user(
        "[providers.bare]\nmax_tokens_field = \"max_tokens\"\n[providers.play]\nkind = \"scripted\"\n\
         [providers.filed]\nbase_url = \"http://a.example\"\nkey = \"file:/nowhere/key\"\n",
    );
    let config = world.load().unwrap();
    let mut shown = String::new();
    for provider in ["openai", "bare", "play", "filed", "openia", "elephant"] {
        let error = config.access(provider, &world.environment).unwrap_err();
        shown.push_str(&format!("{provider}\n----\n{error}\n\n"));
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn a_model_that_cannot_be_is_told() {
    let mut shown = String::new();
    for text in [
        "model = \"opanai/x\"",
        "model = \"ollama/x\"\n[models.\"ollama/x\"]\ncontext_window = 4000\nmax_output = 4000",
        "model = \"ollama/x\"\n[models.\"ollama/x\".price]\ninput = 1",
    ] {
        let world = World::new().user(text);
        let error = world.load().unwrap().model_config(&world.environment).unwrap_err();
        shown.push_str(&format!("{text}\n----\n{}\n\n", world.shown(&error.to_string())));
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn a_file_that_cannot_be_read_stops_everything() {
    let world = World::new();
    std::fs::create_dir(world.user_file()).unwrap();
    assert!(world.error().contains("~/.config/onward/config.toml cannot be read"), "{}", world.error());
    std::fs::remove_dir(world.user_file()).unwrap();
    std::fs::write(world.user_file(), b"model = \"\xff\"").unwrap();
    assert!(world.error().contains("it is not UTF-8"), "{}", world.error());
    std::fs::write(world.user_file(), "#".repeat(2 << 20)).unwrap();
    assert!(world.error().contains("larger than 1 MiB"), "{}", world.error());
}

#[test]
fn without_a_home_folder_only_the_place_for_sessions_is_missing() {
    let environment = Environment { cwd: std::env::temp_dir(), ..Environment::default() };
    let workspace = tempfile::tempdir().unwrap();
    let config = load(&environment, workspace.path(), &Overrides::default(), None).unwrap();
    assert!(config.data_dir().unwrap_err().to_string().contains("--data-dir"));
}
