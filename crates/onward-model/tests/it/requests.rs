//! What is sent, to whom, and over how many connections.

use onward_event::ErrorClass;
use onward_model::{ChatConfig, ChatModel, Proxy};
use onward_port::Secret;

use crate::server::{Act, Server};
use crate::support::{
    EVENTS, KEY, STREAM_HEAD, UNFRAMED_HEAD, ask, chat_config, http_chunk, plain, send, text, whole_stream,
};

#[tokio::test]
async fn the_request_is_what_the_encoder_made_with_the_key_and_without_compression() {
    let server = Server::start(vec![whole_stream()]).await;
    let mut config = chat_config(&server);
    config.headers = vec![("X-Title".into(), "onward".into())];
    let model = ChatModel::new(config).unwrap();
    ask(&model).await.0.unwrap();
    let seen = server.seen();
    let head = &seen[0].head;
    assert!(head.starts_with("POST /v1/chat/completions HTTP/1.1\n"), "{head}");
    for header in [
        "content-type: application/json\n",
        "accept: text/event-stream\n",
        "x-title: onward\n",
        &format!("authorization: Bearer {KEY}\n"),
        concat!("user-agent: onward/", env!("CARGO_PKG_VERSION"), "\n"),
    ] {
        assert!(head.contains(header), "{header} {head}");
    }
    assert!(!head.contains("encoding"), "{head}");
    assert_eq!(seen[0].body, crate::support::request(&model).body);
}

#[tokio::test]
async fn without_a_key_nothing_is_sent_in_its_place() {
    let server = Server::start(vec![whole_stream()]).await;
    ask(&ChatModel::new(ChatConfig::new(server.base_url())).unwrap()).await.0.unwrap();
    assert!(!server.seen()[0].head.contains("authorization"));
}

#[tokio::test]
async fn a_connection_serves_many_requests() {
    // The end of HTTP's framing comes in one piece with the last event.
    let stream = || vec![send([STREAM_HEAD.as_bytes(), &http_chunk(EVENTS), b"0\r\n\r\n"].concat())];
    let answers = vec![stream(), stream(), plain("503 X", "", "busy"), stream()];
    let server = Server::start(answers).await;
    let model = ChatModel::new(chat_config(&server)).unwrap();
    for n in 0..4 {
        let (outcome, _) = ask(&model).await;
        assert_eq!(outcome.is_ok(), n != 2);
        // All bytes are here already; the task that takes note of their end has to run.
        for _ in 0..100 {
            tokio::task::yield_now().await;
        }
    }
    let connections: Vec<usize> = server.seen().iter().map(|seen| seen.connection).collect();
    assert_eq!(connections, [0, 0, 0, 0]);
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let elsewhere = Server::start(vec![whole_stream()]).await;
    let location = format!("location: {}/chat/completions\r\n", elsewhere.base_url());
    for status in ["301 Moved Permanently", "307 Temporary Redirect"] {
        let server = Server::start(vec![plain(status, &location, "")]).await;
        let failure = ask(&ChatModel::new(chat_config(&server)).unwrap()).await.0.unwrap_err();
        assert_eq!(failure.class, ErrorClass::InvalidRequest);
        assert!(failure.message.contains("redirects are not followed"), "{}", failure.message);
    }
    assert!(elsewhere.seen().is_empty());
}

#[tokio::test]
async fn a_proxy_is_used_where_one_is_configured_and_not_for_what_bypasses_it() {
    let answer = || vec![send(UNFRAMED_HEAD), send(EVENTS), Act::Close];
    let proxy = Server::start(vec![answer()]).await;
    let url = Secret::new(format!("http://{}", proxy.addr));
    let through = Proxy { url: url.clone(), bypass: String::new() };
    let config = ChatConfig { proxy: Some(through), ..ChatConfig::new("http://model.invalid/v1") };
    let reply = ask(&ChatModel::new(config).unwrap()).await.0.unwrap();
    assert_eq!(text(&reply), "héllo wörld😀");
    assert!(proxy.seen()[0].head.starts_with("POST http://model.invalid/v1/chat/completions "));

    let server = Server::start(vec![answer()]).await;
    let around = Proxy { url, bypass: "127.0.0.1".into() };
    let config = ChatConfig { proxy: Some(around), ..chat_config(&server) };
    ask(&ChatModel::new(config).unwrap()).await.0.unwrap();
    assert_eq!((proxy.seen().len(), server.seen().len()), (1, 1));
}
