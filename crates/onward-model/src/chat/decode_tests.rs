//! The decoder against streams as servers send them, cut, doubled and damaged.

use onward_event::{AcceptedPart, FinishReason, Usage, UsageSource};
use onward_port::RawCall;
use proptest::prelude::*;
use proptest::sample::Index;

use super::super::REASONING_FIELD;
use super::*;

type Outcome = (Result<ModelReply, ModelFailure>, Vec<ModelDelta>);

/// As the transport would: the pieces, then a clean end.
fn decode(pieces: &[&[u8]]) -> Outcome {
    let mut deltas = Vec::new();
    let mut on_delta = |delta| deltas.push(delta);
    let mut decoder = Decoder::new();
    for piece in pieces {
        match decoder.push(piece, &mut on_delta) {
            Ok(Progress::More) => {}
            Ok(Progress::Done) => break,
            Err(failure) => return (Err(decoder.fail(failure)), deltas),
        }
    }
    (decoder.finish(&mut on_delta), deltas)
}

fn stream(events: &[&str]) -> String {
    events.iter().map(|event| format!("data: {event}\n\n")).collect()
}

/// An event with this delta and this finish reason, both JSON.
fn chunk(delta: &str, finish: &str) -> String {
    format!(r#"{{"id":"x","choices":[{{"index":0,"delta":{delta},"finish_reason":{finish}}}]}}"#)
}

#[track_caller]
fn reply(events: &[&str]) -> ModelReply {
    decode(&[stream(events).as_bytes()]).0.unwrap()
}

#[track_caller]
fn failed(text: &str) -> ModelFailure {
    decode(&[text.as_bytes()]).0.unwrap_err()
}

fn reported(input: u64, cached: u64, output: u64) -> Usage {
    Usage { input, cached, output, cost_micros: 0, source: UsageSource::Reported }
}

fn said(text: &str) -> AcceptedPart {
    AcceptedPart::Text(text.into())
}

/// Thoughts, words with characters of several bytes, two calls, usage.
fn rich() -> String {
    let call = |index: u32, head: &str, arguments: &str| {
        chunk(&format!(r#"{{"tool_calls":[{{"index":{index},{head}"function":{{{arguments}}}}}]}}"#), "null")
    };
    let events = [
        chunk(r#"{"role":"assistant","content":""}"#, "null"),
        chunk(r#"{"reasoning_content":"hm… "}"#, "null"),
        chunk(r#"{"content":"é😀"}"#, "null"),
        chunk(r#"{"content":" \u00e9"}"#, "null"),
        call(0, r#""id":"a","type":"function","#, r#""name":"read","arguments":"""#),
        call(0, "", r#""arguments":"{\"p\":""#),
        call(0, "", r#""arguments":"\"é\"}""#),
        call(1, r#""id":"b","#, r#""name":"list","arguments":"{}""#),
        chunk("{}", r#""tool_calls""#),
        r#"{"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":5,"prompt_tokens_details":{"cached_tokens":4}}}"#
            .to_owned(),
        "[DONE]".to_owned(),
    ];
    format!(": hello\n\n{}", stream(&events.iter().map(String::as_str).collect::<Vec<_>>()))
}

fn rich_reply() -> ModelReply {
    let thoughts = AcceptedPart::Reasoning { text: "hm… ".into(), opaque: Some(REASONING_FIELD.into()) };
    let call = |id: &str, name: &str, arguments: &str| RawCall {
        id: id.into(),
        name: name.into(),
        arguments: arguments.into(),
    };
    ModelReply {
        finish: FinishReason::ToolCalls,
        content: vec![thoughts, said("é😀 é")],
        calls: vec![call("a", "read", r#"{"p":"é"}"#), call("b", "list", "{}")],
        usage: Some(reported(9, 4, 5)),
    }
}

#[test]
fn a_rich_stream() {
    let (reply, deltas) = decode(&[rich().as_bytes()]);
    assert_eq!(reply, Ok(rich_reply()));
    let expect = [
        ModelDelta::Reasoning("hm… ".into()),
        ModelDelta::Text("é😀".into()),
        ModelDelta::Text(" é".into()),
        ModelDelta::Call { name: "read".into() },
        ModelDelta::Arguments("{\"p\":".into()),
        ModelDelta::Arguments("\"é\"}".into()),
        ModelDelta::Call { name: "list".into() },
        ModelDelta::Arguments("{}".into()),
    ];
    assert_eq!(deltas, expect);
}

#[test]
fn the_end_may_be_said_in_two_ways() {
    let words = chunk(r#"{"content":"a"}"#, "null");
    let stop = chunk("{}", r#""stop""#);
    for events in [vec![words.as_str(), &stop, "[DONE]"], vec![&words, &stop], vec![&words, "[DONE]"]] {
        let reply = reply(&events);
        assert_eq!((reply.finish, reply.content, reply.usage), (FinishReason::Stop, vec![said("a")], None));
    }
    // Without the empty line at the end.
    let bare = format!("data: {words}\n\ndata: [DONE]");
    assert_eq!(decode(&[bare.as_bytes()]).0.unwrap().content, [said("a")]);
}

#[test]
fn a_stream_that_merely_stops_was_cut() {
    let words = chunk(r#"{"content":"a"}"#, "null");
    let usage = r#"{"usage":{"prompt_tokens":3,"completion_tokens":1}}"#;
    let failure = failed(&stream(&[&words, usage]));
    assert_eq!((failure.class, failure.usage), (ErrorClass::Network, Some(reported(3, 0, 1))));
    assert_eq!(failure.message, "the stream was cut before the answer was whole");
    assert_eq!(failed("").class, ErrorClass::Network);
    assert_eq!(failed("\n\n: waiting\n").class, ErrorClass::Network);
    // Half an event is not malformed: it is cut.
    assert_eq!(failed(&format!("data: {words}\n\ndata: {{\"cho")).class, ErrorClass::Network);
}

#[test]
fn an_end_without_an_answer_is_against_the_protocol() {
    assert_eq!(failed("data: [DONE]\n\n").class, ErrorClass::Protocol);
    assert_eq!(failed(&stream(&[&chunk("{}", "null"), "[DONE]"])).class, ErrorClass::Protocol);
}

#[test]
fn a_connection_that_fails_after_the_end_of_the_answer_costs_only_the_usage() {
    let network = failure(ErrorClass::Network, "gone");
    for (finish, whole) in [("null", false), (r#""stop""#, true)] {
        let mut decoder = Decoder::new();
        let text = stream(&[&chunk(r#"{"content":"a"}"#, finish)]);
        assert_eq!(decoder.push(text.as_bytes(), &mut |_| {}), Ok(Progress::More));
        assert_eq!(decoder.cut(network.clone()).is_ok(), whole);
    }
}

#[test]
fn malformed_events_fail_with_a_quote() {
    for bad in ["{\"choices\":[}", "nonsense", "[1]", "{\"choices\":7}"] {
        let failure = failed(&stream(&[bad]));
        assert_eq!(failure.class, ErrorClass::Protocol, "{bad}");
        assert!(failure.message.ends_with(bad), "{}", failure.message);
    }
    assert_eq!(
        failed("data: {\"choices\":[{\"delta\":{\"content\":\"\u{0}\"}}]}\n\n").class,
        ErrorClass::Protocol
    );
    let (invalid_utf8, _) = decode(&[b"data: {\"choices\":[{\"delta\":{\"content\":\"\xff\"}}]}\n\n"]);
    assert_eq!(invalid_utf8.unwrap_err().class, ErrorClass::Protocol);
}

#[test]
fn an_error_within_the_stream_is_a_failure_with_the_usage_so_far() {
    let usage = r#"{"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":1}}"#;
    let error = r#"{"error":{"message":"too busy","code":"rate_limit_exceeded"}}"#;
    let failure = failed(&stream(&[&chunk(r#"{"content":"a"}"#, "null"), usage, error]));
    assert_eq!((failure.class, failure.usage), (ErrorClass::RateLimited, Some(reported(3, 0, 1))));
    assert_eq!(failure.message, "the server reported an error instead of an answer: too busy");
    let whole = failed(r#"{"object":"error","message":"no such model","code":404}"#);
    assert_eq!(whole.class, ErrorClass::NotFound);
    let gave_up = failed(&stream(&[&chunk(r#"{"content":"a"}"#, r#""error""#), "[DONE]"]));
    assert_eq!(gave_up.class, ErrorClass::Server);
}

#[test]
fn an_answer_that_was_not_streamed() {
    let body = r#" {"object":"chat.completion","choices":[{"index":0,"finish_reason":"stop","message":{
        "role":"assistant","content":"a","tool_calls":[{"id":"c","type":"function",
        "function":{"name":"read","arguments":"{\"p\":1}"}}]}}],"usage":{"prompt_tokens":3,"completion_tokens":1}}"#;
    let (answer, deltas) = decode(&[body.as_bytes()]);
    let answer = answer.unwrap();
    assert_eq!((answer.finish, answer.usage), (FinishReason::ToolCalls, Some(reported(3, 0, 1))));
    assert_eq!((answer.content, answer.calls[0].arguments.as_str()), (vec![said("a")], r#"{"p":1}"#));
    assert_eq!(deltas.len(), 3);
    assert_eq!(failed(&body[..body.len() - 4]).class, ErrorClass::Network);
    assert_eq!(failed(r#"{"hello":1}"#).class, ErrorClass::Protocol);
    assert_eq!(failed("[]").class, ErrorClass::Protocol);
}

#[test]
fn a_page_instead_of_an_answer_is_named() {
    let failure = failed("<!doctype html>\n<title>Sign in</title>");
    assert_eq!(failure.class, ErrorClass::Protocol);
    assert!(failure.message.ends_with("check the base URL: an HTML page `Sign in`"), "{}", failure.message);
}

#[test]
fn a_refusal_is_one_whatever_the_finish_reason_says() {
    let reply =
        reply(&[&chunk(r#"{"refusal":"I will "}"#, "null"), &chunk(r#"{"refusal":"not."}"#, r#""stop""#)]);
    assert_eq!((reply.finish, reply.content), (FinishReason::Refusal, vec![said("I will not.")]));
}

#[test]
fn thoughts_under_two_names_are_taken_once_and_marked_by_name() {
    let both = reply(&[&chunk(r#"{"reasoning_content":"hm","reasoning":"hm"}"#, r#""stop""#)]);
    let marked = AcceptedPart::Reasoning { text: "hm".into(), opaque: Some(REASONING_FIELD.into()) };
    assert_eq!(both.content, [marked]);
    let other = reply(&[&chunk(r#"{"reasoning":"hm","content":"a"}"#, r#""stop""#)]);
    let unmarked = AcceptedPart::Reasoning { text: "hm".into(), opaque: None };
    assert_eq!(other.content, [unmarked, said("a")]);
}

#[test]
fn usage_is_cumulative_wherever_it_stands() {
    let with_usage = |usage: &str, finish: &str| {
        format!(r#"{{"choices":[{{"delta":{{"content":"a"}},"finish_reason":{finish}}}],"usage":{usage}}}"#)
    };
    let last_wins = reply(&[
        &with_usage(r#"{"prompt_tokens":3,"completion_tokens":1}"#, "null"),
        &with_usage(r#"{"prompt_tokens":3,"completion_tokens":2}"#, r#""stop""#),
        &with_usage("null", "null"),
    ]);
    assert_eq!(last_wins.usage, Some(reported(3, 0, 2)));
    let in_choice = r#"{"choices":[{"delta":{},"finish_reason":"length","usage":{"prompt_tokens":1,"completion_tokens":7}}]}"#;
    let in_choice = reply(&[in_choice]);
    assert_eq!((in_choice.finish, in_choice.usage), (FinishReason::Length, Some(reported(1, 0, 7))));
}

#[test]
fn another_choice_is_not_part_of_the_reply() {
    let other = r#"{"choices":[{"index":1,"delta":{"content":"b"},"finish_reason":"length"}]}"#;
    let reply = reply(&[&chunk(r#"{"content":"a"}"#, r#""stop""#), other]);
    assert_eq!((reply.finish, reply.content), (FinishReason::Stop, vec![said("a")]));
}

#[test]
fn an_endless_event_is_given_up() {
    let mut decoder = Decoder::new();
    let piece = vec![b'x'; 1 << 20];
    let pushed = (0..9).try_for_each(|_| decoder.push(&piece, &mut |_| {}).map(|_| ()));
    assert_eq!(pushed.unwrap_err().class, ErrorClass::Protocol);
}

/// The pieces of `bytes` between these places.
fn pieces<'a>(bytes: &'a [u8], cuts: &[Index]) -> Vec<&'a [u8]> {
    let mut at: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
    at.extend([0, bytes.len()]);
    at.sort_unstable();
    at.windows(2).map(|pair| &bytes[pair[0]..pair[1]]).collect()
}

#[test]
fn cut_at_every_byte_a_stream_decodes_the_same() {
    let stream = rich();
    let whole = decode(&[stream.as_bytes()]);
    for at in 0..=stream.len() {
        let (a, b) = stream.as_bytes().split_at(at);
        assert_eq!(decode(&[a, b]), whole, "cut at {at}");
    }
    let bytes: Vec<&[u8]> = stream.as_bytes().chunks(1).collect();
    assert_eq!(decode(&bytes), whole);
}

#[test]
fn ended_at_every_byte_a_stream_is_the_whole_answer_or_a_failure_that_may_pass() {
    let stream = rich();
    let mut whole = 0;
    for at in 0..stream.len() {
        match decode(&[&stream.as_bytes()[..at]]).0 {
            Ok(reply) => {
                assert_eq!(
                    ModelReply { usage: None, ..reply },
                    ModelReply { usage: None, ..rich_reply() },
                    "{at}"
                );
                whole += 1;
            }
            Err(failure) => assert_eq!(failure.class, ErrorClass::Network, "ended at {at}"),
        }
    }
    assert!(whole > 0 && whole < stream.len() / 4, "{whole} of {}", stream.len());
}

proptest! {
    #[test]
    fn where_the_bytes_are_cut_does_not_matter(cuts in prop::collection::vec(any::<Index>(), 0..20)) {
        let stream = rich();
        prop_assert_eq!(decode(&pieces(stream.as_bytes(), &cuts)), decode(&[stream.as_bytes()]));
    }

    /// Pieces that are lost, doubled or exchanged for noise: never a panic, and an answer only of what was sent.
    #[test]
    fn damage_never_makes_an_answer_without_an_end(
        cuts in prop::collection::vec(any::<Index>(), 1..12),
        fates in prop::collection::vec((0..4u8, prop::collection::vec(any::<u8>(), 0..20)), 13),
    ) {
        let stream = rich();
        let mut damaged: Vec<u8> = Vec::new();
        for (piece, (fate, noise)) in pieces(stream.as_bytes(), &cuts).iter().zip(&fates) {
            match fate {
                0 => damaged.extend_from_slice(noise),
                1 => damaged.extend([*piece, *piece].concat()),
                2 => {}
                _ => damaged.extend_from_slice(piece),
            }
        }
        let (outcome, _) = decode(&[&damaged]);
        let text = String::from_utf8_lossy(&damaged).into_owned();
        if outcome.is_ok() {
            prop_assert!(text.contains("[DONE]") || text.contains(r#""finish_reason":"tool_calls""#), "{}", text);
        }
        prop_assert_eq!(decode(&pieces(&damaged, &cuts)).0.is_ok(), outcome.is_ok());
    }

    #[test]
    fn no_bytes_panic(bytes: Vec<u8>, cuts in prop::collection::vec(any::<Index>(), 0..4)) {
        prop_assert!(decode(&pieces(&bytes, &cuts)).0.is_err());
    }
}

#[test]
fn what_says_nothing_has_a_limit_however_it_is_sent() {
    let comments = ": still there\n".repeat((MAX_EMPTY_BYTES / 14) as usize + 1);
    let empty = stream(&[&chunk("{}", "null")]).repeat((MAX_EMPTY_BYTES / 60) as usize);
    for nothing in [comments, empty] {
        let failure = failed(&nothing);
        assert_eq!(failure.class, ErrorClass::Protocol);
        assert_eq!(failure.message, "the server sent 4 MiB that said nothing; the answer was given up");
    }
    // What says something may be long, and be said in small pieces.
    let word = stream(&[&chunk(r#"{"content":"x"}"#, "null")]);
    let long =
        word.repeat((2 * MAX_EMPTY_BYTES) as usize / word.len()) + &stream(&[&chunk("{}", r#""stop""#)]);
    assert!(decode(&[long.as_bytes()]).0.is_ok());
}
