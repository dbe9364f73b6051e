//! Answers that arrive whole, in pieces, late, or not at all.

use std::time::Duration;

use onward_event::{ErrorClass, FinishReason, Usage, UsageSource};
use onward_model::ChatModel;
use onward_port::{Model, ModelDelta};

use crate::server::{Act, Server};
use crate::support::{
    EVENTS, STREAM_HEAD, UNFRAMED_HEAD, WORDS, ask, ask_one, chat_config, http_chunk, plain, request, send,
    text, whole_stream,
};

const USAGE: Usage = Usage { input: 7, cached: 0, output: 3, cost_micros: 0, source: UsageSource::Reported };

#[tokio::test]
async fn a_stream_becomes_deltas_and_a_reply() {
    let server = Server::start(vec![whole_stream()]).await;
    let (outcome, deltas) = ask(&ChatModel::new(chat_config(&server)).unwrap()).await;
    let reply = outcome.unwrap();
    assert_eq!((text(&reply), reply.finish, reply.usage), (WORDS, FinishReason::Stop, Some(USAGE)));
    assert_eq!(deltas, [ModelDelta::Text("héllo ".into()), ModelDelta::Text("wörld😀".into())]);
}

#[tokio::test]
async fn a_stream_without_framing_is_whole_when_it_says_so() {
    let reply = ask_one(vec![send(UNFRAMED_HEAD), send(EVENTS), Act::Close]).await.unwrap();
    assert_eq!((text(&reply), reply.usage), (WORDS, Some(USAGE)));
}

/// In the middle of an event, of a character, and at the end of an event that is not the last.
fn cuts() -> [usize; 3] {
    let second = EVENTS.find("wörld").unwrap();
    [20, second + 2, EVENTS.find("\n\n").unwrap() + 2]
}

#[tokio::test]
async fn a_stream_that_is_cut_is_a_network_failure() {
    for at in cuts() {
        let piece = &EVENTS.as_bytes()[..at];
        // The connection ends as if nothing were wrong: only the stream itself tells.
        let clean = ask_one(vec![send(UNFRAMED_HEAD), send(piece), Act::Close]).await.unwrap_err();
        assert_eq!(clean.class, ErrorClass::Network, "{}", clean.message);
        let ended = vec![send(STREAM_HEAD), send(http_chunk(piece)), send("0\r\n\r\n")];
        assert_eq!(ask_one(ended).await.unwrap_err().class, ErrorClass::Network);
        // HTTP's own end is missing.
        let broken = vec![send(STREAM_HEAD), send(http_chunk(piece)), Act::Close];
        assert_eq!(ask_one(broken).await.unwrap_err().class, ErrorClass::Network);
        // In the middle of a chunk, and of its size.
        let mut chunk = http_chunk(EVENTS);
        chunk.truncate(at + 3);
        let half = vec![send(STREAM_HEAD), send(chunk), Act::Close];
        assert_eq!(ask_one(half).await.unwrap_err().class, ErrorClass::Network);
    }
    let half_size = vec![send(STREAM_HEAD), send("1f"), Act::Close];
    assert_eq!(ask_one(half_size).await.unwrap_err().class, ErrorClass::Network);
}

#[tokio::test]
async fn usage_that_arrived_before_a_cut_is_kept() {
    let event = "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":7,\"completion_tokens\":3}}\n\n";
    let failure = ask_one(vec![send(STREAM_HEAD), send(http_chunk(event)), Act::Close]).await.unwrap_err();
    assert_eq!((failure.class, failure.usage), (ErrorClass::Network, Some(USAGE)));
}

#[tokio::test]
async fn a_cut_after_the_finish_reason_costs_only_the_usage() {
    let at = EVENTS.find("data: {\"choices\":[],").unwrap();
    let acts = vec![send(STREAM_HEAD), send(http_chunk(&EVENTS[..at])), Act::Close];
    let reply = ask_one(acts).await.unwrap();
    assert_eq!((text(&reply), reply.usage), (WORDS, None));
}

