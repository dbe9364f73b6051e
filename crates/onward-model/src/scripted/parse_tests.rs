//! Scripts that are read, and the errors of those that are not.

use onward_event::{ErrorClass, FinishReason};
use serde_json::json;

use super::*;

#[track_caller]
fn error(toml: &str) -> String {
    Script::from_toml(toml).unwrap_err().to_string()
}

#[test]
fn every_key_is_read() {
    let script = Script::from_toml(
        r#"
        final = "bye"
        [[steps]]
        text = """
        two
        lines"""
        reasoning = "r"
        finish = "length"
        hang = true
        delay_ms = 1
        delta_ms = 2
        repeat = 3
        usage = { input = 10, cached = 4, output = 5 }
        calls = [{ tool = "t", id = "i", input = { on = 2024-01-31, list = [2024-01-31T10:00:00Z] } }]
        faults = [
            { attempt = 1, error = "rate_limited", retry_after_ms = 7, after_deltas = 2 },
            { attempt = 2, finish = "refusal" },
            { attempt = 3, hang = true },
        ]
        [[steps]]
        calls = [{ tool = "t", raw_arguments = "{" }]
        "#,
    )
    .unwrap();
    let step = &script.steps[0];
    assert!(step.text.as_ref().unwrap().contains("two\n"));
    assert_eq!((step.finish, step.hang, step.repeat), (Some(FinishReason::Length), true, 3));
    assert_eq!(step.calls[0].input, Some(json!({"on": "2024-01-31", "list": ["2024-01-31T10:00:00Z"]})));
    assert_eq!(step.faults[0].error, Some(ErrorClass::RateLimited));
    assert_eq!((step.faults.len(), step.fault(3).unwrap().hang), (3, true));
    assert_eq!(script.final_text(), "bye");
}

#[test]
fn both_forms_say_the_same() {
    let toml = "[[steps]]\ntext = \"a\"\n[[steps]]\ncalls = [{ tool = \"t\", input = { n = 1 } }]\n";
    let json = r#"{"steps": [{"text": "a"}, {"calls": [{"tool": "t", "input": {"n": 1}}]}]}"#;
    assert_eq!(Script::load("x.toml", toml), Script::load("x.JSON", json));
    assert!(Script::from_toml(toml).is_ok());
}

#[test]
fn a_step_is_found_by_the_number_of_answers() {
    let script = Script::from_toml("[[steps]]\ntext = \"a\"\nrepeat = 2\n[[steps]]\ntext = \"b\"\n").unwrap();
    let found = |answered| script.step(answered).map(|found| (found.step.text.clone().unwrap(), found.n));
    let expect = [Some(("a".into(), 1)), Some(("a".into(), 2)), Some(("b".into(), 3)), None];
    assert_eq!([found(0), found(1), found(2), found(3)], expect);
    let endless = Script::from_toml(&"[[steps]]\ntext = \"a\"\nrepeat = 4294967295\n".repeat(2)).unwrap();
    assert_eq!(endless.step(8_589_934_589).unwrap().n, 8_589_934_590);
    assert_eq!(endless.step(u64::MAX), None);
}

#[test]
fn an_empty_script_is_an_error_that_shows_the_shortest_one() {
    for empty in ["", "  \n# nothing\n", "steps = []"] {
        assert_eq!(error(empty), "the script is empty; the shortest one is `final = \"hello\"`");
    }
    assert_eq!(Script::from_json(" \n"), Err(ScriptError::Empty));
    assert_eq!(Script::from_json("{}"), Err(ScriptError::Empty));
    assert!(Script::from_toml("final = \"hello\"").is_ok());
}

#[test]
fn unknown_keys_are_named_with_their_line() {
    let toml = "final = \"x\"\n\n[[steps]]\ntext = \"a\"\ntxt = \"b\"\n";
    assert!(
        error(toml).starts_with("line 5 of the script: unknown field `txt`, expected one of `text`"),
        "{}",
        error(toml)
    );
    let inline = "[[steps]]\ntext = \"a\"\nfaults = [\n  { attempt = 1, error = \"server\" },\n  { attempt = 2, after = 3 },\n]\n";
    assert!(error(inline).starts_with("line 5 of the script: unknown field `after`"), "{}", error(inline));
    assert!(error("name = 1").starts_with("line 1 of the script: unknown field `name`"));
    let json = "{\n \"steps\": [\n  {\"text\": \"a\", \"txt\": \"b\"}]}";
    let message = Script::from_json(json).unwrap_err().to_string();
    assert!(message.starts_with("line 3 of the script: unknown field `txt`, expected one of"), "{message}");
}

#[test]
fn other_mistakes_say_what_would_be_right() {
    for (toml, expect) in [
        ("[[steps]]\ntext = 'a'\nrepeat = -1", "line 3 of the script: "),
        (
            "[[steps]]\nfinish = 'later'",
            "line 2 of the script: unknown variant `later`, expected one of `stop`",
        ),
        ("[[steps]]\ntext = \"a", "line 2 of the script: "),
        ("[[steps]]\n", "step 1 of the script: it says nothing; give it `text`"),
        (
            "[[steps]]\ntext='a'\n[[steps]]\ntext='b'\nrepeat=0",
            "step 2 of the script: `repeat = 0` answers nothing",
        ),
        (
            "[[steps]]\ncalls=[{tool='t',input={},raw_arguments='x'}]",
            "step 1 of the script: the call of `t` has both",
        ),
        (
            "[[steps]]\ntext='a'\nfaults=[{attempt=0,hang=true}]",
            "step 1 of the script: the attempts of a fault are",
        ),
        (
            "[[steps]]\ntext='a'\nfaults=[{attempt=1}]",
            "step 1 of the script: the fault of attempt 1 needs one of",
        ),
        (
            "[[steps]]\ntext='a'\nfaults=[{attempt=1,hang=true},{attempt=1,hang=true}]",
            "step 1 of the script: two faults for attempt 1",
        ),
    ] {
        assert!(error(toml).starts_with(expect), "{}", error(toml));
    }
}

#[test]
fn an_error_in_a_file_names_the_file() {
    let error = Script::load("demo/script.json", "{\n").unwrap_err();
    assert!(error.to_string().starts_with("demo/script.json: line "), "{error}");
}

#[test]
fn the_scripts_of_the_documentation_can_be_played() {
    let page = include_str!("../../../../docs/scripted-model.md");
    let blocks: Vec<&str> = page.split("```").skip(1).step_by(2).collect();
    assert_eq!(blocks.len(), 3);
    for block in blocks {
        let (language, text) = block.split_once('\n').unwrap();
        let script = Script::load(&format!("docs.{language}"), text);
        assert!(script.is_ok(), "{script:?}");
    }
}
