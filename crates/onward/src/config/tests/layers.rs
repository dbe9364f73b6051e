//! Which layer wins, and what comes out.

use onward_event::{Mode, Price};
use onward_model::MaxTokensField;

use super::support::World;
use crate::config::{Access, Budget, Overrides, entries, render};

#[test]
fn a_stronger_layer_wins_and_the_source_is_told() {
    let world = World::new().user("[limits]\nmax_steps = 100\n").project("\n\n[limits]\nmax_steps = 50\n");
    let steps = |world: &World, overrides: &Overrides| {
        world.entry(&world.load_with(overrides).unwrap(), "limits.max_steps")
    };
    let none = Overrides::default();
    let flag = Overrides { max_steps: Some(7), ..Overrides::default() };
    assert_eq!(steps(&World::new(), &none), ("200".into(), "default".into()));
    assert_eq!(steps(&world, &none), ("50".into(), "/work/.onward/config.toml line 4".into()));
    let world = world.var("ONWARD_MAX_STEPS", "60");
    assert_eq!(steps(&world, &none), ("60".into(), "ONWARD_MAX_STEPS".into()));
    assert_eq!(steps(&world, &flag), ("7".into(), "--max-steps".into()));
}

#[test]
fn the_effective_configuration_is_shown_with_its_sources() {
    let world = World::new()
        .user(
            "model = \"mine/big\"\nmode = \"accept-edits\"\n\
             [providers.mine]\nbase_url = \"http://127.0.0.1:9/v1/\"\nkey = \"file:~/key\"\n\
             headers = { X-Title = \"my agent\", Authorization = \"env:TOKEN\" }\n\
             [providers.play]\nkind = \"scripted\"\nscript = \"play.json\"\n\
             [models.\"mine/big\"]\ncontext_window = 32_000\ntemperature = 0.2\n\
             price = { input = 2.50, output = \"10\" }\n\
             [limits]\nmax_cost = 1.50\n[shell.env]\npass = [\"CARGO_HOME\", \"LANG\"]\n",
        )
        .project("mode = \"plan\"\n[tools]\nenabled = [\"read\", \"edit\"]\n")
        .var("ONWARD_DATA_DIR", "state");
    let mut entries = entries(&world.load().unwrap());
    // Before the columns are laid out: their width must not depend on where temporary folders are.
    for entry in &mut entries {
        (entry.value, entry.source) = (world.shown(&entry.value), world.shown(&entry.source));
    }
    insta::assert_snapshot!(render(&entries));
}

#[test]
fn a_model_gets_what_is_known_about_it_and_defaults_for_the_rest() {
    let world = World::new().user(
        "model = \"ollama/qwen\"\n[models.\"ollama/qwen\"]\ncontext_window = 32000\n\
         temperature = 0.25\nprice = { input = 1, cached = 0.1, output = 2.000001 }\n",
    );
    let model = world.load().unwrap().model_config(&world.environment).unwrap();
    assert_eq!((model.provider.as_str(), model.model.as_str()), ("ollama", "qwen"));
    assert_eq!((model.context_window, model.max_output), (32_000, 8_192));
    assert_eq!(model.temperature_milli, Some(250));
    assert_eq!(model.price, Some(Price { input: 1_000_000, cached: 100_000, output: 2_000_001 }));

    let other = Overrides { model: Some("openai/new".into()), ..Overrides::default() };
    let model = world.load_with(&other).unwrap().model_config(&world.environment).unwrap();
    assert_eq!((model.context_window, model.max_output, model.price), (128_000, 8_192, None));
}

#[test]
fn builtin_providers_need_no_more_than_a_key() {
    let world = World::new().var("OPENAI_API_KEY", "hunter2").var("https_proxy", "http://proxy.example:3128");
    let config = world.load().unwrap();
    let Access::Chat(openai) = config.access("openai", &world.environment).unwrap() else {
        panic!("no chat")
    };
    assert_eq!(openai.base_url, "https://api.openai.com/v1");
    assert_eq!(openai.key.unwrap().expose(), "hunter2");
    assert_eq!(openai.max_tokens_field, MaxTokensField::MaxCompletionTokens);
    assert!(openai.proxy.is_some());
    let Access::Chat(ollama) = config.access("ollama", &world.environment).unwrap() else {
        panic!("no chat")
    };
    assert_eq!((ollama.base_url.as_str(), ollama.key), ("http://127.0.0.1:11434/v1", None));
}

#[test]
fn a_providers_secrets_are_read_where_they_are() {
    let world = World::new()
        .user(
            "[providers.mine]\nbase_url = \"http://127.0.0.1:9/v1\"\nkey = \"file:~/key\"\n\
             headers = { X-Title = \"agent\", X-Api-Key = \"env:ONWARD_SIDE_KEY\" }\n\
             [providers.play]\nkind = \"scripted\"\nscript = \"scripts/play.json\"\n",
        )
        // With our prefix, and yet no slip: the configuration names it.
        .var("ONWARD_SIDE_KEY", "side");
    std::fs::write(world.environment.home.as_ref().unwrap().join("key"), "hunter2\n").unwrap();
    let config = world.load().unwrap();
    let Access::Chat(mine) = config.access("mine", &world.environment).unwrap() else { panic!("no chat") };
    assert_eq!(mine.key.unwrap().expose(), "hunter2");
    assert_eq!(
        mine.headers,
        [("X-Api-Key".into(), "side".into()), ("X-Title".to_owned(), "agent".to_owned())]
    );
    let Access::Scripted(script) = config.access("play", &world.environment).unwrap() else {
        panic!("no script")
    };
    // Relative to the file that says so.
    assert_eq!(script, world.user_file().parent().unwrap().join("scripts/play.json"));
}

#[test]
fn options_and_variables_reach_every_limit() {
    let budget = Budget { tokens: Some(1), seconds: Some(2), cost_micros: Some(3) };
    let overrides =
        Overrides { budget, mode: Some(Mode::Auto), data_dir: Some("d".into()), ..Overrides::default() };
    let world = World::new()
        .var("ONWARD_MAX_RECOVERIES", "0")
        .var("ONWARD_MAX_COST", "9.99")
        .var("ONWARD_TOOLS", "read, edit");
    let config = world.load_with(&overrides).unwrap();
    let limits = config.limits();
    assert_eq!((limits.max_tokens, limits.max_seconds, limits.max_cost_micros), (Some(1), Some(2), Some(3)));
    assert_eq!((limits.max_recoveries, config.mode.value), (0, Mode::Auto));
    assert_eq!(config.data_dir().unwrap(), &world.environment.cwd.join("d"));
    assert_eq!(config.tools.unwrap().value, ["read", "edit"]);
    assert_eq!(world.entry(&world.load().unwrap(), "limits.max_cost").0, "9.99");
}

#[test]
fn an_empty_variable_is_not_set() {
    let world = World::new().var("ONWARD_MODE", "").var("XDG_DATA_HOME", "");
    let config = world.load().unwrap();
    assert_eq!(config.mode.value, Mode::Normal);
    assert_eq!(world.entry(&config, "data_dir").0, "~/.local/share/onward");
}
