//! Answers of the chat completions protocol, as one write each.

use serde_json::{Value, json};

/// The head of an answer whose length is not said beforehand, as servers send a stream.
const HEAD: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncache-control: no-cache\r\n\
                    transfer-encoding: chunked\r\n\r\n";

/// A call of `shell` that says the step's number.
pub(super) fn call(step: usize, request_bytes: usize) -> Vec<u8> {
    let number = step + 1;
    let arguments = json!({ "command": format!("echo {number}") }).to_string();
    let name = json!({ "name": "shell", "arguments": "" });
    stream(
        &[
            json!({ "role": "assistant", "content": "" }),
            json!({ "tool_calls": [{ "index": 0, "id": format!("call_{number}"), "type": "function", "function": name }] }),
            json!({ "tool_calls": [{ "index": 0, "function": { "arguments": arguments } }] }),
        ],
        "tool_calls",
        request_bytes,
    )
}

/// The end.
pub(super) fn text(request_bytes: usize) -> Vec<u8> {
    stream(
        &[json!({ "role": "assistant", "content": "" }), json!({ "content": "done" })],
        "stop",
        request_bytes,
    )
}

fn stream(deltas: &[Value], finish: &str, request_bytes: usize) -> Vec<u8> {
    let chunk = |delta: &Value, finish: Option<&str>| {
        json!({ "id": "bench", "object": "chat.completion.chunk", "created": 0, "model": "counting",
                "choices": [{ "index": 0, "delta": delta, "finish_reason": finish }] })
    };
    let mut out = HEAD.as_bytes().to_vec();
    let mut push = |data: String| {
        let event = format!("data: {data}\n\n");
        out.extend(format!("{:x}\r\n{event}\r\n", event.len()).into_bytes());
    };
    deltas.iter().for_each(|delta| push(chunk(delta, None).to_string()));
    push(chunk(&json!({}), Some(finish)).to_string());
    let (asked, said) = (request_bytes / 4, 20);
    let usage = json!({ "prompt_tokens": asked, "completion_tokens": said, "total_tokens": asked + said });
    push(
        json!({ "id": "bench", "object": "chat.completion.chunk", "choices": [], "usage": usage })
            .to_string(),
    );
    push("[DONE]".into());
    out.extend(b"0\r\n\r\n");
    out
}
