//! The command line from the outside: every help text by snapshot, and what words come to mean.

use std::collections::BTreeMap;
use std::ffi::OsString;

use onward_event::{Mode, ResolvedVerdict};

use super::parse::command;
use super::*;
use crate::config::Budget;

const SESSION: &str = "ses_01h455vb4pex5vsknk084sn02q";

fn parsed(words: &[&str]) -> Result<Invocation, clap::Error> {
    parse(["onward"].iter().chain(words).map(OsString::from))
}

fn command_of(words: &[&str]) -> Command {
    parsed(words).unwrap_or_else(|error| panic!("{error}")).command
}

fn help(path: &[&str]) -> String {
    let mut command = command().term_width(100);
    command.build();
    let mut found = &mut command;
    for name in path {
        found = found.find_subcommand_mut(name).unwrap();
    }
    found.render_long_help().to_string()
}

#[test]
fn the_definition_is_sound() {
    command().debug_assert();
}

#[test]
fn every_command_explains_itself() {
    insta::assert_snapshot!("help", help(&[]));
    let names: Vec<String> = command()
        .get_subcommands()
        .map(|sub| sub.get_name().to_owned())
        .filter(|name| name != "help")
        .collect();
    assert_eq!(names.len(), 21);
    for name in &names {
        let text = help(&[name]);
        assert!(text.contains("Examples:\n  onward "), "{name} has no examples");
        insta::assert_snapshot!(format!("help_{name}"), text);
    }
    insta::assert_snapshot!("help_request_show", help(&["request", "show"]));
    for name in ["output", "wait", "cancel"] {
        insta::assert_snapshot!(format!("help_jobs_{name}"), help(&["jobs", name]));
    }
    for name in ["check", "explain", "list"] {
        insta::assert_snapshot!(format!("help_policy_{name}"), help(&["policy", name]));
    }
}

/// What stands below the options keeps its lines as they are written only when they fit.
#[test]
fn words_below_the_options_are_not_wrapped() {
    let mut commands = vec![command()];
    while let Some(of) = commands.pop() {
        for line in of.get_after_help().map(ToString::to_string).unwrap_or_default().lines() {
            assert!(line.chars().count() <= 100, "{}: {line}", of.get_name());
        }
        commands.extend(of.get_subcommands().cloned());
    }
}

#[test]
fn an_option_has_the_same_words_everywhere() {
    const OF_THEIR_OWN: [&str; 3] = ["json", "session", "follow"];
    let mut said: BTreeMap<String, (String, String)> = BTreeMap::new();
    for of in command().get_subcommands().filter(|of| of.get_name() != "policy") {
        for option in of.get_arguments().filter(|arg| arg.get_long().is_some()) {
            let (name, words) = (option.get_id().to_string(), option.get_help().unwrap().to_string());
            if OF_THEIR_OWN.contains(&name.as_str()) {
                continue;
            }
            let (first, known) =
                said.entry(name.clone()).or_insert_with(|| (of.get_name().into(), words.clone()));
            assert_eq!(*known, words, "--{name} of {first} and of {}", of.get_name());
        }
    }
    assert!(said.len() > 20, "{said:?}");
}

/// A line that does not fit is wrapped, and a wrapped example cannot be copied.
#[test]
fn help_fits_the_screen() {
    for sub in command().get_subcommands().map(|sub| sub.get_name().to_owned()).filter(|name| name != "help")
    {
        for line in help(&[&sub]).lines() {
            assert!(line.chars().count() <= 100, "{sub}: {line}");
        }
    }
}

#[test]
fn the_examples_in_the_help_are_understood() {
    let names: Vec<String> = command().get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
    let mut tried = 0;
    for name in names.iter().map(String::as_str).filter(|name| *name != "help") {
        for line in help(&[name]).lines().skip_while(|line| *line != "Examples:").skip(1) {
            let words = split(line.rsplit("| ").next().unwrap_or(line));
            assert_eq!(words[0], "onward", "{line}");
            let rest: Vec<&str> = words[1..].iter().map(String::as_str).collect();
            assert!(parsed(&rest).is_ok(), "{line}: {}", parsed(&rest).unwrap_err());
            tried += 1;
        }
    }
    assert!(tried >= 25, "{tried} examples");
}

/// Words of an example: blanks separate, double quotes hold together.
fn split(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (i, part) in line.trim().split('"').enumerate() {
        match i % 2 {
            0 => words.extend(part.split_whitespace().map(str::to_owned)),
            _ => words.push(part.to_owned()),
        }
    }
    words
}

#[test]
fn a_conversation_is_what_happens_without_a_command() {
    assert_eq!(command_of(&[]), Command::Interactive(InteractiveArgs::default()));
    let Command::Interactive(args) = command_of(&["--mode", "plan", "--session", SESSION]) else { panic!() };
    assert_eq!((args.settings.mode, args.session), (Some(Mode::Plan), Some(SESSION.parse().unwrap())));
}

