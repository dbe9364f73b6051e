//! The scripted model, played on a paused clock.

use onward_event::{
    AcceptedPart, AnswerStatus, FinishReason, Message, ModelConfig, Part, RequestHead, Usage, UsageSource,
};
use tokio::time::Instant;

use super::*;

struct Played {
    outcome: Result<ModelReply, ModelFailure>,
    deltas: Vec<ModelDelta>,
    took: Duration,
}

fn config() -> ModelConfig {
    ModelConfig::new("scripted", "script", 1000, 100)
}

/// A request after this many answers, with words in it that look like another message.
fn request(answered: usize, number: u32) -> ModelRequest {
    let encoder = ScriptedEncoder;
    let mut body = encoder.head(&config(), &RequestHead::default());
    body.extend(encoder.message(&Message::User(vec![Part::text("hi\n{\"assistant\":1}\n")]), true));
    for _ in 0..answered {
        let words = vec![AcceptedPart::Text("said".into())];
        body.extend(encoder.message(&Message::Assistant { content: words, calls: vec![] }, false));
        let content = vec![Part::text("{\"assistant\":")];
        let tool = Message::Tool { id: "c".into(), name: "t".into(), status: AnswerStatus::Ok, content };
        body.extend(encoder.message(&tool, false));
    }
    body.extend(encoder.tail());
    ModelRequest { config: config(), body: body.into(), number }
}

async fn play(script: &str, answered: usize, number: u32) -> Played {
    let model = ScriptedModel::new(Script::from_toml(script).unwrap());
    let mut deltas = Vec::new();
    let start = Instant::now();
    let outcome = model.stream(request(answered, number), &mut |delta| deltas.push(delta)).await;
    Played { outcome, deltas, took: start.elapsed() }
}

fn text(outcome: Result<ModelReply, ModelFailure>) -> String {
    match outcome.unwrap().content.as_slice() {
        [AcceptedPart::Text(text)] => text.clone(),
        other => panic!("not one text: {other:?}"),
    }
}

const SCRIPT: &str = r#"
[[steps]]
text = "one"
[[steps]]
text = "more {n}"
repeat = 2
"#;

#[tokio::test]
async fn the_request_alone_decides_which_step_answers() {
    for (answered, expect) in
        [(0, "one"), (1, "more 2"), (2, "more 3"), (3, "done"), (99, "done"), (1, "more 2")]
    {
        assert_eq!(text(play(SCRIPT, answered, 1).await.outcome), expect);
    }
    assert_eq!(text(play("final = 'bye'", 0, 1).await.outcome), "bye");
}

#[tokio::test(start_paused = true)]
async fn an_answer_comes_in_words_with_delays() {
    let script = r#"
        [[steps]]
        reasoning = "hm hm"
        text = "a b"
        calls = [{ tool = "t", input = { x = "{n}" } }]
        usage = { input = 10, output = 5 }
        delay_ms = 1000
        delta_ms = 10
    "#;
    let played = play(script, 0, 1).await;
    let reply = played.outcome.unwrap();
    let expect = [
        ModelDelta::Reasoning("hm ".into()),
        ModelDelta::Reasoning("hm".into()),
        ModelDelta::Text("a ".into()),
        ModelDelta::Text("b".into()),
        ModelDelta::Call { name: "t".into() },
        ModelDelta::Arguments(r#"{"x":"1"}"#.into()),
    ];
    assert_eq!(played.deltas, expect);
    assert_eq!(played.took, Duration::from_millis(1050));
    assert_eq!((reply.finish, reply.calls.len()), (FinishReason::ToolCalls, 1));
    let usage = Usage { input: 10, cached: 0, output: 5, cost_micros: 0, source: UsageSource::Reported };
    assert_eq!(reply.usage, Some(usage));
}

#[tokio::test]
async fn a_fault_is_that_of_its_attempt_only() {
    let script = r#"
        [[steps]]
        text = "a b c"
        faults = [
            { attempt = 1, error = "rate_limited", retry_after_ms = 500 },
            { attempt = 2, error = "network", after_deltas = 2 },
            { attempt = 3, finish = "length" },
        ]
    "#;
    let first = play(script, 0, 1).await;
    let failure = first.outcome.unwrap_err();
    assert_eq!((failure.class, failure.retry_after_millis), (ErrorClass::RateLimited, Some(500)));
    assert_eq!(failure.message, "the script says that attempt 1 of step 1 fails");
    assert_eq!(first.deltas, []);
    let second = play(script, 0, 2).await;
    assert_eq!(second.outcome.unwrap_err().class, ErrorClass::Network);
    assert_eq!(second.deltas, [ModelDelta::Text("a ".into()), ModelDelta::Text("b ".into())]);
    assert_eq!(play(script, 0, 3).await.outcome.unwrap().finish, FinishReason::Length);
    assert_eq!(text(play(script, 0, 4).await.outcome), "a b c");
}

#[tokio::test(start_paused = true)]
async fn a_step_that_hangs_never_answers() {
    let day = Duration::from_secs(86_400);
    let hang = "[[steps]]\nhang = true\n";
    assert!(tokio::time::timeout(day, play(hang, 0, 1)).await.is_err());
    let once = "[[steps]]\ntext = 'a'\nfaults = [{ attempt = 1, hang = true }]\n";
    assert!(tokio::time::timeout(day, play(once, 0, 1)).await.is_err());
    assert_eq!(text(play(once, 0, 2).await.outcome), "a");
}

#[tokio::test]
async fn broken_arguments_and_other_ends_are_passed_on() {
    let script = "[[steps]]\ncalls = [{ tool = 't', raw_arguments = '{\"a\": ' }]\nfinish = 'stop'\n";
    let reply = play(script, 0, 1).await.outcome.unwrap();
    assert_eq!((reply.finish, reply.calls[0].arguments.as_str()), (FinishReason::Stop, "{\"a\": "));
}

#[tokio::test]
async fn a_request_of_another_encoder_is_refused() {
    let model = ScriptedModel::new(Script::from_toml(SCRIPT).unwrap());
    let whole = request(0, 1).body;
    for body in [&b"{\"model\":1}"[..], &whole[..whole.len() - 1], b""] {
        let request = ModelRequest { config: config(), body: body.to_vec().into(), number: 1 };
        let failure = model.stream(request, &mut |_| {}).await.unwrap_err();
        assert_eq!(failure.class, ErrorClass::InvalidRequest);
    }
}
