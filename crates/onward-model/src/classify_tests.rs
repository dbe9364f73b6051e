//! The classification, against bodies in the shapes that servers in use send.

use serde_json::json;

use super::*;

#[track_caller]
fn check(status: u16, body: &str, expect: ErrorClass) {
    let failure = refused("localhost", status, body.as_bytes(), None);
    assert_eq!(failure.class, expect, "{status} {body}");
    assert!(failure.message.starts_with(&format!("localhost answered {status}, ")), "{}", failure.message);
}

#[test]
fn a_status_alone_says_most() {
    use ErrorClass::{
        Auth, ContextOverflow, InvalidRequest, NotFound, Overloaded, RateLimited, Server, Timeout,
    };
    let classes = [
        (301, InvalidRequest),
        (400, InvalidRequest),
        (401, Auth),
        (402, Auth),
        (403, Auth),
        (404, NotFound),
        (405, InvalidRequest),
        (408, Timeout),
        (413, ContextOverflow),
        (418, InvalidRequest),
        (422, InvalidRequest),
        (429, RateLimited),
        (500, Server),
        (502, Server),
        (503, Overloaded),
        (504, Server),
        (529, Overloaded),
    ];
    for (status, class) in classes {
        check(status, "", class);
    }
}

#[test]
fn an_overflow_is_known_by_the_words_of_many_servers() {
    for (status, error) in [
        (
            400,
            json!({"error": {"message": "This model's maximum context length is 128000 tokens.", "code": "context_length_exceeded"}}),
        ),
        (
            400,
            json!({"error": {"message": "too big", "type": "invalid_request_error", "code": "context_length_exceeded"}}),
        ),
        (
            400,
            json!({"error": {"code": 400, "message": "request (9000 tokens) too big", "type": "exceed_context_size_error", "n_ctx": 4096}}),
        ),
        (
            500,
            json!({"error": {"code": 500, "message": "the request exceeds the available context size", "type": "server_error"}}),
        ),
        (
            400,
            json!({"object": "error", "message": "This model's maximum context length is 4096 tokens. However, you requested 5000", "code": 400}),
        ),
        (400, json!({"error": {"message": "Your input exceeds the context window of this model."}})),
        (
            400,
            json!({"error": {"message": "This model's maximum prompt length is 131072 but the request contains 150000 tokens."}}),
        ),
        (
            400,
            json!([{"error": {"code": 400, "message": "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).", "status": "INVALID_ARGUMENT"}}]),
        ),
        (400, json!({"message": "Prompt contains too many tokens", "type": "invalid_request"})),
        (422, json!({"detail": "Prompt is too long: 9 > 8"})),
        (413, json!({"error": {"message": "Request too large for model", "code": "rate_limit_exceeded"}})),
        (400, json!({"error": {"message": "Please reduce the length of the messages or completion."}})),
        (
            400,
            json!({"error": {"message": "Provider returned error", "code": 400, "metadata": {"raw": "maximum context length is 8192"}}}),
        ),
    ] {
        check(status, &error.to_string(), ErrorClass::ContextOverflow);
    }
}

#[test]
fn what_sounds_like_an_overflow_is_not_always_one() {
    check(429, r#"{"error":{"message":"too many tokens per minute"}}"#, ErrorClass::RateLimited);
    check(401, r#"{"error":{"message":"no access to the context window tier"}}"#, ErrorClass::Auth);
    let limit = r#"{"error":{"message":"max_tokens is too large: this model supports at most 16384 completion tokens"}}"#;
    check(400, limit, ErrorClass::InvalidRequest);
}

#[test]
fn an_account_without_credit_does_not_pass() {
    let body = r#"{"error":{"message":"You exceeded your current quota","type":"insufficient_quota","code":"insufficient_quota"}}"#;
    check(429, body, ErrorClass::Auth);
    // The same words from a server that means a limit per minute.
    let passing = r#"[{"error":{"code":429,"message":"You exceeded your current quota","status":"RESOURCE_EXHAUSTED"}}]"#;
    check(429, passing, ErrorClass::RateLimited);
}

#[test]
fn a_bad_request_may_be_a_wrong_key_or_model() {
    check(
        400,
        r#"[{"error":{"message":"API key not valid. Please pass a valid API key."}}]"#,
        ErrorClass::Auth,
    );
    check(400, r#"{"error":{"message":"no","code":"model_not_found"}}"#, ErrorClass::NotFound);
    check(404, r#"{"error":"model \"x\" not found, try pulling it first"}"#, ErrorClass::NotFound);
}

#[test]
fn an_error_in_a_stream_is_classified_by_what_it_says() {
    for (error, class) in [
        (json!({"message": "x", "code": 502}), ErrorClass::Server),
        (json!({"message": "x", "code": "429"}), ErrorClass::RateLimited),
        (json!({"message": "x", "type": "overloaded_error"}), ErrorClass::Overloaded),
        (json!({"message": "x", "code": "rate_limit_exceeded"}), ErrorClass::RateLimited),
        (json!({"message": "x", "type": "invalid_request_error"}), ErrorClass::InvalidRequest),
        (json!({"message": "x", "code": "insufficient_quota"}), ErrorClass::Auth),
        (json!({"message": "beyond the context window"}), ErrorClass::ContextOverflow),
        (json!("something broke"), ErrorClass::Server),
        (json!({"new": "shape"}), ErrorClass::Server),
    ] {
        assert_eq!(reported(&error).class, class, "{error}");
    }
}

#[test]
fn a_long_body_is_quoted_shortly() {
    let page = format!("<html><title>Bad Gateway</title>{}", "x".repeat(100_000));
    let failure = refused("localhost", 502, page.as_bytes(), Some(7));
    assert_eq!(failure.message, "localhost answered 502, a fault on its side: an HTML page `Bad Gateway`");
    assert_eq!(failure.retry_after_millis, Some(7));
    let text = refused("localhost", 500, "y".repeat(100_000).as_bytes(), None);
    assert!(text.message.len() < 400, "{}", text.message.len());
}
