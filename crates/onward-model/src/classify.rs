//! What kind of failure it is, which decides whether trying again can help.
//!
//! The HTTP status says most of it, but not all: a request that is larger than the model's window, an account without
//! credit and a model that does not exist are told apart from other refusals only by codes and wordings, which differ
//! from server to server. The wordings here are those of servers in use.

use onward_event::ErrorClass;
use onward_port::ModelFailure;
use serde_json::Value;

use crate::error_info::ErrorInfo;

/// Codes and types of an error that say the request is larger than the window.
const OVERFLOW_CODES: &[&str] =
    &["context_length_exceeded", "exceed_context_size", "context_window_exceeded", "request_too_large"];

/// Wordings that say it, in lower case.
const OVERFLOW_WORDINGS: &[&str] = &[
    "maximum context length",
    "context window",
    "context length",
    "context size",
    "too many tokens",
    "too many input tokens",
    "maximum prompt length",
    "maximum number of tokens",
    "prompt is too long",
    "input is too long",
    "range of input length",
    "reduce the length of the messages",
];

/// An account without credit, which time alone does not cure.
const QUOTA_CODES: &[&str] = &["insufficient_quota", "billing_hard_limit_reached", "insufficient_balance"];

/// What an error object without an HTTP status says by its code or type.
const CODES: &[(&str, ErrorClass)] = &[
    ("rate_limit", ErrorClass::RateLimited),
    ("too_many_requests", ErrorClass::RateLimited),
    ("resource_exhausted", ErrorClass::RateLimited),
    ("overloaded", ErrorClass::Overloaded),
    ("unavailable", ErrorClass::Overloaded),
    ("timeout", ErrorClass::Timeout),
    ("invalid_api_key", ErrorClass::Auth),
    ("authentication", ErrorClass::Auth),
    ("permission", ErrorClass::Auth),
    ("not_found", ErrorClass::NotFound),
    ("invalid_request", ErrorClass::InvalidRequest),
    ("badrequest", ErrorClass::InvalidRequest),
];

/// The failure that an answer with this status is. `server` names the server for people.
pub(crate) fn refused(
    server: &str,
    status: u16,
    body: &[u8],
    retry_after_millis: Option<u64>,
) -> ModelFailure {
    let info = ErrorInfo::of_body(body);
    let class = class(Some(status), &info);
    let message = format!("{server} answered {status}, {}: {}", words(class, status), info.message);
    ModelFailure { class, message, retry_after_millis, usage: None }
}

/// The failure that a server reports in a stream which it had begun with status 200.
pub(crate) fn reported(error: &Value) -> ModelFailure {
    let info = ErrorInfo::of_value(error);
    let class = class(info.status, &info);
    let message = format!("the server reported an error instead of an answer: {}", info.message);
    ModelFailure { class, message, retry_after_millis: None, usage: None }
}

fn class(status: Option<u16>, info: &ErrorInfo) -> ErrorClass {
    let has_code = |codes: &[&str]| codes.iter().any(|code| info.codes.contains(code));
    if has_code(QUOTA_CODES) {
        return ErrorClass::Auth;
    }
    if has_code(OVERFLOW_CODES) || (may_be_overflow(status) && has_wording(info, OVERFLOW_WORDINGS)) {
        return ErrorClass::ContextOverflow;
    }
    match status {
        Some(400 | 422) => refusal(info),
        Some(status) => by_status(status),
        None => by_code(&info.codes).unwrap_or(ErrorClass::Server),
    }
}

/// Servers report an overflow as a bad request, a body that is too large, or, some, as their own fault. A rate limit
/// on tokens speaks of too many tokens as well, and is none.
fn may_be_overflow(status: Option<u16>) -> bool {
    matches!(status, None | Some(400 | 413 | 422 | 500))
}

fn has_wording(info: &ErrorInfo, wordings: &[&str]) -> bool {
    wordings.iter().any(|wording| info.wording.contains(wording))
}

fn by_status(status: u16) -> ErrorClass {
    match status {
        401..=403 => ErrorClass::Auth,
        404 => ErrorClass::NotFound,
        408 => ErrorClass::Timeout,
        413 => ErrorClass::ContextOverflow,
        429 => ErrorClass::RateLimited,
        503 | 529 => ErrorClass::Overloaded,
        500.. => ErrorClass::Server,
        _ => ErrorClass::InvalidRequest,
    }
}

/// A bad request is what some servers call a wrong key or a missing model too.
fn refusal(info: &ErrorInfo) -> ErrorClass {
    if has_wording(info, &["api key not valid", "invalid api key"]) {
        return ErrorClass::Auth;
    }
    match by_code(&info.codes) {
        Some(class @ (ErrorClass::Auth | ErrorClass::NotFound)) => class,
        _ => ErrorClass::InvalidRequest,
    }
}

fn by_code(codes: &str) -> Option<ErrorClass> {
    CODES.iter().find(|(code, _)| codes.contains(code)).map(|(_, class)| *class)
}

/// The class in words, with what a person can do about it.
fn words(class: ErrorClass, status: u16) -> &'static str {
    match class {
        ErrorClass::RateLimited => "too many requests",
        ErrorClass::Overloaded => "no capacity at the moment",
        ErrorClass::Auth if status == 402 || status == 429 => "check the account's credit",
        ErrorClass::Auth => "check the key of this provider",
        ErrorClass::NotFound => "check the model's name and the base URL",
        ErrorClass::ContextOverflow => "the request is larger than the model's window",
        ErrorClass::InvalidRequest if (300..400).contains(&status) => {
            "redirects are not followed, check the base URL"
        }
        ErrorClass::InvalidRequest => "it refuses the request",
        ErrorClass::Timeout => "it took too long",
        ErrorClass::Server | ErrorClass::Network | ErrorClass::Protocol | ErrorClass::Lost => {
            "a fault on its side"
        }
    }
}

#[cfg(test)]
#[path = "classify_tests.rs"]
mod tests;