#[tokio::test]
async fn a_slow_stream_is_no_silent_one() {
    let mut acts = vec![send(UNFRAMED_HEAD)];
    for piece in EVENTS.as_bytes().chunks(EVENTS.len() / 32) {
        acts.extend([Act::Wait(Duration::from_millis(100)), send(piece)]);
    }
    acts.push(Act::Close);
    let server = Server::start(vec![acts]).await;
    let mut config = chat_config(&server);
    // All of it takes longer than this, no gap does.
    config.idle_timeout = Duration::from_secs(3);
    let (outcome, _) = ask(&ChatModel::new(config).unwrap()).await;
    assert_eq!(text(&outcome.unwrap()), WORDS);
}

#[tokio::test]
async fn silence_is_a_timeout() {
    let first = EVENTS.find("\n\n").unwrap() + 2;
    let silences = [vec![Act::Hold], vec![send(STREAM_HEAD), send(http_chunk(&EVENTS[..first])), Act::Hold]];
    for acts in silences {
        let server = Server::start(vec![acts]).await;
        let mut config = chat_config(&server);
        config.idle_timeout = Duration::from_millis(300);
        let failure = ask(&ChatModel::new(config).unwrap()).await.0.unwrap_err();
        assert_eq!(failure.class, ErrorClass::Timeout);
        assert_eq!(failure.message, format!("nothing came from {} for 0.3 seconds", server.addr));
        // The connection is given up, not left to the pool.
        server.client_left().await;
    }
}

#[tokio::test]
async fn a_malformed_chunk_is_a_failure_that_may_pass() {
    let acts = vec![send(STREAM_HEAD), send("zz\r\ndata: [DONE]\r\n\r\n0\r\n\r\n"), Act::Hold];
    let failure = ask_one(acts).await.unwrap_err();
    assert!(failure.class.may_pass(), "{failure:?}");
}

#[tokio::test]
async fn an_answer_that_was_not_streamed_is_one_all_the_same() {
    let body = r#"{"choices":[{"message":{"content":"hi"},"finish_reason":"stop"}],"usage":{"prompt_tokens":7,"completion_tokens":3}}"#;
    let reply = ask_one(plain("200 OK", "content-type: application/json\r\n", body)).await.unwrap();
    assert_eq!((text(&reply), reply.usage), ("hi", Some(USAGE)));
}

#[tokio::test]
async fn an_endless_line_and_a_huge_answer_are_given_up() {
    let mut acts = vec![send(UNFRAMED_HEAD), send("data: ")];
    acts.extend((0..9).map(|_| send(vec![b'x'; 1 << 20])));
    acts.push(Act::Hold);
    let line = ask_one(acts).await.unwrap_err();
    assert_eq!(line.class, ErrorClass::Protocol);
    assert_eq!(line.message, "an event of the stream is longer than 8388608 bytes");

    let server = Server::start(vec![whole_stream()]).await;
    let mut config = chat_config(&server);
    config.max_response_bytes = 200;
    let answer = ask(&ChatModel::new(config).unwrap()).await.0.unwrap_err();
    assert_eq!(answer.class, ErrorClass::Protocol);
    assert_eq!(answer.message, format!("the answer of {} is larger than 200 bytes", server.addr));
}

#[tokio::test]
async fn dropping_the_future_ends_the_request() {
    let first = EVENTS.find("\n\n").unwrap() + 2;
    let acts = vec![send(STREAM_HEAD), send(http_chunk(&EVENTS[..first])), Act::Hold];
    let server = Server::start(vec![acts]).await;
    let model = ChatModel::new(chat_config(&server)).unwrap();
    let (began, has_begun) = tokio::sync::oneshot::channel();
    let mut began = Some(began);
    let mut on_delta = |_: ModelDelta| {
        if let Some(began) = began.take() {
            began.send(()).unwrap();
        }
    };
    let streaming = model.stream(request(&model), &mut on_delta);
    tokio::select! {
        _ = streaming => panic!("the server never ends this stream"),
        begun = has_begun => begun.unwrap(),
    }
    server.client_left().await;
}
