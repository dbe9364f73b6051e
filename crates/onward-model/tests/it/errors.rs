//! Refusals and broken connections, and what is said about them.

use onward_event::ErrorClass;
use onward_model::{ChatConfig, ChatModel};
use tokio::net::TcpListener;

use crate::server::{Act, Server};
use crate::support::{KEY, STREAM_HEAD, ask, ask_one, chat_config, http_chunk, plain, send};

#[tokio::test]
async fn too_many_requests_says_when_to_come_back() {
    let headers = [
        ("retry-after: 20\r\n", Some(20_000)),
        ("retry-after-ms: 1500\r\nretry-after: 2\r\n", Some(1500)),
        (
            "date: Sun, 06 Nov 1994 08:49:37 GMT\r\nretry-after: Sun, 06 Nov 1994 08:50:07 GMT\r\n",
            Some(30_000),
        ),
        ("", None),
    ];
    for (headers, expect) in headers {
        let body = r#"{"error":{"message":"slow down","code":"rate_limit_exceeded"}}"#;
        let failure = ask_one(plain("429 Too Many Requests", headers, body)).await.unwrap_err();
        assert_eq!((failure.class, failure.retry_after_millis), (ErrorClass::RateLimited, expect));
        assert!(
            failure.message.ends_with(" answered 429, too many requests: slow down"),
            "{}",
            failure.message
        );
    }
}

#[tokio::test]
async fn a_refusal_has_the_class_that_its_status_and_body_call_for() {
    let overflow = r#"{"error":{"code":400,"message":"too big","type":"exceed_context_size_error"}}"#;
    let quota = r#"{"error":{"message":"no credit","code":"insufficient_quota"}}"#;
    for (status, body, class) in [
        ("500 Internal Server Error", "", ErrorClass::Server),
        ("503 Service Unavailable", r#"{"error":{"message":"Loading model"}}"#, ErrorClass::Overloaded),
        ("529 Overloaded", "", ErrorClass::Overloaded),
        ("400 Bad Request", overflow, ErrorClass::ContextOverflow),
        ("429 Too Many Requests", quota, ErrorClass::Auth),
        ("404 Not Found", r#"{"error":"model not found"}"#, ErrorClass::NotFound),
        ("400 Bad Request", r#"{"detail":"no"}"#, ErrorClass::InvalidRequest),
    ] {
        assert_eq!(ask_one(plain(status, "", body)).await.unwrap_err().class, class, "{status} {body}");
    }
}

#[tokio::test]
async fn an_error_body_that_never_ends_or_breaks_off_is_an_error_all_the_same() {
    let mut endless = vec![send("HTTP/1.1 502 Bad Gateway\r\nconnection: close\r\n\r\n")];
    endless.extend((0..100).map(|_| send(vec![b'y'; 4096])));
    endless.push(Act::Hold);
    let failure = ask_one(endless).await.unwrap_err();
    assert_eq!(failure.class, ErrorClass::Server);
    assert!(failure.message.len() < 400, "{}", failure.message);
    let cut = vec![send("HTTP/1.1 401 Unauthorized\r\ncontent-length: 500\r\n\r\n{\"error"), Act::Close];
    assert_eq!(ask_one(cut).await.unwrap_err().class, ErrorClass::Auth);
}

#[tokio::test]
async fn no_message_holds_the_key() {
    let echo = format!(r#"{{"error":{{"message":"Incorrect API key provided: {KEY}. Get one."}}}}"#);
    let failure = ask_one(plain("401 Unauthorized", "", &echo)).await.unwrap_err();
    assert_eq!(failure.class, ErrorClass::Auth);
    let expect =
        " answered 401, check the key of this provider: Incorrect API key provided: [secret:key]. Get one.";
    assert!(failure.message.ends_with(expect), "{}", failure.message);

    let page = format!("<title>401 for Bearer {KEY}</title>");
    // Cut in the middle of the key: of fewer bytes than eight nobody could tell that they are its beginning.
    let raw = format!("{} {KEY}", "x".repeat(228));
    let event = format!("data: {{nonsense {KEY}\n\n");
    let stream = vec![send(STREAM_HEAD), send(http_chunk(event)), Act::Close];
    for acts in [plain("401 X", "", &page), plain("500 X", "", &raw), plain("200 OK", "", &page), stream] {
        let message = ask_one(acts).await.unwrap_err().message;
        assert!(message.contains("[secret:key]") && !message.contains("sk-te"), "{message}");
    }
}

#[tokio::test]
async fn a_header_that_carries_a_key_is_a_secret_too() {
    let body = r#"{"error":"unknown api-key azure-secret-value for app onward"}"#;
    let server = Server::start(vec![plain("401 X", "", body)]).await;
    let headers = vec![("api-key".into(), "azure-secret-value".into()), ("x-title".into(), "onward".into())];
    let config = ChatConfig { headers, ..ChatConfig::new(server.base_url()) };
    let message = ask(&ChatModel::new(config).unwrap()).await.0.unwrap_err().message;
    assert!(message.ends_with("unknown api-key [secret:api-key] for app onward"), "{message}");
}

#[tokio::test]
async fn a_connection_that_ends_before_the_answer_is_a_network_failure() {
    for acts in [vec![Act::Close], vec![send("HTTP/1.1 200 OK\r\ncontent-ty"), Act::Close]] {
        let failure = ask_one(acts).await.unwrap_err();
        assert_eq!(failure.class, ErrorClass::Network, "{}", failure.message);
        assert!(failure.message.contains("closed the connection before it answered"), "{}", failure.message);
    }
}

#[tokio::test]
async fn a_server_that_does_not_listen_is_named() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let addr = listener.local_addr().unwrap();
    drop(listener);
    let model = ChatModel::new(ChatConfig::new(format!("http://{addr}/v1?secret=query"))).unwrap();
    let failure = ask(&model).await.0.unwrap_err();
    assert_eq!(failure.class, ErrorClass::Network);
    assert!(failure.message.starts_with(&format!("{addr} cannot be reached: ")), "{}", failure.message);
    assert!(!failure.message.contains("query"), "{}", failure.message);
}

#[tokio::test]
async fn what_does_not_speak_tls_is_a_failure_and_no_panic() {
    let server = Server::start(vec![]).await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let addr = listener.local_addr().unwrap();
    tokio::spawn(async move {
        use tokio::io::{AsyncReadExt, AsyncWriteExt};
        let (mut stream, _) = listener.accept().await.unwrap();
        let _ = stream.read(&mut [0; 1024]).await;
        let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await;
    });
    let config = ChatConfig { base_url: format!("https://{addr}/v1"), ..chat_config(&server) };
    let failure = ask(&ChatModel::new(config).unwrap()).await.0.unwrap_err();
    // Without any certificate on the machine the client itself cannot be made.
    assert!(matches!(failure.class, ErrorClass::Network | ErrorClass::InvalidRequest), "{failure:?}");
    assert!(!failure.message.is_empty());
}