#[test]
fn print_is_exec() {
    let words = ["--model", "a/b", "--max-steps", "3", "--budget", "tokens=5,cost=1.5", "--json"];
    let print = command_of(&[&["-p", "do it"], &words[..]].concat());
    let exec = command_of(&[&["exec", "do it"], &words[..]].concat());
    assert_eq!(print, exec);
    let Command::Exec(args) = exec else { panic!() };
    let overrides = args.settings.overrides(&PlaceArgs::default());
    assert_eq!((overrides.model.as_deref(), overrides.max_steps), (Some("a/b"), Some(3)));
    assert_eq!(overrides.budget, Budget { tokens: Some(5), seconds: None, cost_micros: Some(1_500_000) });
    assert!(args.output.json && !args.output.deny_unanswered);
}

#[test]
fn the_place_may_stand_before_and_behind_a_command() {
    for words in [["-C", "d", "--data-dir", "s", "show"], ["show", "-C", "d", "--data-dir", "s"]] {
        let invocation = parsed(&words).unwrap();
        assert_eq!(invocation.place, PlaceArgs { dir: Some("d".into()), data_dir: Some("s".into()) });
        assert_eq!(invocation.command, Command::Show(ShowArgs::default()));
    }
}

#[test]
fn no_option_is_silently_without_effect() {
    for words in [
        &["--model", "a/b", "exec", "do it"][..],
        &["--json", "log"],
        &["-p", "do it", "resume"],
        &["--session", SESSION, "show"],
        &["--json"],
        &["--deny-unanswered"],
        &["show", "--mode", "auto"],
        &["check", SESSION, "--all"],
        &["send", "--steer", "--inject", "hi"],
        &["jobs", SESSION, "--all"],
        &["demo", "--data-dir", "d"],
    ] {
        let error = parsed(words).unwrap_err();
        assert_eq!(error.exit_code(), 2, "{words:?}");
    }
}

#[test]
fn verdicts_and_deliveries_are_choices() {
    let reconcile = |how: &str| match command_of(&["reconcile", "call_01h455vb4pex5vsknk084sn02q", how]) {
        Command::Reconcile(args) => args.verdict(),
        other => panic!("{other:?}"),
    };
    assert_eq!(reconcile("--applied"), Some(ResolvedVerdict::Applied));
    assert_eq!(reconcile("--not-applied"), Some(ResolvedVerdict::NotApplied));
    assert_eq!(reconcile("--go-on"), Some(ResolvedVerdict::GoOn));
    assert_eq!(reconcile("--no-run"), None);
    assert!(parsed(&["reconcile", "--applied", "--go-on"]).is_err());

    let send = |words: &[&str]| match command_of(words) {
        Command::Send(args) => args.delivery(),
        other => panic!("{other:?}"),
    };
    assert_eq!(send(&["send", "hi"]), Delivery::Steer);
    assert_eq!(send(&["send", "--steer", "hi"]), Delivery::Steer);
    assert_eq!(send(&["send", "--inject", "hi"]), Delivery::Inject);
    assert_eq!(send(&["send", "--follow-up", "hi"]), Delivery::FollowUp);
}

#[test]
fn a_crash_is_in_an_edit_unless_told_otherwise() {
    let crash = |words: &[&str]| match command_of(words) {
        Command::Demo(args) => args.crash,
        other => panic!("{other:?}"),
    };
    assert_eq!(crash(&["demo"]), None);
    assert_eq!(crash(&["demo", "--crash"]), Some(CrashPoint::Edit));
    assert_eq!(crash(&["demo", "--crash=shell"]), Some(CrashPoint::Shell));
}

#[test]
fn mistakes_are_told() {
    let mut shown = String::new();
    for words in [
        &["exce", "x"][..],
        &["exec", "--modle", "a/b"],
        &["exec", "--mode", "autoo", "x"],
        &["exec", "--budget", "token=5", "x"],
        &["exec", "--max-steps", "0", "x"],
        &["resume", "call_01h455vb4pex5vsknk084sn02q"],
        &["log", "--after", "42"],
        &["reconcile", "--applied", "--not-applied"],
        &["policy", "explain", "git", "push"],
        &["-C", "my repo", "policy", "explain", "--mode", "auto", "git", "commit", "-m", "it's $5"],
        &["policy", "explain", "--mod", "auto", "git push"],
        &["fix", "the", "$PATH", "bug"],
        &["approve", "--valid-for", "8"],
        &["--model", "a/b", "exec", "x"],
        &["--json"],
    ] {
        shown.push_str(&format!("onward {}\n----\n{}\n", words.join(" "), parsed(words).unwrap_err()));
    }
    insta::assert_snapshot!(shown);
}
