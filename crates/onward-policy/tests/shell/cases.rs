//! The cases of the data files. The texts are read here and given to nothing but the analysis.

use onward_policy::{Analysis, Redirect, Simple, Unwrapped, analyse, harmless, unwrap};
use toml::{Table, Value};

#[test]
fn scripts_are_what_the_data_says() {
    for case in cases(include_str!("analyse.toml")) {
        let name = text(&case, "name");
        let script = text(&case, "script");
        let commands = match analyse(script) {
            Analysis::Plain(commands, _) => {
                assert_eq!(argvs(&commands), vectors(&case, "runs").expect(name), "{name}");
                assert!(commands.iter().all(|command| command.complete), "{name}");
                commands
            }
            Analysis::Opaque { commands, why } => {
                let found = argvs(&commands);
                for expected in vectors(&case, "finds").expect(name) {
                    assert!(found.contains(&expected), "{name}: {expected:?} not in {found:?}");
                }
                for hidden in vectors(&case, "hides").unwrap_or_default() {
                    assert!(!found.contains(&hidden), "{name}: {hidden:?} in {found:?}");
                }
                let expected = case.get("why").and_then(Value::as_str).expect(name);
                assert!(why.contains(expected), "{name}: {why}");
                commands
            }
        };
        if case.contains_key("unknown") {
            assert!(commands.iter().any(|command| !command.complete), "{name}");
        }
        check_writes(&case, name, &commands);
    }
}

#[test]
fn wrappers_hold_what_the_data_says() {
    for case in cases(include_str!("unwrap.toml")) {
        let name = text(&case, "name");
        let command = match case.get("script").and_then(Value::as_str) {
            Some(script) => match analyse(script) {
                Analysis::Opaque { commands, .. } => commands[0].clone(),
                Analysis::Plain(..) => panic!("{name}: plain"),
            },
            None => {
                let argv = strings(case.get("argv").expect(name));
                Simple { argv, complete: true, ..Simple::default() }
            }
        };
        let Unwrapped { commands, complete } = unwrap(&command);
        assert_eq!(commands[0].argv, command.argv, "{name}");
        let inner = argvs(&commands[1..]);
        if let Some(expected) = vectors(&case, "inner") {
            assert_eq!(inner, expected, "{name}");
        }
        for expected in vectors(&case, "among").unwrap_or_default() {
            assert!(inner.contains(&expected), "{name}: {expected:?} not in {inner:?}");
        }
        let expected = case.get("complete").and_then(Value::as_bool).unwrap_or(true);
        assert_eq!(complete, expected, "{name}");
        check_writes(&case, name, &commands);
    }
}

#[test]
fn what_is_harmless_is_what_the_data_says() {
    let data = include_str!("harmless.toml").parse::<Table>().unwrap();
    for script in strings(&data["yes"]) {
        let Analysis::Plain(commands, _) = analyse(&script) else { panic!("{script} is opaque") };
        assert!(commands.iter().all(harmless), "{script}");
    }
    for script in strings(&data["no"]) {
        let (Analysis::Plain(commands, _) | Analysis::Opaque { commands, .. }) = analyse(&script);
        assert!(!commands.iter().all(harmless), "{script}");
    }
}

#[test]
fn a_variable_that_env_sets_stays_with_the_command() {
    let argv = ["env", "GIT_DIR=x", "git", "status"].map(str::to_owned).to_vec();
    let unwrapped = unwrap(&Simple { argv, complete: true, ..Simple::default() });
    assert_eq!(unwrapped.commands[1].assignments, [("GIT_DIR".to_owned(), "x".to_owned())]);
}

fn check_writes(case: &Table, name: &str, commands: &[Simple]) {
    let Some(expected) = case.get("writes") else { return };
    let written = |redirect: &Redirect| {
        redirect.writes.then(|| redirect.path.clone().unwrap_or_else(|| "?".to_owned()))
    };
    let found =
        commands.iter().flat_map(|command| &command.redirects).filter_map(written).collect::<Vec<_>>();
    assert_eq!(found, strings(expected), "{name}");
}

fn cases(data: &str) -> Vec<Table> {
    let data = data.parse::<Table>().unwrap();
    let cases = data["case"].as_array().unwrap();
    assert!(cases.len() > 20);
    cases.iter().map(|case| case.as_table().unwrap().clone()).collect()
}

fn text<'a>(case: &'a Table, key: &str) -> &'a str {
    case[key].as_str().unwrap()
}

fn vectors(case: &Table, key: &str) -> Option<Vec<Vec<String>>> {
    Some(case.get(key)?.as_array()?.iter().map(strings).collect())
}

fn strings(value: &Value) -> Vec<String> {
    value.as_array().unwrap().iter().map(|word| word.as_str().unwrap().to_owned()).collect()
}

fn argvs(commands: &[Simple]) -> Vec<Vec<String>> {
    commands.iter().map(|command| command.argv.clone()).collect()
}
